package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The source's own rate limiter decides; every operator is nearly idle. With {@code --offered-per-second} the source
 * tells how many orders it has not read yet of those that come; more than the limit, and that number grows for ever.
 */
public final class RateLimited {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        double limit = settings.number("per-second", 40);
        double offered = settings.number("offered-per-second", 0);
        DataStream<Order> orders =
                offered == 0
                        ? Flow.limitedOrders(env, "orders", p, limit)
                        : Flow.orders(
                                env,
                                "orders",
                                p,
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(limit),
                                new Backlog(Cost.NONE, offered / p));
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        Flow.sink(parsed.rebalance(), "warehouse", Cost.NONE, p);
        env.execute("rate-limited");
    }
}
