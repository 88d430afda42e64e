package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The job starts behind its log by some minutes of work and catches up: enrich works at its limit and holds the source
 * back, and the lag falls all the while. Afterwards every operator has room.
 */
public final class CatchingUp {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        OrderLog log =
                new OrderLog(
                        settings.integer("backlog", 80_000),
                        OrderLog.Fetch.AT_ONCE,
                        settings.number("per-second", 60));
        DataStream<Order> orders = Flow.log(env, "orders", p, log);
        DataStream<Order> enriched = Flow.step(orders.rebalance(), "enrich", settings.cost(4), p);
        Flow.sink(enriched, "archive", Cost.NONE, p);
        env.execute("catching-up");
    }
}
