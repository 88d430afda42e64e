package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A batch job: one stage after the other, so a busy stage holds nobody back. The second stage takes about an hour. */
public final class BatchReport {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment("execution.runtime-mode", "BATCH");
        DataStream<Order> orders =
                Flow.orders(
                        env,
                        "orders",
                        p,
                        settings.integer("count", 60_000),
                        RateLimiterStrategy.noOp(),
                        id -> new Order(id, "customer-" + id % 97, id % 500, "batch"));
        DataStream<Order> priced = Flow.step(orders.rebalance(), "price", settings.cost(120), p);
        DataStream<Order> summed = Flow.step(priced.rebalance(), "sum", Cost.NONE, p);
        Flow.sink(summed, "report", Cost.NONE, p);
        env.execute("batch-report");
    }
}
