package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the optimizers that read ahead with Hibernate. {@link OldGeneratorsTest} runs them beside Hibernate's own. */
@Tag("versions")
class ReadAheadTest {
    static final String PREFERRED = "hibernate.id.optimizer.pooled.preferred";

    /** An entity with ids from a sequence by the default of the JPA, blocks of 50. */
    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "ticket")
        @SequenceGenerator(name = "ticket", sequenceName = "ticket_seq")
        Long id;
    }

    /** An entity with ids from Hibernate's table of sequences. */
    @Entity(name = "Coupon")
    static class Coupon {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "coupon")
        @TableGenerator(
                name = "coupon",
                table = "counters",
                pkColumnName = "counter",
                valueColumnName = "value_of_counter",
                pkColumnValue = "coupon",
                allocationSize = 50)
        Integer id;
    }

    @AutoClose
    private final Database database = Run.createSharedDatabase();

    private Unit.Builder stock() {
        return Unit.of(Ticket.class, Coupon.class).url(database.url());
    }

    private Unit.Builder readingAhead() {
        return stock().set(PREFERRED, ReadAheadOptimizer.class.getName());
    }

    private static List<Long> persist(Unit unit, int count) {
        List<Long> ids = new ArrayList<>();
        unit.inTransaction(session -> {
            for (int i = 0; i < count; i++) {
                Ticket ticket = new Ticket();
                session.persist(ticket);
                ids.add(ticket.id);
            }
        });
        return ids;
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void theIdsAreThoseOfHibernateFromTheFirstOn() {
        try (Unit unit = readingAhead().boot()) {
            assertThat(persist(unit, 120)).isEqualTo(range(1, 120));
        }
    }

    @Test
    void idsOfHibernatesTableAreReadAheadAsWell() {
        try (Unit unit = readingAhead().boot()) {
            List<Integer> ids = new ArrayList<>();
            unit.inTransaction(session -> {
                for (int i = 0; i < 120; i++) {
                    Coupon coupon = new Coupon();
                    session.persist(coupon);
                    ids.add(coupon.id);
                }
            });

            assertThat(ids).isSorted().doesNotHaveDuplicates().hasSize(120);
        }
    }

    @Test
    void theWayBackIsTheProperty() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (Unit unit = readingAhead().boot()) {
                ids.addAll(persist(unit, 130));
            }
            try (Unit unit = stock().boot()) {
                ids.addAll(persist(unit, 130));
            }
        }

        assertThat(ids).isSorted().doesNotHaveDuplicates().hasSize(520);
    }

    @Test
    void aSequenceWithAnotherIncrementIsRefusedAtBootAsByHibernate() throws SQLException {
        if (!Run.hasSequences()) {
            return;
        }
        Sql.execute(database.dataSource(), "CREATE SEQUENCE ticket_seq START WITH 1000 INCREMENT BY 1");
        assertThatThrownBy(() -> stock().boot()).hasStackTraceContaining("increment size");

        assertThatThrownBy(() -> readingAhead().boot())
                .hasStackTraceContaining("IDGEN-408")
                .hasStackTraceContaining("sequence ticket_seq has increment 1, and the mapping has allocationSize = 50")
                .hasStackTraceContaining("set allocationSize = 1");
    }

    @Test
    void withoutThatCheckTheSecondValueIsRefused() throws SQLException {
        if (!Run.hasSequences()) {
            return;
        }
        Sql.execute(database.dataSource(), "CREATE SEQUENCE ticket_seq START WITH 1000 INCREMENT BY 1");
        try (Unit unit = readingAhead()
                .set("hibernate.id.sequence.increment_size_mismatch_strategy", "none")
                .boot()) {
            assertThatThrownBy(() -> persist(unit, 51)).hasStackTraceContaining("IDGEN-408");
        }
    }

    /** The fetch runs in the caller's transaction, which PostgreSQL aborts after an error. So this caller fails. */
    @Test
    void aFailedFetchAheadFailsOnlyTheTransactionThatFetchesAndLosesNoRow() throws SQLException {
        try (Unit unit = readingAhead().boot();
                LogRecords log = new LogRecords()) {
            List<Long> ids = new ArrayList<>(persist(unit, 50)); // the first 50 of 101 that are fetched
            Sql.execute(database.dataSource(), hide(true));
            assertThatThrownBy(() -> persist(unit, 10)).isInstanceOf(RuntimeException.class);
            ids.addAll(persist(unit, 10));
            assertThat(log.with("IDGEN-401")).hasSize(1);
            assertThatThrownBy(() -> persist(unit, 50)).isInstanceOf(RuntimeException.class);

            Sql.execute(database.dataSource(), hide(false));
            ids.addAll(persist(unit, 50));
            assertThat(ids).isSorted().doesNotHaveDuplicates();
            assertThat(unit.count("Ticket")).isEqualTo(ids.size());
        }
    }

    /** Returns the statement that makes the sequence fail, or work again. */
    private static String hide(boolean isHidden) {
        if (!Run.hasSequences()) {
            return isHidden ? "RENAME TABLE ticket_seq TO hidden_seq" : "RENAME TABLE hidden_seq TO ticket_seq";
        }
        return isHidden ? "DROP SEQUENCE ticket_seq" : "CREATE SEQUENCE ticket_seq START WITH 1001 INCREMENT BY 50";
    }
}
