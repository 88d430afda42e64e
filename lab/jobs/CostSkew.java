package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Customers are even over four subtasks, but an order costs ten times as much in one of them. */
public final class CostSkew {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        double wait = settings.number("wait-ms", 1);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> profiled =
                parsed.keyBy(order -> order.customer)
                        .process(new Keyed(Cost.waiting(wait), Cost.waiting(10 * wait)))
                        .name("customer-profile")
                        .uid("customer-profile")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(profiled, "archive", Cost.NONE, p);
        env.execute("cost-skew");
    }
}
