package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * orders and parse run in one slot, enrich and archive in another: with one slot in each TaskManager every order goes
 * over the link between the two. No operator costs anything.
 */
public final class TwoSites {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> enriched =
                Flow.step(parsed.rebalance(), "enrich", Cost.NONE, p).slotSharingGroup("other site");
        Flow.sink(enriched, "archive", Cost.NONE, p);
        env.execute("two-sites");
    }
}
