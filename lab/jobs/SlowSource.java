package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The source works on each order (as a slow deserializer does), more slowly than orders come; everything after it waits
 * for input.
 */
public final class SlowSource {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        Cost cost = settings.cost(8);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders =
                Flow.orders(
                        env,
                        "orders",
                        p,
                        Long.MAX_VALUE,
                        RateLimiterStrategy.noOp(),
                        new Backlog(cost, settings.number("offered-per-second", 500)));
        DataStream<Order> parsed = Flow.step(orders.rebalance(), "parse", Cost.NONE, p);
        Flow.sink(parsed, "warehouse", Cost.NONE, p);
        env.execute("source-bound");
    }
}
