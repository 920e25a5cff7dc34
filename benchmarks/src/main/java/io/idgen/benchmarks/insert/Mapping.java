package io.idgen.benchmarks.insert;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.Session;

/**
 * A pair of {@link Entities}, and how to make them.
 *
 * @param order the class of an order
 * @param line the class of a line
 * @param newOrder a new one
 * @param newLine a new one of an order
 */
record Mapping<O extends OrderFields>(
        Class<O> order, Class<? extends LineFields> line, Supplier<O> newOrder, Function<O, LineFields> newLine) {

    /** An order has so many lines. */
    static final int LINES = 10;

    List<Class<?>> entities() {
        return List.of(order, line);
    }

    /** Makes an order with its lines known to the session, which gives them their ids. */
    void persist(Session session) {
        O newest = newOrder.get();
        session.persist(newest);
        for (int i = 0; i < LINES; i++) {
            session.persist(newLine.apply(newest));
        }
    }
}
