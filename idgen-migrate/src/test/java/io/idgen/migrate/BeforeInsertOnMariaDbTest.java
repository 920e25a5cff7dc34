package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.lease.Finding.Level;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.migrate.Migration.To;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Old instances go on with numbers that are above all new ids, because AUTO_INCREMENT follows the largest id. */
@Tag("databases")
class BeforeInsertOnMariaDbTest {

    private static Database database(TestDatabase kind, String type) throws SQLException {
        Database database = kind.create();
        Sql.execute(
                database.dataSource(),
                "CREATE TABLE book (id " + type + " PRIMARY KEY AUTO_INCREMENT, title VARCHAR(100))");
        Sql.execute(
                database.dataSource(),
                "CREATE TABLE loan (book_id " + type
                        + ", CONSTRAINT loan_book FOREIGN KEY (book_id) REFERENCES book (id))");
        insertByOld(database);
        return database;
    }

    private static void insertByOld(Database database) throws SQLException {
        Sql.execute(database.dataSource(), "INSERT INTO book (title) VALUES ('old')");
    }

    private static void insertByNew(Database database, long id) throws SQLException {
        Sql.execute(database.dataSource(), "INSERT INTO book (id, title) VALUES (" + id + ", 'new')");
    }

    /** Returns an id whose successor is the next id of the generator. */
    private static long firstOfTwo(Snowflake snowflakes) {
        long first = snowflakes.nextId();
        long second = snowflakes.nextId();
        while (second != first + 1) {
            first = second;
            second = snowflakes.nextId();
        }
        return first;
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL})
    void oldAndNewInstancesInsertUntilTheOldOnesHaveEnded(TestDatabase kind) throws Exception {
        long id = firstOfTwo(Snowflake.builder().workerId(1).build());
        try (Database unsafe = database(kind, "BIGINT")) {
            insertByNew(unsafe, id);
            insertByOld(unsafe);
            assertThatThrownBy(() -> insertByNew(unsafe, id + 1))
                    .as("control: the number of an old instance is the next snowflake")
                    .hasMessageContaining("Duplicate entry '" + (id + 1) + "'");
        }
        try (Database database = database(kind, "BIGINT")) {
            Migration migration = Migration.of(database.dataSource(), "book.id", To.BEFORE_INSERT);
            migration.apply(any -> {});
            assertThat(migration.plan())
                    .as("only the number of the step makes it")
                    .noneMatch(Step::done);
            migration.apply(1, any -> {});
            insertByOld(database);
            insertByNew(database, id);
            insertByOld(database);
            insertByNew(database, id + 1);
            assertThat(Sql.number(database.dataSource(), "SELECT count(*) FROM book WHERE id > " + (1L << 62)))
                    .isEqualTo(2);

            migration.apply(3, any -> {});
            assertThatThrownBy(() -> insertByOld(database)).hasMessageContaining("automatic ids have ended");
            assertThat(migration.plan()).allMatch(Step::done);
            migration.back(any -> {});
            insertByOld(database);
            assertThat(Sql.number(database.dataSource(), "SELECT max(id) FROM book"))
                    .isEqualTo((1L << 62) + 3);
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void newIdsBeforeTheFirstStepAreAWarning(TestDatabase kind) throws Exception {
        try (Database database = database(kind, "BIGINT")) {
            insertByNew(database, Snowflake.builder().workerId(1).build().nextId());
            assertThat(Migration.of(database.dataSource(), "book.id", To.BEFORE_INSERT)
                            .check())
                    .anyMatch(each -> each.level() == Level.WARN && each.text().contains("can collide with a new id"));
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aColumnOfTypeIntIsRefusedAndNamesTheForeignKey(TestDatabase kind) throws Exception {
        try (Database database = database(kind, "INT")) {
            Migration migration = Migration.of(database.dataSource(), "book.id", To.BEFORE_INSERT);
            assertThatThrownBy(() -> migration.apply(any -> {}))
                    .hasMessageContaining("book.id is int")
                    .hasMessageContaining("loan.book_id is int");
        }
    }
}
