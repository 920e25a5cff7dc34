package io.idgen.benchmarks.insert;

import io.idgen.cli.measure.DuplicateCheck;
import io.idgen.cli.measure.MeasuringThreads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Checks ids of orders for duplicates. Eight threads of two session factories over one database generate them with
 * {@code persist()}.
 */
final class Uniqueness {
    private static final int THREADS_EACH = 4;
    private static final int PER_SESSION = 100;
    private static final Duration LIMIT = Duration.ofHours(1);

    private Uniqueness() {}

    /** Generates ids and returns the number of duplicates. */
    static long duplicates(Unit unit, int ids) throws SQLException {
        List<SessionFactory> factories = List.of(unit.factory(), unit.another());
        long[][] generated =
                new long[factories.size() * THREADS_EACH][Math.max(1, ids / (factories.size() * THREADS_EACH))];
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < generated.length; i++) {
            SessionFactory factory = factories.get(i % factories.size());
            long[] each = generated[i];
            work.add(() -> generate(factory, unit.contender().mapping(), each));
        }
        try (MeasuringThreads threads = new MeasuringThreads(work)) {
            threads.await(LIMIT);
            threads.join();
        } catch (RuntimeException e) {
            throw new IllegalStateException(unit.contender().label() + " generated no id", e);
        }
        DuplicateCheck check = new DuplicateCheck(1);
        Arrays.stream(generated).forEach(check::add);
        return check.check().count();
    }

    /** Inserts nothing: the sessions discard the entities. */
    private static void generate(SessionFactory factory, Mapping<?> mapping, long[] ids) {
        for (int i = 0; i < ids.length; ) {
            try (Session session = factory.openSession()) {
                for (int k = 0; k < PER_SESSION && i < ids.length; k++) {
                    OrderFields order = mapping.newOrder().get();
                    session.persist(order);
                    ids[i++] = (Long) order.id();
                }
            }
        }
    }
}
