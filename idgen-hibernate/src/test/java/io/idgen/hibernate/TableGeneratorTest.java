package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Map;
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
            Together.assertDistinct(Together.run(4, thread -> {
                long[] ids = new long[ROWS];
                for (int row = 0; row < ROWS; row++) {
                    ids[row] = thread < 2 ? insertOld(old) : insertNew(thread == 2 ? one : two);
                }
                return ids;
            }));

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

    private static SessionFactory factory(Database database, Class<?> entity, Map<String, String> settings) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", database.url())
                .setProperty("idgen.jdbc.initialize-schema", "always");
        settings.forEach(configuration::setProperty);
        return configuration.buildSessionFactory();
    }

    private static long insertOld(SessionFactory factory) {
        OldBook book = new OldBook();
        factory.inTransaction(session -> session.persist(book));
        return book.id;
    }

    private static long insertNew(SessionFactory factory) {
        NewBook book = new NewBook();
        factory.inTransaction(session -> session.persist(book));
        return book.id;
    }
}
