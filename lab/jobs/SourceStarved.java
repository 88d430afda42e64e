package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The log gets 100 orders a second in each partition; a fetch brings ten after some 250 ms, so that the lag grows. */
public final class SourceStarved {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.log(env, "orders", p, new OrderLog(0, new OrderLog.Fetch(10, 250), 100));
        DataStream<Order> parsed = Flow.step(orders.rebalance(), "parse", Cost.NONE, p);
        Flow.sink(parsed, "archive", Cost.NONE, p);
        env.execute("source-starved");
    }
}
