package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.testing.Sql;
import io.idgen.migrate.Migration.To;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WideningOnPostgreSqlTest extends WideningContract {

    @Override
    Library library(String type, int books) throws SQLException {
        return Library.with(type, books);
    }

    @Override
    List<String> types() {
        return List.of(Library.IDENTITY, "INT GENERATED ALWAYS AS IDENTITY", "SERIAL");
    }

    @Override
    int door() {
        return 7;
    }

    /** The first step adds columns to all tables. */
    @Override
    int reachesLastChild() {
        return 1;
    }

    @Override
    String withBigint(List<String> structure) {
        return structure.stream()
                .map(each -> each.replaceAll(
                        "^(book \\| id|book \\| sequel_of|loan \\| book_id|review \\| book_id) \\| integer",
                        "$1 | bigint"))
                .map(each -> each.replaceAll(
                        "^(book_id_seq) \\| integer \\| 1 \\| 2147483647", "$1 | bigint | 1 | 9223372036854775807"))
                .collect(Collectors.joining("\n"));
    }

    @Override
    String doNotFit() {
        return "public.book.id has ids that do not fit integer";
    }

    @Override
    Stream<String> refused() {
        return Stream.of(
                "CREATE VIEW titles AS SELECT id, title FROM book| view public.titles",
                "ALTER TABLE book ADD CHECK (id > 0)| constraint book_id_check",
                "CREATE TRIGGER t BEFORE UPDATE OF id ON book FOR EACH ROW EXECUTE FUNCTION"
                        + " suppress_redundant_updates_trigger()| trigger t on table",
                "ALTER TABLE book ADD twice INT GENERATED ALWAYS AS (id * 2) STORED| column twice of table",
                "CREATE TABLE audiobook (minutes INT) INHERITS (book)| partitioned",
                "ALTER TABLE book ALTER COLUMN id SET MAXVALUE 1000| a MINVALUE, MAXVALUE or CYCLE of its own",
                "GRANT SELECT (id) ON book TO PUBLIC| privileges of its own",
                "ALTER TABLE book REPLICA IDENTITY USING INDEX book_pkey| replica identity");
    }

    @Test
    void idsThatTheOldTypeCannotHaveAreCountedApart() throws Exception {
        try (Library library = library(20)) {
            library.apply(To.BIGINT);
            library.execute("INSERT INTO book (id, title) VALUES (" + BIG + ", 'new')");
            assertThat(library.migration(To.BIGINT).verify())
                    .allMatch(Comparison::areEqual)
                    .anyMatch(each -> each.beyond() == 1);
        }
    }

    @Test
    void withoutTheTriggerRowsDifferAndVerifySaysSo() throws Exception {
        try (Library library = library(300)) {
            library.migration(To.BIGINT).apply(1, any -> {});
            library.migration(To.BIGINT).apply(2, any -> {});
            assertThat(library.migration(To.BIGINT).verify()).allMatch(Comparison::areEqual);

            library.execute(
                    "ALTER TABLE loan DISABLE TRIGGER zzz_idgen",
                    "INSERT INTO loan (book_id) VALUES (150)",
                    "UPDATE loan SET book_id = 3 WHERE id = 1");

            List<Comparison> wrong = library.migration(To.BIGINT).verify().stream()
                    .filter(each -> !each.areEqual())
                    .toList();
            assertThat(wrong).hasSize(2).allMatch(each -> each.column().equals("public.loan.book_id"));
            assertThat(wrong).extracting(Comparison::differing).containsExactly(1L, 1L);
            assertThat(wrong).allMatch(each -> each.checksum() != each.otherChecksum());
            library.migration(To.BIGINT).back(any -> {});
        }
    }

    @Test
    void rowsThatWereWrittenWithoutTheTriggerPreventTheSwapUntilTheyAreFilled() throws Exception {
        try (Library library = library(20)) {
            for (int step = 1; step <= 5; step++) {
                library.migration(To.BIGINT).apply(step, any -> {});
            }
            library.execute(
                    "ALTER TABLE book DISABLE TRIGGER zzz_idgen",
                    "UPDATE book SET sequel_of = 1 WHERE id = 7",
                    "ALTER TABLE book ENABLE ALWAYS TRIGGER zzz_idgen");

            assertThatThrownBy(() -> library.apply(To.BIGINT))
                    .hasMessageContaining("sequel_of_idgen of public.book differs from sequel_of");

            library.execute("COMMENT ON COLUMN book.sequel_of_idgen IS NULL");
            library.apply(To.BIGINT);
            assertThat(library.number("SELECT sequel_of FROM book WHERE id = 7"))
                    .isEqualTo(1);
        }
    }

    @Test
    void partitionedTablesAreRefused() throws Exception {
        try (Library library = library(5)) {
            library.execute("CREATE TABLE page (id INT PRIMARY KEY) PARTITION BY RANGE (id)");
            assertThat(Finding.worst(Migration.of(library.dataSource(), "page.id", To.BIGINT)
                            .check()))
                    .isEqualTo(Level.WRONG);
        }
    }

    @Test
    void aLongTransactionDoesNotBlockOthersBehindTheMigration() throws Exception {
        try (Library library = library(50);
                Connection reader = library.dataSource().getConnection()) {
            reader.setAutoCommit(false);
            Sql.rows(reader, "SELECT count(*) FROM book");
            List<Duration> pauses = new ArrayList<>();
            Migration migration = library.migration(To.BIGINT)
                    .with(new Runner.Options(Duration.ofMillis(20), 100, 200, Duration.ZERO, pause -> {
                        if (pause.isZero()) {
                            return;
                        }
                        pauses.add(pause);
                        try { // others get their locks between two attempts
                            library.execute("INSERT INTO book (title) VALUES ('meanwhile')");
                            if (pauses.size() == 4) {
                                reader.commit();
                            }
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }));

            migration.apply(1, any -> {});

            assertThat(pauses).hasSize(4);
            assertThat(library.number("SELECT count(*) FROM book WHERE title = 'meanwhile'"))
                    .isEqualTo(4);
        }
    }

    @Test
    void thePlanNamesLocksWaysBackAndTheDoor() throws Exception {
        try (Library library = library(5)) {
            List<Step> plan = library.migration(To.BIGINT).plan();
            assertThat(plan).extracting(Step::number).containsExactly(1, 2, 3, 4, 5, 6, 7);
            assertThat(plan).filteredOn(Step::oneWay).extracting(Step::number).containsExactly(7);
            assertThat(plan)
                    .noneMatch(Step::done)
                    .allMatch(each -> !each.locks().isEmpty());
            assertThat(plan.get(5).applications()).contains("autosave=conservative");
            assertThat(plan.get(5).sql()).contains("ALTER TABLE public.book RENAME COLUMN id_idgen TO id");

            assertThatThrownBy(() -> library.migration(To.BIGINT).apply(3, any -> {}))
                    .hasMessage("step 1 is not done yet; make it before step 3");
            assertThatThrownBy(() -> library.migration(To.BIGINT).apply(8, any -> {}))
                    .hasMessageContaining("there is no step 8");
            assertThatThrownBy(() -> Migration.of(library.dataSource(), "book.isbn", To.BIGINT)
                            .plan())
                    .hasMessageContaining("no column isbn");
            assertThatThrownBy(() -> Migration.of(library.dataSource(), "books.id", To.BIGINT)
                            .plan())
                    .hasMessageContaining("there is no table books");
            assertThatThrownBy(() -> Migration.of(library.dataSource(), "book.title", To.BIGINT)
                            .plan())
                    .hasMessageContaining("only smallint and integer can become bigint");
        }
    }
}
