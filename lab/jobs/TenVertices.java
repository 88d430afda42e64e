package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A row of ten vertices; the sixth, score, is slow. For counting what a monitor asks for. */
public final class TenVertices {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> stream = Flow.orders(env, "orders", p).rebalance();
        for (String name : new String[] {"parse", "validate", "geocode", "enrich"}) {
            stream = Flow.step(stream, name, Cost.NONE, p);
        }
        stream = Flow.step(stream.rebalance(), "score", settings.cost(8), p);
        for (String name : new String[] {"route", "mask", "format"}) {
            stream = Flow.step(stream, name, Cost.NONE, p);
        }
        Flow.sink(stream, "archive", Cost.NONE, p);
        env.execute("ten-vertices");
    }
}
