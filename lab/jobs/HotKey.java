package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Nine of ten orders belong to one customer, so one of four instances of the keyed aggregate gets nearly all. */
public final class HotKey {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders =
                Flow.orders(env, "orders", 2, Long.MAX_VALUE, RateLimiterStrategy.noOp(), HotKey::skewedOrder);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, 2);
        DataStream<Order> totals =
                parsed.keyBy(order -> order.customer)
                        .process(new Keyed(settings.cost(6)))
                        .name("customer-totals")
                        .uid("customer-totals")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(totals, "archive", Cost.NONE, p);
        env.execute("hot-key");
    }

    private static Order skewedOrder(long id) {
        Order order = Flow.order(id);
        if (id % 10 != 0) {
            order.customer = "customer-marketplace";
        }
        return order;
    }
}
