package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The subtasks of price share one connection, as static things are shared in a TaskManager: one works, three wait. */
public final class Lock {
    private static final Object CONNECTION = new Object();

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        Cost cost = settings.cost(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> priced =
                parsed.rebalance()
                        .map(order -> query(order, cost))
                        .returns(Order.class)
                        .name("price")
                        .uid("price")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(priced, "archive", Cost.NONE, p);
        env.execute("lock");
    }

    private static Order query(Order order, Cost cost) {
        synchronized (CONNECTION) {
            cost.pay(order);
            return order;
        }
    }
}
