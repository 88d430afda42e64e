package com.example.shop;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Sources, steps and sinks of the shop. Each is a vertex of its own unless its name says otherwise. */
final class Flow {
    private static final String PAYLOAD = "x".repeat(1000);

    private Flow() {}

    /** As many orders as the job takes. */
    static SingleOutputStreamOperator<Order> orders(StreamExecutionEnvironment env, String name, int parallelism) {
        return orders(env, name, parallelism, Long.MAX_VALUE, RateLimiterStrategy.noOp(), Flow::order);
    }

    /** {@code perSecond} orders a second over all subtasks; between them the source is idle. */
    static SingleOutputStreamOperator<Order> limitedOrders(
            StreamExecutionEnvironment env, String name, int parallelism, double perSecond) {
        return orders(env, name, parallelism, Long.MAX_VALUE, RateLimiterStrategy.perSecond(perSecond), Flow::order);
    }

    static SingleOutputStreamOperator<Order> orders(
            StreamExecutionEnvironment env,
            String name,
            int parallelism,
            long count,
            RateLimiterStrategy limit,
            GeneratorFunction<Long, Order> generator) {
        DataGeneratorSource<Order> source =
                new DataGeneratorSource<>(generator, count, limit, TypeInformation.of(Order.class));
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), name)
                .uid(name)
                .setParallelism(parallelism)
                .disableChaining();
    }

    /** Orders of a log, one partition for each subtask. */
    static SingleOutputStreamOperator<Order> log(
            StreamExecutionEnvironment env, String name, int parallelism, OrderLog log) {
        return env.fromSource(log, WatermarkStrategy.noWatermarks(), name, TypeInformation.of(Order.class))
                .uid(name)
                .setParallelism(parallelism)
                .disableChaining();
    }

    static Order order(long id) {
        return new Order(id, "customer-" + id % 10_007, id % 500, PAYLOAD);
    }

    /** A map that is a vertex of its own. */
    static SingleOutputStreamOperator<Order> step(DataStream<Order> in, String name, Cost cost, int parallelism) {
        return map(in, name, cost, parallelism).disableChaining();
    }

    /** A map that starts a chain: what follows may join its vertex. */
    static SingleOutputStreamOperator<Order> chainHead(DataStream<Order> in, String name, Cost cost, int parallelism) {
        return map(in, name, cost, parallelism).startNewChain();
    }

    /** A map that joins the vertex before it where Flink allows. */
    static SingleOutputStreamOperator<Order> chained(DataStream<Order> in, String name, Cost cost, int parallelism) {
        return map(in, name, cost, parallelism);
    }

    private static SingleOutputStreamOperator<Order> map(
            DataStream<Order> in, String name, Cost cost, int parallelism) {
        return in.map(
                        order -> {
                            cost.pay(order);
                            return order;
                        })
                .returns(Order.class)
                .name(name)
                .uid(name)
                .setParallelism(parallelism);
    }

    /** A sink that is a vertex of its own. */
    static void sink(DataStream<Order> in, String name, Cost cost, int parallelism) {
        chainedSink(in, name, cost, parallelism).disableChaining();
    }

    /** A sink that joins the vertex before it where Flink allows. */
    static DataStreamSink<Order> chainedSink(DataStream<Order> in, String name, Cost cost, int parallelism) {
        return in.sinkTo(new PayingSink(cost)).name(name).uid(name).setParallelism(parallelism);
    }

    /**
     * Discards each order after paying its cost. It extends a sink of Flink's own because the method that every sink
     * must implement differs between 1.20 and 2.x; this one is called by both.
     */
    private static final class PayingSink extends DiscardingSink<Order> {
        private final Cost cost;

        PayingSink(Cost cost) {
            this.cost = cost;
        }

        @Override
        public SinkWriter<Order> createWriter(WriterInitContext context) {
            return new SinkWriter<Order>() {
                @Override
                public void write(Order order, Context context) {
                    cost.pay(order);
                }

                @Override
                public void flush(boolean endOfInput) {}

                @Override
                public void close() {}
            };
        }
    }
}
