package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Old processes with Hibernate's {@code TABLE} generator insert into the table of new ones. */
class TableGeneratorTest {
    private static final int ROWS = 200;

    @Entity(name = "OldBook")
    @Table(name = "book")
    static class OldBook {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        Long id;
    }

    @Entity(name = "NewBook")
    @Table(name = "book")
    static class NewBook {
        @Id
        @SnowflakeId
        Long id;
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void itsNumbersAndSnowflakesAreInsertedAtOnceAndNoneRepeats(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                SessionFactory old = factory(database, OldBook.class, Map.of("hibernate.hbm2ddl.auto", "update"));
                SessionFactory one = factory(database, NewBook.class, Map.of());
                SessionFactory two = factory(database, NewBook.class, Map.of())) {
            CompletableFuture.allOf(
                            insertingRows(() -> insertOld(old)),
                            insertingRows(() -> insertOld(old)),
                            insertingRows(() -> insertNew(one)),
                            insertingRows(() -> insertNew(two)))
                    .get();

            assertThat(Sql.number(database.dataSource(), "SELECT count(*) FROM book"))
                    .isEqualTo(4 * ROWS);
        }
    }

    /** The control: small numbers above the largest id are those that old processes take next. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aSegmentTakesTheSameNumbersAsOldProcesses(TestDatabase kind) {
        try (Database database = kind.create();
                SessionFactory old = factory(database, OldBook.class, Map.of("hibernate.hbm2ddl.auto", "update"))) {
            insertOld(old);
            try (SessionFactory segments = factory(database, NewBook.class, Map.of("idgen.strategy", "segment"))) {
                insertNew(segments);

                assertThatThrownBy(() -> insertOld(old)).isInstanceOf(ConstraintViolationException.class);
            }
        }
    }

    /** Inserts in a thread of its own. A repeated id fails. */
    private static CompletableFuture<Void> insertingRows(Runnable insert) {
        Runnable rows = () -> {
            for (int row = 0; row < ROWS; row++) {
                insert.run();
            }
        };
        return CompletableFuture.runAsync(rows, task -> new Thread(task, "inserts").start());
    }

    private static SessionFactory factory(Database database, Class<?> entity, Map<String, String> settings) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", database.url())
                .setProperty("idgen.jdbc.initialize-schema", "always");
        settings.forEach(configuration::setProperty);
        return configuration.buildSessionFactory();
    }

    private static void insertOld(SessionFactory factory) {
        OldBook book = new OldBook();
        factory.inTransaction(session -> session.persist(book));
    }

    private static void insertNew(SessionFactory factory) {
        NewBook book = new NewBook();
        factory.inTransaction(session -> session.persist(book));
    }
}
