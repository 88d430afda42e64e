package com.example.shop;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Remembers every order for ever with the default checkpoint storage (the JobManager's memory, 5 MB a state). Once the
 * state is larger, each checkpoint fails, and as no failure is tolerated by default each failure restarts the job.
 */
public final class GrowingState {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 1_500));
        DataStream<Order> deduplicated =
                orders.keyBy(order -> order.id)
                        .process(new Deduplicate())
                        .name("deduplicate")
                        .uid("deduplicate")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(deduplicated, "warehouse", Cost.NONE, p);
        env.execute("growing-state");
    }

    private static final class Deduplicate extends KeyedProcessFunction<Long, Order, Order> {
        private transient ValueState<Order> seen;

        @Override
        public void open(OpenContext context) {
            seen = getRuntimeContext().getState(new ValueStateDescriptor<>("seen", Order.class));
        }

        @Override
        public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
            if (seen.value() == null) {
                seen.update(order);
                out.collect(order);
            }
        }
    }
}
