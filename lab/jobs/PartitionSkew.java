package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** One of four partitions of the log gets most orders, and no edge spreads them: one subtask has the load. */
public final class PartitionSkew {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        OrderLog log = new OrderLog(0, OrderLog.Fetch.AT_ONCE, 400, 20);
        DataStream<Order> orders = Flow.log(env, "orders", p, log);
        DataStream<Order> enriched = Flow.step(orders, "enrich", settings.cost(5), p);
        Flow.sink(enriched, "archive", Cost.NONE, p);
        env.execute("partition-skew");
    }
}
