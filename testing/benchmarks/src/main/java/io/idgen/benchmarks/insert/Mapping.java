package io.idgen.benchmarks.insert;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.Session;

/**
 * A pair of {@link Entities}, with their constructors.
 *
 * @param order the class of an order
 * @param line the class of a line
 * @param newOrder creates an order
 * @param newLine creates a line of an order
 */
record Mapping<O extends OrderFields>(
        Class<O> order, Class<? extends LineFields> line, Supplier<O> newOrder, Function<O, LineFields> newLine) {

    /** The number of lines per order. */
    static final int LINES = 10;

    List<Class<?>> entities() {
        return List.of(order, line);
    }

    /** Creates an order with its lines and persists them, which sets their ids. */
    void persist(Session session) {
        O newest = newOrder.get();
        session.persist(newest);
        for (int i = 0; i < LINES; i++) {
            session.persist(newLine.apply(newest));
        }
    }
}
