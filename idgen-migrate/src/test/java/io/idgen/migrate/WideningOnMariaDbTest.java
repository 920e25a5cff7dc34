package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.migrate.Migration.To;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An id of type INT and all foreign keys on it become BIGINT, by copies of the tables. */
@Tag("databases")
@Timeout(120)
@ParameterizedClass
@EachDatabase({TestDatabase.MARIADB, TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL})
class WideningOnMariaDbTest {
    private static final int DOOR = 5;
    private static final String BIG = "382324861541810176";

    @Parameter
    private TestDatabase kind = TestDatabase.MARIADB;

    private Library library(int books) throws SQLException {
        return Library.with(kind, "INT", books);
    }

    private static String withBigint(List<String> structure) {
        return String.join("\n", structure)
                .replaceAll(
                        "`(id|sequel_of|book_id)` int(\\(11\\))?", "`$1` bigint" + (isWide(structure) ? "(20)" : ""));
    }

    /** MariaDB prints a width. */
    private static boolean isWide(List<String> structure) {
        return structure.toString().contains("int(11)");
    }

    private static long inserted(Library library) throws SQLException {
        library.execute("INSERT INTO book (title) VALUES ('next')");
        return library.number("SELECT max(id) FROM book");
    }

    /** The server's own word: none of the ways to change the type is online. */
    @Test
    void theServerRefusesToChangeTheTypeWhileOthersWrite() throws Exception {
        try (Library library = library(5)) {
            for (String algorithm : List.of("INSTANT", "INPLACE, LOCK=NONE", "COPY, LOCK=NONE", "COPY, LOCK=SHARED")) {
                assertThatThrownBy(() -> library.execute(
                                "ALTER TABLE book MODIFY id BIGINT NOT NULL AUTO_INCREMENT, ALGORITHM=" + algorithm))
                        .as(algorithm)
                        .hasMessageMatching("(?s).*(is not supported|foreign key constraint).*");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "SMALLINT UNSIGNED"})
    void allElseStaysAsItWas(String type) throws Exception {
        try (Library library = Library.with(kind, type, 500)) {
            List<String> before = library.structure();
            long last = inserted(library);
            library.execute("DELETE FROM book WHERE id = " + last);

            library.apply(To.BIGINT);
            library.migration(To.BIGINT).apply(DOOR, any -> {});

            if (type.equals("INT")) {
                assertThat(String.join("\n", library.structure())).isEqualTo(withBigint(before));
            }
            assertThat(inserted(library))
                    .as("an id that was deleted does not return")
                    .isGreaterThan(last);
            library.checkReferences();
            assertThat(library.migration(To.BIGINT).plan()).isEmpty();
        }
    }

    @Test
    void aSecondMigrationOfATableWaitsForTheFirst() throws Exception {
        try (Library library = library(20)) {
            library.checkASecondMigrationWaits(3, DOOR - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void everyStepBeforeTheDoorHasAWayBack(int steps) throws Exception {
        try (Library library = library(50)) {
            List<String> before = library.structure();
            for (int step = 1; step <= steps; step++) {
                library.migration(To.BIGINT).apply(step, any -> {});
            }
            library.execute(
                    "INSERT INTO book (title) VALUES ('meanwhile')",
                    "DELETE FROM review WHERE book_id = 2",
                    "DELETE FROM book WHERE id = 2");
            assertThat(library.structure()).isNotEqualTo(before);

            library.migration(To.BIGINT).back(any -> {});

            assertThat(library.structure()).isEqualTo(before);
            assertThat(library.number("SELECT count(*) FROM book WHERE title = 'meanwhile'"))
                    .isEqualTo(1);
            assertThat(library.number("SELECT count(*) FROM loan WHERE book_id = 2"))
                    .isZero();
            library.checkReferences();
        }
    }

    @Test
    void afterTheSwapIdsAboveTheRangeOfIntAreAcceptedAndEndTheWayBack() throws Exception {
        try (Library library = library(20)) {
            library.apply(To.BIGINT);
            library.execute(
                    "INSERT INTO book (id, title) VALUES (" + BIG + ", 'new')",
                    "INSERT INTO loan (book_id) VALUES (" + BIG + ")");

            assertThatThrownBy(() -> library.migration(To.BIGINT).back(any -> {}))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("book.id has ids that do not fit int");
        }
    }

    /** Its foreign key on itself comes last, so that a new row can refer to one that is not copied yet. */
    @Test
    void nullsThatTheServerSetsReachTheCopyBeforeItHasTheForeignKey() throws Exception {
        try (Library library = library(50)) {
            long book = library.number("SELECT min(sequel_of) FROM book");
            library.execute("DELETE FROM review WHERE book_id = " + book);
            library.migration(To.BIGINT).apply(1, progress -> {
                if (progress.text().contains(MySqlTable.FILLED)) {
                    delete(library, book);
                }
            });
            assertThat(library.number("SELECT count(*) FROM book WHERE id = " + book))
                    .isZero();
            assertThat(library.migration(To.BIGINT).verify()).isNotEmpty().allMatch(Comparison::areEqual);
            library.apply(To.BIGINT);
            library.checkReferences();
        }
    }

    private static void delete(Library library, long book) {
        try {
            library.execute("DELETE FROM book WHERE id = " + book);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatTriggersDoNotSeePreventsTheSwap() throws Exception {
        try (Library library = library(50)) {
            for (int step = 1; step <= 3; step++) {
                library.migration(To.BIGINT).apply(step, any -> {});
            }
            library.execute("TRUNCATE review");

            assertThat(library.migration(To.BIGINT).verify()).anyMatch(each -> !each.areEqual());
            assertThatThrownBy(() -> library.apply(To.BIGINT)).hasMessageContaining("review_idgen differs from review");

            library.migration(To.BIGINT).back(any -> {});
            library.apply(To.BIGINT);
            assertThat(library.number("SELECT count(*) FROM review")).isZero();
        }
    }

    @Test
    void aStatementThatFailsLeavesNoTableLocked() throws Exception {
        try (Library library = library(5);
                Connection pooled = library.dataSource().getConnection()) {
            library.execute(
                    "CREATE TABLE other (id INT)",
                    "CREATE TRIGGER book_idgen_u AFTER UPDATE ON other FOR EACH ROW SET @other = 1");
            DataSource pool = Wrapped.dataSource(
                    () -> Wrapped.wrap(Connection.class, pooled, call -> call.is("close") ? null : call.proceed()));

            assertThatThrownBy(() -> Library.migration(pool, To.BIGINT).apply(any -> {}))
                    .hasMessageContaining("already exists");

            assertThat(library.rows("SHOW OPEN TABLES WHERE `Table` = 'book' AND In_use > 0"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t BEFORE INSERT ON loan FOR EACH ROW SET NEW.book_id = NEW.book_id| trigger t would"
                        + " stay",
                "CREATE TABLE page (book_id INT, FOREIGN KEY (book_id) REFERENCES book (id))| it has no primary key"
            })
    void whatCannotBeCopiedIsRefused(String change) throws Exception {
        String[] parts = change.split("\\| ");
        try (Library library = library(5)) {
            library.execute(parts[0]);
            List<String> before = library.structure();
            assertThat(library.migration(To.BIGINT).check())
                    .filteredOn(each -> each.level() == Level.WRONG)
                    .extracting(Finding::text)
                    .anyMatch(each -> each.contains(parts[1]));
            assertThatThrownBy(() -> library.apply(To.BIGINT)).hasMessageContaining(parts[1]);
            assertThat(library.structure()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("matrix")
    void aMigrationAndAWayBackThatAreKilledAtEveryStatementContinue(boolean back) throws Exception {
        try (Library library = library(300)) {
            List<String> before = library.structure();
            if (back) {
                library.apply(To.BIGINT);
            }
            Set<String> statements = new HashSet<>();
            Consumer<Migration> way = back ? each -> each.back(any -> {}) : each -> each.apply(any -> {});
            int writes = 0;
            while (Killing.isKilled(statements, library.dataSource(), To.BIGINT, way)) {
                library.execute("INSERT INTO book (title) VALUES ('meanwhile')");
                writes++;
            }
            assertThat(writes).isEqualTo(statements.size()).isGreaterThan(40);
            if (back) {
                assertThat(library.structure()).isEqualTo(before);
            } else {
                library.migration(To.BIGINT).apply(DOOR, any -> {});
                assertThat(String.join("\n", library.structure())).isEqualTo(withBigint(before));
            }
            assertThat(library.number("SELECT count(*) FROM book")).isEqualTo(300 + writes);
            library.checkReferences();
        }
    }
}
