package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Two sinks behind one operator; only search-index is slow, and it holds the other one's input back too. */
public final class TwoSinks {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> enriched = Flow.step(orders.rebalance(), "enrich", Cost.NONE, p);
        Flow.sink(enriched, "archive", Cost.NONE, p);
        Flow.sink(enriched.rebalance(), "search-index", settings.cost(8), p);
        env.execute("two-sinks");
    }
}
