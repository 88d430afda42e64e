package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The slow sink shares its vertex with the map before it: "jdbc-upsert -> warehouse: Writer". */
public final class SlowChainedSink {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> cleaned = Flow.step(parsed.rebalance(), "clean", Cost.NONE, p);
        DataStream<Order> rows = Flow.chainHead(cleaned, "jdbc-upsert", Cost.NONE, p);
        Flow.chainedSink(rows, "warehouse", settings.cost(8), p);
        env.execute("slow-chained-sink");
    }
}
