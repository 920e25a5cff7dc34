package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.snowflake.Snowflake;
import io.idgen.migrate.Migration.To;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way from automatic numbers to snowflakes is killed at every statement, and instances insert in between. */
@Tag("matrix")
@Timeout(120)
abstract class KilledBeforeInsertContract {
    private static final int BOOKS = 20;

    private final Snowflake snowflakes = Snowflake.builder().workerId(1).build();
    private int rows = BOOKS;

    /** Creates tables whose ids are automatic numbers of type BIGINT. */
    abstract Library library(int books) throws SQLException;

    @Test
    void aMigrationAndAWayBackThatAreKilledAtEveryStatementContinue() throws Exception {
        try (Library library = library(BOOKS)) {
            boolean isDeployed = false;
            for (Step step : library.migration(To.BEFORE_INSERT).plan()) {
                if (step.done()) {
                    continue;
                }
                if (step.sql().isEmpty()) {
                    isDeployed = true;
                    insertByNew(library);
                } else {
                    // the steps after the deployment are for the time when the last old instance has ended
                    killAtEveryStatement(
                            library, each -> each.apply(step.number(), any -> {}), isDeployed, !isDeployed);
                }
            }
            assertThat(library.migration(To.BEFORE_INSERT).plan()).allMatch(Step::done);
            assertThatThrownBy(() -> insertByOld(library)).isInstanceOf(SQLException.class);

            killAtEveryStatement(library, each -> each.back(any -> {}), true, false);
            insertByOld(library);
            assertThat(library.number("SELECT count(*) FROM book")).isEqualTo(rows);
            library.checkReferences();
        }
    }

    private void killAtEveryStatement(Library library, Consumer<Migration> way, boolean hasNew, boolean hasOld)
            throws SQLException {
        Set<String> statements = new HashSet<>();
        while (Killing.isKilled(statements, library.dataSource(), To.BEFORE_INSERT, way)) {
            if (hasNew) {
                insertByNew(library);
            }
            if (hasOld) {
                insertByOld(library);
            }
        }
        assertThat(statements).as("a limit, a change and a commit").hasSizeGreaterThanOrEqualTo(3);
    }

    private void insertByNew(Library library) throws SQLException {
        library.execute("INSERT INTO book (id, title) VALUES (" + snowflakes.nextId() + ", 'new')");
        rows++;
    }

    private void insertByOld(Library library) throws SQLException {
        library.execute("INSERT INTO book (title) VALUES ('old')");
        rows++;
        assertThat(library.number("SELECT max(id) FROM book WHERE title = 'old'"))
                .as("a number that no new id can meet")
                .matches(id -> id < Path.FIRST_NEW || id > MySqlBeforeInsert.LAST_NEW);
    }
}
