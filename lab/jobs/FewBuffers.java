package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Every subtask sends to every one of the next vertex, five times over, and the sink at the end is slow, so that the
 * buffers of all exchanges fill: with little network memory all of it is in use.
 */
public final class FewBuffers {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(4);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> stream = Flow.orders(env, "orders", p).rebalance();
        for (String name : new String[] {"parse", "validate", "price", "format"}) {
            stream = Flow.step(stream, name, Cost.NONE, p).rebalance();
        }
        Flow.sink(stream, "warehouse", settings.cost(8), p);
        env.execute("few-buffers");
    }
}
