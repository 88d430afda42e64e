package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * enrich is slow (it waits, or computes with --hash-rounds); what follows is fast. An unaligned barrier cannot overtake
 * records between orders and parse, an edge from one subtask to one other, but with {@code --parse-all 1} it can.
 */
public final class SlowMiddle {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        boolean parseAll = settings.integer("parse-all", 0) > 0;
        DataStream<Order> parsed = Flow.step(parseAll ? orders.rebalance() : orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched = Flow.step(parsed.rebalance(), "enrich", settings.cost(8), p);
        DataStream<Order> formatted = Flow.step(enriched, "format", Cost.NONE, p);
        Flow.sink(formatted, "archive", Cost.NONE, p);
        env.execute("slow-middle");
    }
}
