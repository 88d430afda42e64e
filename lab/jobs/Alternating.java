package com.example.shop;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** enrich and score take turns at being slow, 25 s each, by the clock. */
public final class Alternating {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        int turn = settings.integer("turn-ms", 25_000);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched = step(parsed.rebalance(), "enrich", new Turns(settings.cost(8), turn, 0), p);
        DataStream<Order> scored = step(enriched.rebalance(), "score", new Turns(settings.cost(8), turn, 1), p);
        Flow.sink(scored, "archive", Cost.NONE, p);
        env.execute("alternating");
    }

    private static SingleOutputStreamOperator<Order> step(
            DataStream<Order> in, String name, MapFunction<Order, Order> function, int parallelism) {
        return in.map(function)
                .returns(Order.class)
                .name(name)
                .uid(name)
                .setParallelism(parallelism)
                .disableChaining();
    }

    /** Pays in every second turn; in the others an order costs nothing. */
    private static final class Turns implements MapFunction<Order, Order> {
        private final Cost cost;
        private final int turnMillis;
        private final int own;

        Turns(Cost cost, int turnMillis, int own) {
            this.cost = cost;
            this.turnMillis = turnMillis;
            this.own = own;
        }

        @Override
        public Order map(Order order) {
            if (System.currentTimeMillis() / turnMillis % 2 == own) {
                cost.pay(order);
            }
            return order;
        }
    }
}
