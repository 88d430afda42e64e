package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Three operators share a vertex, and the one in the middle, geocode, is slow. */
public final class ChainSlowMiddle {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> normalized = Flow.chainHead(parsed.rebalance(), "normalize", Cost.NONE, p);
        DataStream<Order> geocoded = Flow.chained(normalized, "geocode", settings.cost(8), p);
        DataStream<Order> masked = Flow.chained(geocoded, "mask", Cost.NONE, p);
        Flow.sink(masked.rebalance(), "archive", Cost.NONE, p);
        env.execute("chain-slow-middle");
    }
}
