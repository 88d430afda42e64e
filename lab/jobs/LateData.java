package com.example.shop;

import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Every fifth order is a minute late; the windows have long been closed and drop it. All else is well. */
public final class LateData {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        GeneratorFunction<Long, Order> someLate =
                id -> EventTime.at(id, System.currentTimeMillis() - (id % 5 == 0 ? 60_000 : 0));
        DataStream<Order> orders =
                EventTime.read(
                        env,
                        EventTime.source(someLate, settings.number("per-second", 100)),
                        EventTime.watermarks(),
                        "orders",
                        p);
        DataStream<Order> sums = EventTime.window(orders, "sum-per-window", p);
        Flow.sink(sums, "dashboard", Cost.NONE, p);
        env.execute("late-data");
    }
}
