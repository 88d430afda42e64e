package com.example.shop;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Value;
import org.apache.flink.util.Collector;

/**
 * A calm job whose checkpoints are slow at profile. With {@code --sync-ms} it blocks that long in its snapshot, as one
 * does that flushes to a slow system. With {@code --write-us} each entry of its state takes that long to be written, in
 * the asynchronous part, which takes {@code --keys} times as long, or ever longer while new keys come. With {@code
 * --first-ms} the entry of the first key alone takes that long. With {@code --broken 1} no entry can be written.
 */
public final class SlowSnapshot {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        long keys = settings.integer("keys", 100);
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 100));
        DataStream<Order> profiled =
                orders.keyBy(order -> order.id % keys)
                        .process(
                                new Profile(
                                        keys,
                                        settings.integer("sync-ms", 0),
                                        settings.integer("write-us", 0),
                                        settings.integer("first-ms", 0) * 1_000L,
                                        settings.integer("broken", 0) > 0))
                        .name("profile")
                        .uid("profile")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(profiled, "warehouse", Cost.NONE, p);
        env.execute("slow-snapshot");
    }

    private static final class Profile extends KeyedProcessFunction<Long, Order, Order>
            implements CheckpointedFunction {
        private final long keys;
        private final int syncMillis;
        private final long writeMicros;
        private final long firstMicros;
        private final boolean broken;
        private transient ValueState<Entry> seen;

        Profile(long keys, int syncMillis, long writeMicros, long firstMicros, boolean broken) {
            this.keys = keys;
            this.syncMillis = syncMillis;
            this.writeMicros = writeMicros;
            this.firstMicros = firstMicros;
            this.broken = broken;
        }

        @Override
        public void open(OpenContext context) {
            seen = getRuntimeContext().getState(new ValueStateDescriptor<>("seen", Entry.class));
        }

        @Override
        public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
            seen.update(new Entry(order.id, firstMicros > 0 && order.id % keys == 0 ? firstMicros : writeMicros, broken));
            out.collect(order);
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            Thread.sleep(syncMillis);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {}
    }

    /** An entry of the state that takes its time to be written. */
    public static final class Entry implements Value {
        private long id;
        private long writeMicros;
        private boolean broken;

        public Entry() {}

        Entry(long id, long writeMicros, boolean broken) {
            this.id = id;
            this.writeMicros = writeMicros;
            this.broken = broken;
        }

        @Override
        public void write(DataOutputView out) throws IOException {
            if (broken) {
                throw new IOException("the profile has a field that cannot be written");
            }
            if (writeMicros > 0) {
                LockSupport.parkNanos(writeMicros * 1_000L);
            }
            out.writeLong(id);
            out.writeLong(writeMicros);
            out.writeBoolean(broken);
        }

        @Override
        public void read(DataInputView in) throws IOException {
            id = in.readLong();
            writeMicros = in.readLong();
            broken = in.readBoolean();
        }
    }
}
