package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.migrate.Migration.To;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase({TestDatabase.MARIADB, TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL})
class WideningOnMariaDbTest extends WideningContract {
    @Parameter
    private TestDatabase kind = TestDatabase.MARIADB;

    @Override
    Library library(String type, int books) throws SQLException {
        return Library.with(kind, type, books);
    }

    @Override
    List<String> types() {
        return List.of("INT", "SMALLINT UNSIGNED");
    }

    @Override
    int door() {
        return 5;
    }

    /** Each step reaches a table, parents first. */
    @Override
    int reachesLastChild() {
        return 3;
    }

    /** MariaDB prints a width. */
    @Override
    String withBigint(List<String> structure) {
        return String.join("\n", structure)
                .replaceAll("`(id|sequel_of|book_id)` (small)?int\\(\\d+\\)( unsigned)?", "`$1` bigint(20)")
                .replaceAll("`(id|sequel_of|book_id)` (small)?int( unsigned)?", "`$1` bigint");
    }

    @Override
    String doNotFit() {
        return "book.id has ids that do not fit int";
    }

    @Override
    Stream<String> refused() {
        return Stream.of(
                "CREATE TRIGGER t BEFORE INSERT ON loan FOR EACH ROW SET NEW.book_id = NEW.book_id| trigger t would"
                        + " stay",
                "CREATE TABLE page (book_id INT, FOREIGN KEY (book_id) REFERENCES book (id))| it has no primary key");
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
}
