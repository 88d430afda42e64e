package com.example.shop;

import java.time.Duration;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Two sources whose watermarks are aligned. payments moves half as fast as time; orders could go ten times as fast and
 * has a backlog, but waits, without being busy or backpressured, until payments has come within five seconds.
 */
public final class AlignmentHold {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = aligned(env, "orders", settings.integer("orders-step-ms", 100), p);
        DataStream<Order> payments = aligned(env, "payments", settings.integer("payments-step-ms", 5), p);
        DataStream<Order> sums = EventTime.window(orders.union(payments), "sum-per-window", p);
        Flow.sink(sums, "dashboard", Cost.NONE, p);
        env.execute("alignment-hold");
    }

    /** A hundred records a second, each {@code stepMillis} of event time after the one before. */
    private static DataStream<Order> aligned(
            StreamExecutionEnvironment env, String name, long stepMillis, int parallelism) {
        return EventTime.read(
                env,
                EventTime.source(new Steps(stepMillis), 100),
                EventTime.watermarks().withWatermarkAlignment("shop", Duration.ofSeconds(5), Duration.ofSeconds(1)),
                name,
                parallelism);
    }

    private static final class Steps implements GeneratorFunction<Long, Order> {
        private static final long FIRST = 1_700_000_000_000L;
        private static final long OFFERED_PER_SECOND = 100;

        private final long stepMillis;
        private transient volatile long read;

        Steps(long stepMillis) {
            this.stepMillis = stepMillis;
        }

        @Override
        public void open(SourceReaderContext context) {
            long began = System.nanoTime();
            context.metricGroup()
                    .setPendingRecordsGauge(
                            () -> Math.max(0, (System.nanoTime() - began) / 1_000_000_000 * OFFERED_PER_SECOND - read));
        }

        @Override
        public Order map(Long number) {
            read++;
            return EventTime.at(number, FIRST + number * stepMillis);
        }
    }
}
