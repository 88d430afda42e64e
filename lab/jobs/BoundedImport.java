package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A bounded stream that ends after a few seconds: the job is FINISHED. */
public final class BoundedImport {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders =
                Flow.orders(
                        env,
                        "orders",
                        p,
                        settings.integer("count", 1_000),
                        RateLimiterStrategy.noOp(),
                        Flow::order);
        DataStream<Order> parsed = Flow.step(orders.rebalance(), "parse", settings.cost(4), p);
        Flow.sink(parsed, "warehouse", Cost.NONE, p);
        env.execute("bounded-import");
    }
}
