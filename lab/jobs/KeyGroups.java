package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Customers are even, but six key groups on four subtasks are not: two subtasks own two groups each and get a third of
 * the orders each, the other two own one and get a sixth.
 */
public final class KeyGroups {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> totals =
                parsed.keyBy(order -> order.customer)
                        .process(new Keyed(settings.cost(6)))
                        .name("customer-totals")
                        .uid("customer-totals")
                        .setParallelism(p)
                        .setMaxParallelism(settings.integer("max-parallelism", 6))
                        .disableChaining();
        Flow.sink(totals, "archive", Cost.NONE, p);
        env.execute("key-groups");
    }
}
