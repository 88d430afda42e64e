package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The source's own rate limiter decides; every operator is nearly idle. */
public final class RateLimited {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 40));
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        Flow.sink(parsed.rebalance(), "warehouse", Cost.NONE, p);
        env.execute("rate-limited");
    }
}
