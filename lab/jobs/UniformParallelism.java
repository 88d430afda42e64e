package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Ten vertices of four subtasks each: score uses nine tenths of them, the others next to nothing. */
public final class UniformParallelism {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> stream = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 172));
        for (String name : new String[] {"parse", "validate", "geocode", "enrich"}) {
            stream = Flow.step(stream, name, Cost.NONE, p);
        }
        stream = Flow.step(stream.rebalance(), "score", settings.cost(20), p);
        for (String name : new String[] {"route", "mask", "format"}) {
            stream = Flow.step(stream, name, Cost.NONE, p);
        }
        Flow.sink(stream, "archive", Cost.NONE, p);
        env.execute("uniform-parallelism");
    }
}
