package com.example.shop;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.Collector;

/**
 * Reports about every metric that a connector, a window, a timer and a state backend can have, and has one operator
 * whose name is too long: for recordings, not for a verdict. The state backend and its metrics are options of the
 * cluster.
 */
public final class EveryMetric {
    private static final String LONG_NAME =
            "look up the price of <each> order & \"line\" in the catalogue: ".repeat(5) + "done";

    private EveryMetric() {}

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders =
                env.fromSource(new ReportingSource(settings.number("per-second", 2_000)), eventTime(), "orders")
                        .uid("orders")
                        .setParallelism(p)
                        .disableChaining();
        DataStream<Order> priced = Flow.chainHead(orders, LONG_NAME, Cost.NONE, p);
        DataStream<Order> checked = Flow.chainHead(priced, "check", settings.cost(2), p);
        DataStream<Order> sessions =
                checked.keyBy(order -> order.customer)
                        .process(new Sessions())
                        .name("sessionize")
                        .uid("sessionize")
                        .setParallelism(p);
        DataStream<Order> largest =
                sessions.keyBy(order -> order.id % 500)
                        .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                        .reduce((a, b) -> a.amount > b.amount ? a : b)
                        .name("largest per second")
                        .uid("largest")
                        .setParallelism(p);
        largest.sinkTo(new ReportingSink()).name("archive").uid("archive").setParallelism(p).disableChaining();
        env.execute("every-metric");
    }

    /** One order in fifty is a minute old when it comes, and too late for its window. */
    private static WatermarkStrategy<Order> eventTime() {
        return WatermarkStrategy.<Order>forBoundedOutOfOrderness(Duration.ofSeconds(2))
                .withTimestampAssigner((order, before) -> System.currentTimeMillis() - (order.id % 50 == 0 ? 60_000 : 0))
                .withWatermarkAlignment("shop", Duration.ofSeconds(30), Duration.ofSeconds(1));
    }

    /** A source whose connector tells all that connectors may tell. */
    private static final class ReportingSource extends DataGeneratorSource<Order> {
        ReportingSource(double perSecond) {
            super(Flow::order, Long.MAX_VALUE, RateLimiterStrategy.perSecond(perSecond), TypeInformation.of(Order.class));
        }

        @Override
        public SourceReader<Order, NumberSequenceSplit> createReader(SourceReaderContext context) throws Exception {
            context.metricGroup().gauge("pendingRecords", () -> 4_200L);
            context.metricGroup().gauge("currentFetchEventTimeLag", () -> 1_500L);
            return super.createReader(context);
        }

        @Override
        public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
                SplitEnumeratorContext<NumberSequenceSplit> context) {
            context.metricGroup().setUnassignedSplitsGauge(() -> 0L);
            return super.createEnumerator(context);
        }
    }

    /** Remembers the last order of a customer, and forgets it when a timer fires. */
    private static final class Sessions extends KeyedProcessFunction<String, Order, Order> {
        private transient ValueState<Double> session;
        private transient MapState<Long, Double> amounts;

        @Override
        public void open(OpenContext context) {
            session = getRuntimeContext().getState(new ValueStateDescriptor<>("session", Double.class));
            amounts = getRuntimeContext().getMapState(new MapStateDescriptor<>("amounts", Long.class, Double.class));
        }

        @Override
        public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
            if (session.value() == null) {
                context.timerService().registerEventTimeTimer(context.timestamp() + 1_000);
            }
            Double before = amounts.get(order.id % 500);
            amounts.put(order.id % 500, order.amount + (before == null ? 0 : before));
            session.update(order.amount);
            out.collect(order);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Order> out) {
            session.clear();
            amounts.clear();
        }
    }

    /** Discards the orders, with a writer and a committer that tell all that they may tell. */
    private static final class ReportingSink extends DiscardingSink<Order> implements SupportsCommitter<String> {
        @Override
        public CommittingSinkWriter<Order, String> createWriter(WriterInitContext context) {
            context.metricGroup().setCurrentSendTimeGauge(() -> 12L);
            return new CommittingSinkWriter<Order, String>() {
                @Override
                public void write(Order order, Context context) {}

                @Override
                public void flush(boolean endOfInput) {}

                @Override
                public Collection<String> prepareCommit() {
                    return Collections.singleton("written");
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Committer<String> createCommitter(CommitterInitContext context) {
            return new Committer<String>() {
                @Override
                public void commit(Collection<CommitRequest<String>> requests) {}

                @Override
                public void close() {}
            };
        }

        @Override
        public SimpleVersionedSerializer<String> getCommittableSerializer() {
            return new SimpleVersionedSerializer<String>() {
                @Override
                public int getVersion() {
                    return 1;
                }

                @Override
                public byte[] serialize(String text) {
                    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
                }

                @Override
                public String deserialize(int version, byte[] bytes) {
                    return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
                }
            };
        }
    }
}
