package io.idgen.benchmarks.insert;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Checks ids of orders for duplicates. Eight threads of two session factories over one database generate them with
 * {@code persist()}.
 */
final class Uniqueness {
    private static final int THREADS_EACH = 4;
    private static final int PER_SESSION = 100;

    private Uniqueness() {}

    /** Generates ids and returns the number of duplicates. */
    static long duplicates(Unit unit, int ids) throws SQLException {
        List<SessionFactory> factories = List.of(unit.factory(), unit.another());
        int each = Math.max(1, ids / (factories.size() * THREADS_EACH));
        ExecutorService threads = Executors.newFixedThreadPool(factories.size() * THREADS_EACH);
        try {
            List<Future<long[]>> drawing = new ArrayList<>();
            for (SessionFactory factory : factories) {
                for (int i = 0; i < THREADS_EACH; i++) {
                    drawing.add(
                            threads.submit(() -> draw(factory, unit.contender().mapping(), each)));
                }
            }
            long[] all = new long[0];
            for (Future<long[]> drawn : drawing) {
                long[] some = drawn.get();
                all = Arrays.copyOf(all, all.length + some.length);
                System.arraycopy(some, 0, all, all.length - some.length, some.length);
            }
            return all.length - Arrays.stream(all).distinct().count();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it draws ids", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(unit.contender().label() + " generated no id", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Inserts nothing: the sessions discard the entities. */
    private static long[] draw(SessionFactory factory, Mapping<?> mapping, int count) {
        long[] ids = new long[count];
        for (int i = 0; i < count; ) {
            try (Session session = factory.openSession()) {
                for (int k = 0; k < PER_SESSION && i < count; k++) {
                    OrderFields order = mapping.newOrder().get();
                    session.persist(order);
                    ids[i++] = (Long) order.id();
                }
            }
        }
        return ids;
    }
}
