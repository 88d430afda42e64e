package com.example.shop;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A basket is no type that Flink knows, so Kryo writes and reads it, field by field. What the operators do with it is
 * next to nothing. price has one subtask and reads what two subtasks of collect write.
 */
public final class Serialization {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        StreamExecutionEnvironment env = settings.environment();
        int lines = settings.integer("lines", 1_000);
        DataStream<Order> orders = Flow.orders(env, "orders", 1);
        DataStream<Basket> baskets =
                orders.rebalance()
                        .map(order -> Basket.of(order, lines))
                        .returns(TypeInformation.of(Basket.class))
                        .name("collect")
                        .uid("collect")
                        .setParallelism(settings.integer("writers", 2))
                        .disableChaining();
        DataStream<Order> priced =
                baskets.rebalance()
                        .map(basket -> basket.order)
                        .returns(Order.class)
                        .name("price")
                        .uid("price")
                        .setParallelism(settings.integer("readers", 1))
                        .disableChaining();
        Flow.sink(priced, "archive", Cost.NONE, 1);
        env.execute("serialization");
    }

    /** Without a public constructor and with a field that is an interface it is a generic type. */
    static final class Basket {
        private static Map<String, BigDecimal> some;

        private final Order order;
        private final Map<String, BigDecimal> lines;

        private Basket(Order order, Map<String, BigDecimal> lines) {
            this.order = order;
            this.lines = lines;
        }

        private Basket() {
            this(null, null);
        }

        static Basket of(Order order, int lines) {
            return new Basket(order, content(lines));
        }

        /** The same content for all, so that making a basket costs nothing. */
        private static synchronized Map<String, BigDecimal> content(int lines) {
            if (some == null) {
                Map<String, BigDecimal> made = new TreeMap<>();
                for (long i = 0; i < lines; i++) {
                    made.put("article-" + i, BigDecimal.valueOf(i * 31, 2));
                }
                some = made;
            }
            return some;
        }
    }
}
