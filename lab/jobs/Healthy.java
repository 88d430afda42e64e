package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Every operator has room: the source gives 100 orders a second, enrich and the sink could take several times that. */
public final class Healthy {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 100));
        DataStream<Order> parsed = Flow.step(orders.rebalance(), "parse", Cost.NONE, p);
        DataStream<Order> enriched = Flow.step(parsed, "enrich", Cost.waiting(4), p);
        Flow.sink(enriched, "warehouse", Cost.waiting(2), p);
        env.execute("healthy");
    }
}
