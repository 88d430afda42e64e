package com.example.shop;

import java.time.Duration;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * Every 25 s all windows end at once and region-totals waits 5 s over their results; the orders of that time queue up
 * and hold parse and the source back until it is over. Between the bursts every operator has room.
 */
public final class WindowBurst {
    private static final int REGIONS = 100;

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        Cost cost = settings.cost(100);
        Duration size = Duration.ofMillis(settings.integer("window-ms", 25_000));
        StreamExecutionEnvironment env = settings.environment();
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 1_000));
        DataStream<Order> parsed = Flow.step(orders, "parse", Cost.NONE, p);
        DataStream<Order> totals =
                parsed.keyBy(order -> order.id % REGIONS)
                        .window(TumblingProcessingTimeWindows.of(size))
                        .reduce(sum(), report(cost))
                        .name("region-totals")
                        .uid("region-totals")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(totals, "archive", Cost.NONE, p);
        env.execute("window-burst");
    }

    private static ReduceFunction<Order> sum() {
        return (total, order) -> new Order(total.id, total.customer, total.amount + order.amount, "");
    }

    private static WindowFunction<Order, Order, Long, TimeWindow> report(Cost cost) {
        return new WindowFunction<Order, Order, Long, TimeWindow>() {
            @Override
            public void apply(Long region, TimeWindow window, Iterable<Order> totals, Collector<Order> out) {
                for (Order total : totals) {
                    cost.pay(total);
                    out.collect(total);
                }
            }
        };
    }
}
