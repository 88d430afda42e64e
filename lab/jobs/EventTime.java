package com.example.shop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/** Orders whose {@code id} is their event time in ms, and windows over them. */
final class EventTime {
    private EventTime() {}

    /** Watermarks that trail the newest order by a second. */
    static WatermarkStrategy<Order> watermarks() {
        return WatermarkStrategy.<Order>forBoundedOutOfOrderness(Duration.ofSeconds(1))
                .withTimestampAssigner((order, before) -> order.id);
    }

    /** Orders of now, with {@code perSecond} of them over all subtasks. */
    static DataGeneratorSource<Order> nowSource(double perSecond) {
        return source(id -> at(id, System.currentTimeMillis()), perSecond);
    }

    static DataGeneratorSource<Order> source(GeneratorFunction<Long, Order> generator, double perSecond) {
        return new DataGeneratorSource<>(
                generator, Long.MAX_VALUE, RateLimiterStrategy.perSecond(perSecond), TypeInformation.of(Order.class));
    }

    static Order at(long number, long eventTimeMillis) {
        Order order = Flow.order(number);
        order.id = eventTimeMillis;
        return order;
    }

    static SingleOutputStreamOperator<Order> read(
            StreamExecutionEnvironment env,
            DataGeneratorSource<Order> source,
            WatermarkStrategy<Order> watermarks,
            String name,
            int parallelism) {
        return env.fromSource(source, watermarks, name).uid(name).setParallelism(parallelism).disableChaining();
    }

    /** The sum of each customer group every five seconds. */
    static SingleOutputStreamOperator<Order> window(DataStream<Order> in, String name, int parallelism) {
        return in.keyBy(order -> order.customer.hashCode() % 64)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(5)))
                .reduce(
                        (a, b) -> {
                            a.amount += b.amount;
                            return a;
                        })
                .name(name)
                .uid(name)
                .setParallelism(parallelism)
                .disableChaining();
    }

    /** A source whose last subtask falls silent for ever some time after its start, as an idle partition does. */
    static final class LastFallsSilent extends DataGeneratorSource<Order> {
        private final long afterMillis;

        LastFallsSilent(GeneratorFunction<Long, Order> generator, double perSecond, long afterMillis) {
            super(
                    generator,
                    Long.MAX_VALUE,
                    RateLimiterStrategy.perSecond(perSecond),
                    TypeInformation.of(Order.class));
            this.afterMillis = afterMillis;
        }

        @Override
        public SourceReader<Order, NumberSequenceSplit> createReader(SourceReaderContext context) throws Exception {
            SourceReader<Order, NumberSequenceSplit> reader = super.createReader(context);
            boolean last = context.getIndexOfSubtask() == context.currentParallelism() - 1;
            return last ? new FallsSilent(reader, afterMillis) : reader;
        }
    }

    private static final class FallsSilent implements SourceReader<Order, NumberSequenceSplit> {
        private final SourceReader<Order, NumberSequenceSplit> reader;
        private final long silentAtNanos;
        private final CompletableFuture<Void> never = new CompletableFuture<>();

        FallsSilent(SourceReader<Order, NumberSequenceSplit> reader, long afterMillis) {
            this.reader = reader;
            this.silentAtNanos = System.nanoTime() + afterMillis * 1_000_000;
        }

        private boolean silent() {
            return System.nanoTime() > silentAtNanos;
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Order> output) throws Exception {
            return silent() ? InputStatus.NOTHING_AVAILABLE : reader.pollNext(output);
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return silent() ? never : reader.isAvailable();
        }

        @Override
        public void start() {
            reader.start();
        }

        @Override
        public List<NumberSequenceSplit> snapshotState(long checkpoint) {
            return reader.snapshotState(checkpoint);
        }

        @Override
        public void addSplits(List<NumberSequenceSplit> splits) {
            reader.addSplits(splits);
        }

        @Override
        public void notifyNoMoreSplits() {
            reader.notifyNoMoreSplits();
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }
}
