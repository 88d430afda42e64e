package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One of two source partitions falls silent after ten seconds and is not declared idle. The watermark of the windows
 * stands where it was then: they take all orders in and give no result any more, and nothing is backpressured.
 */
public final class HeldWatermark {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        EventTime.LastFallsSilent source =
                new EventTime.LastFallsSilent(
                        id -> EventTime.at(id, System.currentTimeMillis()),
                        settings.number("per-second", 40),
                        settings.integer("silent-after-ms", 10_000));
        DataStream<Order> orders = EventTime.read(env, source, EventTime.watermarks(), "orders", p);
        DataStream<Order> sums = EventTime.window(orders, "sum-per-window", p);
        Flow.sink(sums, "dashboard", Cost.NONE, p);
        env.execute("held-watermark");
    }
}
