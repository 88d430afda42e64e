package com.example.shop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * geocode asks a service that answers one question after the other, whoever asks, {@code --per-second} of them: twice
 * as many subtasks wait twice as long for each answer.
 */
public final class SharedService {
    private static final AtomicLong FREE_AT_NANOS = new AtomicLong(System.nanoTime());

    private SharedService() {}

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        StreamExecutionEnvironment env = settings.environment();
        int p = settings.parallelism(2);
        long nanos = (long) (TimeUnit.SECONDS.toNanos(1) / settings.number("per-second", 200));
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> located =
                parsed.rebalance()
                        .map(
                                order -> {
                                    ask(nanos);
                                    return order;
                                })
                        .returns(Order.class)
                        .name("geocode")
                        .uid("geocode")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(located, "archive", Cost.NONE, p);
        env.execute("shared-service");
    }

    private static void ask(long nanos) {
        long answered = FREE_AT_NANOS.updateAndGet(free -> Math.max(free, System.nanoTime()) + nanos);
        while (answered > System.nanoTime()) {
            LockSupport.parkNanos(answered - System.nanoTime());
        }
    }
}
