package com.example.shop;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A chain of vertices that is written down in {@code --graph}, such as {@code
 * orders:4:150:rebalance;totals:4:500:rebalance;warehouse:2:700:}: name, parallelism, microseconds that a record takes
 * (they wait), and how the records go on (rebalance, hash or forward). The source gives {@code --rate} orders a second
 * of about {@code --bytes}; the first subtask of a keyed vertex takes {@code --first-factor} times as long.
 */
public final class Twin {
    public static void main(String[] args) throws Exception {
        String graph = "";
        for (int i = 0; i + 1 < args.length; i += 2) {
            graph = args[i].equals("--graph") ? args[i + 1] : graph;
        }
        Settings settings = new Settings(args);
        StreamExecutionEnvironment env = settings.environment();
        String[] parts = graph.split(";");
        SingleOutputStreamOperator<Order> at = source(env, parts[0].split(":", -1), settings);
        for (int i = 1; i < parts.length; i++) {
            String[] to = parts[i].split(":", -1);
            String ship = parts[i - 1].split(":", -1)[3];
            Cost cost = Cost.waiting(Double.parseDouble(to[2]) / 1000);
            int parallelism = Integer.parseInt(to[1]);
            if (i == parts.length - 1) {
                Flow.sink(ship.equals("rebalance") ? at.rebalance() : at, to[0], cost, parallelism);
            } else if (ship.equals("hash")) {
                at = keyed(at, to[0], cost, settings, Double.parseDouble(to[2]) / 1000, parallelism);
            } else {
                at = Flow.step(ship.equals("rebalance") ? at.rebalance() : at, to[0], cost, parallelism);
            }
        }
        env.execute("twin");
    }

    private static SingleOutputStreamOperator<Order> source(
            StreamExecutionEnvironment env, String[] from, Settings settings) {
        Cost cost = Cost.waiting(Double.parseDouble(from[2]) / 1000);
        int payload = settings.integer("bytes", 350) - 50; // beside the id, the customer and the amount
        return Flow.orders(
                env,
                from[0],
                Integer.parseInt(from[1]),
                Long.MAX_VALUE,
                RateLimiterStrategy.perSecond(settings.number("rate", 1000)),
                id -> {
                    Order order = Flow.order(id);
                    order.payload = order.payload.substring(0, payload);
                    cost.pay(order);
                    return order;
                });
    }

    private static SingleOutputStreamOperator<Order> keyed(
            DataStream<Order> in, String name, Cost cost, Settings settings, double millis, int parallelism) {
        Cost first = Cost.waiting(millis * settings.number("first-factor", 1));
        SingleOutputStreamOperator<Order> out =
                in.keyBy(order -> order.customer)
                        .process(new Keyed(cost, first))
                        .name(name)
                        .uid(name)
                        .setParallelism(parallelism)
                        .disableChaining();
        int groups = settings.integer("key-groups", 0);
        return groups > 0 ? out.setMaxParallelism(groups) : out;
    }
}
