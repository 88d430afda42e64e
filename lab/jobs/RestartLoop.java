package com.example.shop;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** parse throws some seconds after each start; the job restarts after a second, for ever. */
public final class RestartLoop {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env =
                settings.environment(
                        "restart-strategy.type", "fixed-delay",
                        "restart-strategy.fixed-delay.attempts", "1000000",
                        "restart-strategy.fixed-delay.delay", "1 s");
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, 100);
        DataStream<Order> parsed =
                orders.map(new Parse(settings.integer("fail-after-ms", 4_000)))
                        .name("parse")
                        .uid("parse")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(parsed.rebalance(), "warehouse", Cost.NONE, p);
        env.execute("restart-loop");
    }

    private static final class Parse extends RichMapFunction<Order, Order> {
        private final int failAfterMillis;
        private transient long openedNanos;

        Parse(int failAfterMillis) {
            this.failAfterMillis = failAfterMillis;
        }

        @Override
        public void open(OpenContext context) {
            openedNanos = System.nanoTime();
        }

        @Override
        public Order map(Order order) {
            if (System.nanoTime() - openedNanos > failAfterMillis * 1_000_000L) {
                throw new IllegalArgumentException("order " + order.id + " has no customer number");
            }
            return order;
        }
    }
}
