package com.example.shop;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** enrich fails on the 50th order of a subtask and nothing restarts the job: it is FAILED. */
public final class FailedJob {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment("restart-strategy.type", "none");
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, 20);
        DataStream<Order> enriched =
                orders.map(
                                order -> {
                                    if (order.id % 50 == 49) {
                                        throw new IllegalStateException(
                                                "exchange rates: connection to rates.example.com:443 refused");
                                    }
                                    return order;
                                })
                        .returns(Order.class)
                        .name("enrich")
                        .uid("enrich")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(enriched.rebalance(), "warehouse", Cost.NONE, p);
        env.execute("failed");
    }
}
