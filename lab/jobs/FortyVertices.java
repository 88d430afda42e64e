package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A row of forty vertices; step-23 is slow. */
public final class FortyVertices {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> stream = Flow.orders(env, "orders", p);
        for (int i = 2; i < 40; i++) {
            Cost cost = i == 23 ? settings.cost(8) : Cost.NONE;
            stream = Flow.step(stream, String.format("step-%02d", i), cost, p);
        }
        Flow.sink(stream, "archive", Cost.NONE, p);
        env.execute("forty-vertices");
    }
}
