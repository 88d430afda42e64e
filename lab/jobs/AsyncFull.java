package com.example.shop;

import java.util.Collections;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/** rates asks a service that answers after 200 ms, 20 requests at once: 100 orders a second are all it can take. */
public final class AsyncFull {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> rated =
                AsyncDataStream.unorderedWait(
                                parsed.rebalance(),
                                new Ask(settings.integer("answer-ms", 200)),
                                60,
                                TimeUnit.SECONDS,
                                settings.integer("capacity", 20))
                        .name("exchange-rates")
                        .uid("exchange-rates")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(rated, "archive", Cost.NONE, p);
        env.execute("async-full");
    }

    private static final class Ask extends RichAsyncFunction<Order, Order> {
        private final int answerMillis;
        private transient ScheduledExecutorService service;

        Ask(int answerMillis) {
            this.answerMillis = answerMillis;
        }

        @Override
        public void open(OpenContext context) {
            service = Executors.newSingleThreadScheduledExecutor();
        }

        @Override
        public void asyncInvoke(Order order, ResultFuture<Order> result) {
            service.schedule(
                    () -> result.complete(Collections.singleton(order)), answerMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            if (service != null) {
                service.shutdownNow();
            }
        }
    }
}
