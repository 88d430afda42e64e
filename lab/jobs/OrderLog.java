package com.example.shop;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A log of orders with one partition for each subtask of the source, which reports as pendingRecords what it has not
 * read yet, as Kafka's source does. It is made up: partitions fill by the clock.
 */
final class OrderLog implements Source<Order, OrderLog.Partition, Integer> {
    private final double backlog;
    private final double[] perSecond;
    private final Fetch fetch;

    /**
     * Each partition holds {@code backlog} orders at the start; {@code perSecond} orders a second come to each, the
     * last figure standing for all further partitions.
     */
    OrderLog(double backlog, Fetch fetch, double... perSecond) {
        this.backlog = backlog;
        this.perSecond = perSecond;
        this.fetch = fetch;
    }

    /**
     * How a reader gets orders: up to {@code records} at once, each time after {@code millis} on average; a fetch takes
     * up to four fifths less or more, as no broker answers after the same time always.
     */
    static final class Fetch implements Serializable {
        static final Fetch AT_ONCE = new Fetch(1_000, 0);

        private final int records;
        private final int millis;

        Fetch(int records, int millis) {
            this.records = records;
            this.millis = millis;
        }
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Order, Partition> createReader(SourceReaderContext context) {
        int subtask = context.getIndexOfSubtask();
        return new Reader(context, backlog, perSecond[Math.min(subtask, perSecond.length - 1)], fetch);
    }

    @Override
    public SplitEnumerator<Partition, Integer> createEnumerator(SplitEnumeratorContext<Partition> context) {
        return new Enumerator(context);
    }

    @Override
    public SplitEnumerator<Partition, Integer> restoreEnumerator(
            SplitEnumeratorContext<Partition> context, Integer checkpoint) {
        return new Enumerator(context);
    }

    @Override
    public SimpleVersionedSerializer<Partition> getSplitSerializer() {
        return new OneNumber<>() {
            @Override
            long number(Partition partition) {
                return partition.next;
            }

            @Override
            Partition of(long number) {
                return new Partition(number);
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() {
        return new OneNumber<>() {
            @Override
            long number(Integer nothing) {
                return nothing;
            }

            @Override
            Integer of(long number) {
                return (int) number;
            }
        };
    }

    /** The partition of the reader that holds it, read up to {@code next}. */
    static final class Partition implements SourceSplit {
        private final long next;

        Partition(long next) {
            this.next = next;
        }

        @Override
        public String splitId() {
            return "partition";
        }
    }

    /** Gives each reader the partition of its own number. */
    private static final class Enumerator implements SplitEnumerator<Partition, Integer> {
        private final SplitEnumeratorContext<Partition> context;

        Enumerator(SplitEnumeratorContext<Partition> context) {
            this.context = context;
        }

        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, String host) {
            context.assignSplit(new Partition(0), subtask);
        }

        @Override
        public void addSplitsBack(List<Partition> splits, int subtask) {
            for (Partition split : splits) {
                context.assignSplit(split, subtask);
            }
        }

        @Override
        public void addReader(int subtask) {}

        @Override
        public Integer snapshotState(long checkpoint) {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class Reader implements SourceReader<Order, Partition> {
        private static final int POLL_MILLIS = 20;

        private final SourceReaderContext context;
        private final double backlog;
        private final double perSecond;
        private final Fetch fetch;
        private final Deque<Order> fetched = new ArrayDeque<>();
        private final Random random;
        private volatile long next;
        private volatile long began;
        private CompletableFuture<Void> available = CompletableFuture.completedFuture(null);

        Reader(SourceReaderContext context, double backlog, double perSecond, Fetch fetch) {
            this.context = context;
            this.backlog = backlog;
            this.perSecond = perSecond;
            this.fetch = fetch;
            this.random = new Random(context.getIndexOfSubtask());
        }

        @Override
        public void start() {
            context.metricGroup().setPendingRecordsGauge(this::pending);
            context.sendSplitRequest();
        }

        private long pending() {
            return began == 0 ? 0 : Math.max(0, end() - next);
        }

        private long end() {
            return (long) (backlog + perSecond * 1e-9 * (System.nanoTime() - began));
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Order> output) {
            if (began == 0) { // no partition yet
                return InputStatus.NOTHING_AVAILABLE;
            }
            if (fetched.isEmpty() && !fetchMore()) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            output.collect(fetched.poll());
            next++;
            return fetched.isEmpty() ? InputStatus.NOTHING_AVAILABLE : InputStatus.MORE_AVAILABLE;
        }

        /** Takes over what the last fetch brought and asks for more; false while that is under way. */
        private boolean fetchMore() {
            long count = Math.min(fetch.records, pending());
            for (long id = next; id < next + count; id++) {
                fetched.add(Flow.order(id));
            }
            int fetching = (int) (fetch.millis * (0.2 + 1.6 * random.nextDouble()));
            int wait = Math.max(fetching, count == 0 ? POLL_MILLIS : 0);
            if (wait > 0) {
                available =
                        CompletableFuture.runAsync(
                                () -> {}, CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS));
            }
            return count > 0;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return fetched.isEmpty() ? available : CompletableFuture.completedFuture(null);
        }

        @Override
        public void addSplits(List<Partition> splits) {
            for (Partition split : splits) {
                next = split.next;
                began = System.nanoTime();
            }
        }

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public List<Partition> snapshotState(long checkpoint) {
            return began == 0 ? new ArrayList<>() : Collections.singletonList(new Partition(next));
        }

        @Override
        public void close() {}
    }

    /** Writes a thing that is one number. */
    private abstract static class OneNumber<T> implements SimpleVersionedSerializer<T> {
        abstract long number(T thing);

        abstract T of(long number);

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T thing) {
            return Long.toString(number(thing)).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public T deserialize(int version, byte[] serialized) {
            return of(Long.parseLong(new String(serialized, StandardCharsets.UTF_8)));
        }
    }
}
