package com.example.shop;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Adds up the amounts of each key, and pays for every order; one subtask may pay more. */
final class Keyed extends KeyedProcessFunction<String, Order, Order> {
    private final Cost cost;
    private final Cost costOfFirst;
    private transient ValueState<Double> total;
    private transient Cost own;

    Keyed(Cost cost) {
        this(cost, cost);
    }

    /** The first subtask pays {@code costOfFirst} for each order, the others {@code cost}. */
    Keyed(Cost cost, Cost costOfFirst) {
        this.cost = cost;
        this.costOfFirst = costOfFirst;
    }

    @Override
    public void open(OpenContext context) {
        total = getRuntimeContext().getState(new ValueStateDescriptor<>("total", Double.class));
        own = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0 ? costOfFirst : cost;
    }

    @Override
    public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
        own.pay(order);
        Double before = total.value();
        order.amount += before == null ? 0 : before;
        total.update(order.amount);
        out.collect(order);
    }
}
