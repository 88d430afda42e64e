package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Two slow operators in a row: score is the slower one, and once it is cured enrich is the next. */
public final class TwoInSeries {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched = Flow.step(parsed.rebalance(), "enrich", Cost.waiting(6), p);
        DataStream<Order> scored = Flow.step(enriched.rebalance(), "score", Cost.waiting(8), p);
        Flow.sink(scored, "archive", Cost.NONE, p);
        env.execute("two-in-series");
    }
}
