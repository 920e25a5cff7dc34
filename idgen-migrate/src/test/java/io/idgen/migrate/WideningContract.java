package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.Migration.To;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An id of type INT and all foreign keys on it become BIGINT. */
@Tag("databases")
@Timeout(300)
abstract class WideningContract {
    static final String BIG = "382324861541810176";

    /** Creates tables whose ids are automatic numbers. */
    abstract Library library(String type, int books) throws SQLException;

    /** The types of an automatic number; the first one stays in the other columns as it is in {@link #withBigint}. */
    abstract List<String> types();

    /** The number of the step that nothing leads back from. */
    abstract int door();

    /** The first step after which a second migration of the last child is refused. */
    abstract int reachesLastChild();

    /** The structure of the tables after a migration. */
    abstract String withBigint(List<String> structure);

    /** A message that ends the way back. */
    abstract String doNotFit();

    /** Changes that the migration refuses, each with a part of the reason. */
    abstract Stream<String> refused();

    Library library(int books) throws SQLException {
        return library(types().get(0), books);
    }

    private static long inserted(Library library) throws SQLException {
        library.execute("INSERT INTO book (title) VALUES ('next')");
        return library.number("SELECT max(id) FROM book");
    }

    @Test
    void allElseStaysAsItWas() throws Exception {
        for (String type : types()) {
            try (Library library = library(type, 500)) {
                List<String> before = library.structure();
                long last = inserted(library);
                library.execute("DELETE FROM book WHERE id = " + last);

                library.apply(To.BIGINT);
                library.migration(To.BIGINT).apply(door(), any -> {});

                assertThat(String.join("\n", library.structure())).as(type).isEqualTo(withBigint(before));
                assertThat(inserted(library))
                        .as("an id that was deleted does not return")
                        .isEqualTo(last + 1);
                library.checkReferences();
                assertThat(library.migration(To.BIGINT).plan()).isEmpty();
            }
        }
    }

    @Test
    void aSecondMigrationOfATableWaitsForTheFirst() throws Exception {
        try (Library library = library(20)) {
            library.checkASecondMigrationWaits(reachesLastChild(), door() - 1);
        }
    }

    @Test
    @Tag("matrix")
    void everyStepBeforeTheDoorHasAWayBack() throws Exception {
        for (int steps = 1; steps < door(); steps++) {
            try (Library library = library(50)) {
                List<String> before = library.structure();
                for (int step = 1; step <= steps; step++) {
                    library.migration(To.BIGINT).apply(step, any -> {});
                }
                library.execute(
                        "INSERT INTO book (title) VALUES ('meanwhile')",
                        "DELETE FROM review WHERE book_id = 2",
                        "DELETE FROM book WHERE id = 2");
                long meanwhile = library.number("SELECT max(id) FROM book");
                assertThat(library.structure()).as("after step " + steps).isNotEqualTo(before);

                library.migration(To.BIGINT).back(any -> {});

                assertThat(library.structure()).as("back from step " + steps).isEqualTo(before);
                assertThat(library.number("SELECT count(*) FROM book WHERE title = 'meanwhile'"))
                        .isEqualTo(1);
                assertThat(library.number("SELECT count(*) FROM loan WHERE book_id = 2"))
                        .isZero();
                assertThat(inserted(library)).isEqualTo(meanwhile + 1);
                library.checkReferences();
            }
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
                    .hasMessageContaining(doNotFit());

            library.execute("DELETE FROM loan WHERE book_id = " + BIG, "DELETE FROM book WHERE id = " + BIG);
            library.migration(To.BIGINT).back(any -> {});
            assertThat(library.migration(To.BIGINT).plan()).hasSize(door()).noneMatch(Step::done);
        }
    }

    @Test
    void whatWouldBeLostIsRefusedWithItsName() throws Exception {
        for (String each : refused().toList()) {
            String[] parts = each.split("\\| ");
            try (Library library = library(5)) {
                library.execute(parts[0]);
                List<String> before = library.structure();
                assertThat(library.migration(To.BIGINT).check())
                        .filteredOn(finding -> finding.level() == Level.WRONG)
                        .extracting(Finding::text)
                        .anyMatch(text -> text.contains(parts[1]));
                assertThatThrownBy(() -> library.apply(To.BIGINT)).hasMessageContaining(parts[1]);
                assertThat(library.structure()).isEqualTo(before);
            }
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
                assertThat(library.migration(To.BIGINT).verify()).allMatch(Comparison::areEqual);
                library.migration(To.BIGINT).apply(door(), any -> {});
                assertThat(String.join("\n", library.structure())).isEqualTo(withBigint(before));
            }
            assertThat(library.number("SELECT count(*) FROM book")).isEqualTo(300 + writes);
            library.checkReferences();
        }
    }
}
