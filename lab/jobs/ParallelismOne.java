package com.example.shop;

import java.time.Duration;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;

/** A window over all orders has one subtask, whatever its neighbours have, and each order costs it 2 ms. */
public final class ParallelismOne {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> ranked =
                parsed.windowAll(TumblingProcessingTimeWindows.of(Duration.ofSeconds(1)))
                        .aggregate(new Largest(settings.cost(2)))
                        .name("top-orders")
                        .uid("top-orders")
                        .disableChaining();
        DataStream<Order> formatted = Flow.step(ranked.rebalance(), "format", Cost.NONE, p);
        Flow.sink(formatted, "archive", Cost.NONE, p);
        env.execute("parallelism-one");
    }

    private static final class Largest implements AggregateFunction<Order, Order, Order> {
        private final Cost cost;

        Largest(Cost cost) {
            this.cost = cost;
        }

        @Override
        public Order createAccumulator() {
            return new Order(0, "", 0, "");
        }

        @Override
        public Order add(Order order, Order largest) {
            cost.pay(order);
            return merge(order, largest);
        }

        @Override
        public Order getResult(Order largest) {
            return largest;
        }

        @Override
        public Order merge(Order a, Order b) {
            return a.amount > b.amount ? a : b;
        }
    }
}
