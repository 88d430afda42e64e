package com.example.shop;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The {@code --name value} arguments of a job. A name with a dot in it is a Flink option of the job. ParameterTool is
 * not used: its package differs between 1.x and 2.x.
 */
final class Settings {
    private final Map<String, String> values = new HashMap<>();

    Settings(String[] args) {
        for (int i = 0; i + 1 < args.length; i += 2) {
            values.put(args[i].substring(2), args[i + 1]);
        }
    }

    int parallelism(int otherwise) {
        return integer("parallelism", otherwise);
    }

    int integer(String name, int otherwise) {
        return values.containsKey(name) ? Integer.parseInt(values.get(name)) : otherwise;
    }

    double number(String name, double otherwise) {
        return values.containsKey(name) ? Double.parseDouble(values.get(name)) : otherwise;
    }

    /** Waiting by default; {@code --hash-rounds N} makes the operator compute instead. */
    Cost cost(double waitMillis) {
        int rounds = integer("hash-rounds", 0);
        return rounds > 0 ? Cost.hashing(rounds) : Cost.waiting(number("wait-ms", waitMillis));
    }

    /** An environment with checkpoints every {@code --checkpoint-ms} (0 = off) and the given Flink options. */
    StreamExecutionEnvironment environment(String... options) {
        Configuration configuration = new Configuration();
        for (int i = 0; i + 1 < options.length; i += 2) {
            configuration.setString(options[i], options[i + 1]);
        }
        values.forEach(
                (name, value) -> {
                    if (name.indexOf('.') > 0) {
                        configuration.setString(name, value);
                    }
                });
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        int interval = integer("checkpoint-ms", 10_000);
        if (interval > 0) {
            env.enableCheckpointing(interval);
        }
        return env;
    }
}
