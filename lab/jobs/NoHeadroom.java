package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** 215 orders a second come, and enrich could take 250: nothing is held back, but little more fits. */
public final class NoHeadroom {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 215));
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched = Flow.step(parsed.rebalance(), "enrich", settings.cost(8), p);
        Flow.sink(enriched, "archive", Cost.NONE, p);
        env.execute("no-headroom");
    }
}
