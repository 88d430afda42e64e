package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Orders are counted by country, and there are three of them: three of eight subtasks get them all. */
public final class FewKeys {
    private static final String[] COUNTRIES = {"DE", "ES", "IT"};

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(8);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders =
                Flow.orders(env, "orders", 2, Long.MAX_VALUE, RateLimiterStrategy.noOp(), FewKeys::nationalOrder);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, 2);
        DataStream<Order> totals =
                parsed.keyBy(order -> order.customer)
                        .process(new Keyed(settings.cost(6)))
                        .name("country-totals")
                        .uid("country-totals")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(totals, "archive", Cost.NONE, p);
        env.execute("few-keys");
    }

    private static Order nationalOrder(long id) {
        Order order = Flow.order(id);
        order.customer = COUNTRIES[(int) (id % COUNTRIES.length)];
        return order;
    }
}
