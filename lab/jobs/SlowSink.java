package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The sink is a vertex of its own and slow (it waits, or computes with --hash-rounds). */
public final class SlowSink {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> cleaned = Flow.step(parsed.rebalance(), "clean", Cost.NONE, p);
        Flow.sink(cleaned, "warehouse", settings.cost(8), p);
        env.execute("slow-sink");
    }
}
