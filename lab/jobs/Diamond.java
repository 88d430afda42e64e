package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** orders fork to fraud-check (slow) and enrich (fast), which meet again in score. */
public final class Diamond {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> checked = Flow.step(parsed.rebalance(), "fraud-check", settings.cost(8), p);
        DataStream<Order> enriched = Flow.step(parsed, "enrich", Cost.NONE, p);
        DataStream<Order> scored = Flow.step(checked.union(enriched), "score", Cost.NONE, p);
        Flow.sink(scored, "warehouse", Cost.NONE, p);
        env.execute("diamond");
    }
}
