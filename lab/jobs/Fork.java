package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** parse feeds two branches that do not meet again; fraud-check is slow, and enrich starves beside it. */
public final class Fork {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched = Flow.step(parsed, "enrich", Cost.NONE, p);
        Flow.sink(enriched, "archive", Cost.NONE, p);
        DataStream<Order> checked = Flow.step(parsed.rebalance(), "fraud-check", settings.cost(8), p);
        Flow.sink(checked, "alerts", Cost.NONE, p);
        env.execute("fork");
    }
}
