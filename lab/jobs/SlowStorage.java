package com.example.shop;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.CheckpointStorageFactory;
import org.apache.flink.runtime.state.CheckpointStorageLocation;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A calm job whose tasks are done with each checkpoint at once, and whose JobManager then takes {@code
 * slow-storage.ms} to open the file with the checkpoint's metadata; no other checkpoint begins meanwhile.
 */
public final class SlowStorage {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        int p = settings.parallelism(2);
        StreamExecutionEnvironment env =
                settings.environment("execution.checkpointing.storage", Factory.class.getName());
        DataStream<Order> orders = Flow.limitedOrders(env, "orders", p, settings.number("per-second", 100));
        DataStream<Order> summed =
                orders.keyBy(order -> order.customer)
                        .process(new Keyed(Cost.NONE))
                        .name("sum")
                        .uid("sum")
                        .setParallelism(p)
                        .disableChaining();
        Flow.sink(summed, "warehouse", Cost.NONE, p);
        env.execute("slow-storage");
    }

    /** Flink makes it by its name. */
    public static final class Factory implements CheckpointStorageFactory<Storage> {
        private static final ConfigOption<Integer> MILLIS =
                ConfigOptions.key("slow-storage.ms").intType().defaultValue(45_000);

        @Override
        public Storage createFromConfig(ReadableConfig config, ClassLoader classes) {
            return new Storage(config.get(MILLIS));
        }
    }

    /** The JobManager's memory, with a slow way to the metadata. */
    public static final class Storage extends JobManagerCheckpointStorage {
        private final int millis;

        Storage(int millis) {
            this.millis = millis;
        }

        @Override
        public CheckpointStorageAccess createCheckpointStorage(JobID job) throws IOException {
            return changed(
                    CheckpointStorageAccess.class,
                    super.createCheckpointStorage(job),
                    "initializeLocationForCheckpoint",
                    location ->
                            changed(
                                    CheckpointStorageLocation.class,
                                    (CheckpointStorageLocation) location,
                                    "createMetadataOutputStream",
                                    stream -> {
                                        Thread.sleep(millis);
                                        return stream;
                                    }));
        }
    }

    private interface Change {
        Object of(Object answer) throws Exception;
    }

    /** Changes what one method answers. A proxy, as the methods of these interfaces differ between versions. */
    private static <T> T changed(Class<T> type, T real, String method, Change change) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, called, args) -> {
                            try {
                                Object answer = called.invoke(real, args);
                                return called.getName().equals(method) ? change.of(answer) : answer;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
