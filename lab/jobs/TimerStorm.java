package com.example.shop;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * expire keeps a timer for each customer that fires every second for ever, and computes a little each time. After the
 * first orders of every customer the timers alone take all its time; the records, for which it does nothing, wait.
 */
public final class TimerStorm {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env = settings.environment();
        int customers = settings.integer("customers", 20_000);
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> expired =
                orders.keyBy(order -> order.id % customers)
                        .process(new Expire(settings.cost(0)))
                        .name("expire")
                        .uid("expire")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(expired, "warehouse", Cost.NONE, p);
        env.execute("timer-storm");
    }

    private static final class Expire extends KeyedProcessFunction<Long, Order, Order> {
        private static final int EVERY_MILLIS = 1_000;

        private final Cost cost;
        private transient Order nothing;

        Expire(Cost cost) {
            this.cost = cost;
        }

        @Override
        public void open(OpenContext context) {
            nothing = Flow.order(0);
        }

        @Override
        public void processElement(Order order, Context context, Collector<Order> out) {
            // A timer that is there already is not set twice.
            context.timerService().registerProcessingTimeTimer(next(context.timerService().currentProcessingTime()));
            out.collect(order);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Order> out) {
            cost.pay(nothing);
            context.timerService().registerProcessingTimeTimer(next(context.timerService().currentProcessingTime()));
        }

        private static long next(long nowMillis) {
            return (nowMillis / EVERY_MILLIS + 1) * EVERY_MILLIS;
        }
    }
}
