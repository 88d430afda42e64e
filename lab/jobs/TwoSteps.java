package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** validate and price cost the same for each order and get the same number of orders in every subtask. */
public final class TwoSteps {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        Cost cost = Cost.waitingOnThisHost(settings.number("wait-ms", 4));
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> validated = Flow.step(orders.rebalance(), "validate", cost, p);
        DataStream<Order> priced = Flow.step(validated.rebalance(), "price", cost, p);
        Flow.sink(priced, "warehouse", Cost.NONE, p);
        env.execute("two-steps");
    }
}
