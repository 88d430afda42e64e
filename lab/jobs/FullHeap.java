package com.example.shop;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * enrich keeps a cache of customers that nearly fills the heap and replaces entries of it with every order: the
 * collector runs again and again over a heap that is full of living objects, for most of the time; between its
 * runs each order costs some computing.
 */
public final class FullHeap {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(1);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.orders(env, "orders", p);
        DataStream<Order> enriched =
                orders.map(
                                new Enrich(
                                        Cost.hashing(settings.integer("hash-rounds", 500)),
                                        settings.integer("free-mib", 80),
                                        settings.integer("replaced", 100)))
                        .name("enrich")
                        .uid("enrich")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(enriched.rebalance(), "archive", Cost.NONE, p);
        env.execute("full-heap");
    }

    private static final class Enrich extends RichMapFunction<Order, Order> {
        private static final int ENTRY_BYTES = 1_000;
        private static final int MIB = 1 << 20;

        private final Cost cost;
        private final int freeMib;
        private final int replaced;
        private transient byte[][] cache;
        private transient long at;

        Enrich(Cost cost, int freeMib, int replaced) {
            this.cost = cost;
            this.freeMib = freeMib;
            this.replaced = replaced;
        }

        /** Takes what the heap has but {@code freeMib}. */
        @Override
        public void open(OpenContext context) {
            System.gc();
            Runtime jvm = Runtime.getRuntime();
            long free = jvm.maxMemory() - (jvm.totalMemory() - jvm.freeMemory()) - (long) freeMib * MIB;
            cache = new byte[(int) (free / (ENTRY_BYTES + 24))][];
            for (int i = 0; i < cache.length; i++) {
                cache[i] = new byte[ENTRY_BYTES];
            }
        }

        @Override
        public Order map(Order order) {
            cost.pay(order);
            for (int i = 0; i < replaced; i++) {
                at += 7_919; // far apart, so that every region of the heap gets holes
                byte[] customer = new byte[ENTRY_BYTES];
                customer[0] = cache[(int) (at % cache.length)][0];
                cache[(int) (at % cache.length)] = customer;
            }
            return order;
        }
    }
}
