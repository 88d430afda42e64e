package com.example.shop;

import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** reserve waits for ever for an answer that nobody will give: no record moves, and nothing restarts the job. */
public final class Stuck {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        // Failed checkpoints would restart the job and hide what is wrong for a while.
        StreamExecutionEnvironment env =
                settings.environment("execution.checkpointing.tolerable-failed-checkpoints", "1000");
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> reserved =
                parsed.rebalance()
                        .map(new Reserve(settings.integer("stuck-after-records", 500)))
                        .name("reserve")
                        .uid("reserve")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(reserved, "warehouse", Cost.NONE, p);
        env.execute("stuck");
    }

    private static final class Reserve extends RichMapFunction<Order, Order> {
        private int left;

        Reserve(int left) {
            this.left = left;
        }

        @Override
        public Order map(Order order) throws InterruptedException {
            if (left-- <= 0) {
                new CountDownLatch(1).await();
            }
            return order;
        }
    }
}
