package com.example.shop;

import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/** Orders that come faster than the source reads them: what it has not read yet is its lag, as with a log. */
final class Backlog implements GeneratorFunction<Long, Order> {
    private final Cost cost;
    private final double offeredPerSecond;
    private transient volatile long read;

    /** {@code offeredPerSecond} is for each subtask. */
    Backlog(Cost cost, double offeredPerSecond) {
        this.cost = cost;
        this.offeredPerSecond = offeredPerSecond;
    }

    @Override
    public void open(SourceReaderContext context) {
        long began = System.nanoTime();
        context.metricGroup()
                .setPendingRecordsGauge(
                        () -> Math.max(0, (long) ((System.nanoTime() - began) * 1e-9 * offeredPerSecond) - read));
    }

    @Override
    public Order map(Long id) {
        Order order = Flow.order(id);
        cost.pay(order);
        read++;
        return order;
    }
}
