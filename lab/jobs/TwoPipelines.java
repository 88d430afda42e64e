package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Two pipelines that share nothing but the job: geocode holds the orders, clickstore holds the clicks. */
public final class TwoPipelines {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> geocoded = Flow.step(orders.rebalance(), "geocode", settings.cost(8), p);
        Flow.sink(geocoded, "warehouse", Cost.NONE, p);
        DataStream<Order> clicks = Flow.orders(env, "clicks", p);
        DataStream<Order> parsed = Flow.step(clicks.rebalance(), "parse-clicks", Cost.NONE, p);
        Flow.sink(parsed, "clickstore", settings.cost(8), p);
        env.execute("two-pipelines");
    }
}
