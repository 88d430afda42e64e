package com.example.shop;

import java.util.Collection;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.contrib.streaming.state.RocksDBOptionsFactory;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;

/**
 * sessionize reads and writes a large state in RocksDB for each order, at random, with hardly a cache and past the
 * cache of the operating system: it waits for the disk. With {@code --read 0} it only writes, faster than RocksDB can
 * compact: then RocksDB slows the writes down and stops them at times.
 */
public final class HammeredState {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env =
                settings.environment(
                        "state.backend.type", "rocksdb",
                        "state.backend.rocksdb.options-factory", NoPageCache.class.getName(),
                        "state.backend.rocksdb.memory.managed", "false",
                        "state.backend.rocksdb.block.cache-size", "1 mb",
                        "state.backend.rocksdb.writebuffer.size", "1 mb",
                        "state.backend.rocksdb.writebuffer.count", "2",
                        "state.backend.rocksdb.thread.num", "1");
        long keys = settings.integer("keys", 500_000);
        DataStream<Order> orders =
                Flow.orders(
                        env,
                        "orders",
                        p,
                        Long.MAX_VALUE,
                        RateLimiterStrategy.noOp(),
                        // A multiplicative hash: neighbours in time are far apart in the key space.
                        id -> new Order((id * 0x9E3779B97F4A7C15L >>> 1) % keys, "customer", id % 500, ""));
        DataStream<Order> sessions =
                orders.keyBy(order -> order.id)
                        .process(new Sessionize(settings.integer("bytes", 2_000), settings.integer("read", 1) > 0))
                        .name("sessionize")
                        .uid("sessionize")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(sessions, "warehouse", Cost.NONE, p);
        env.execute("hammered-state");
    }

    private static final class Sessionize extends KeyedProcessFunction<Long, Order, Order> {
        private final int bytes;
        private final boolean read;
        private transient ValueState<byte[]> session;
        private transient java.util.Random random;

        Sessionize(int bytes, boolean read) {
            this.bytes = bytes;
            this.read = read;
        }

        @Override
        public void open(OpenContext context) {
            session = getRuntimeContext().getState(new ValueStateDescriptor<>("session", byte[].class));
            random = new java.util.Random(7);
        }

        @Override
        public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
            byte[] known = read ? session.value() : null;
            if (known == null) {
                known = new byte[bytes];
                random.nextBytes(known);
            }
            known[(int) (order.id % bytes)]++;
            session.update(known);
            out.collect(order);
        }
    }

    /** Reads and writes past the page cache, so that a machine with much memory has a real disk, too. */
    public static final class NoPageCache implements RocksDBOptionsFactory {
        @Override
        public DBOptions createDBOptions(DBOptions options, Collection<AutoCloseable> toClose) {
            return options.setUseDirectReads(true).setUseDirectIoForFlushAndCompaction(true);
        }

        @Override
        public ColumnFamilyOptions createColumnOptions(ColumnFamilyOptions options, Collection<AutoCloseable> toClose) {
            return options;
        }
    }
}
