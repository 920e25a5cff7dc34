package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.snowflake.Snowflake;
import io.idgen.migrate.Migration.To;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old and new instances write rows while the tables move. {@code target/migrations.txt} has the longest locks. */
@Tag("matrix")
@Tag("databases")
@Timeout(600)
class WritersOnPostgreSqlTest {
    /** The driver repeats a statement whose result has another type since it was prepared. */
    private static final String REPEATS = "&autosave=conservative&prepareThreshold=1";

    @Test
    void noWriterFailsWhileAnIdBecomesBigint() throws Exception {
        toBigintAndBack(2_000, 2, 20);
    }

    @Test
    @Tag("matrix")
    void noWriterFailsWhileTheIdOf100ThousandRowsBecomesBigint() throws Exception {
        toBigintAndBack(100_000, 4, 2_000);
    }

    /** Forward, back, forward again and through the door. */
    private static void toBigintAndBack(int books, int writersOfEachKind, int rows) throws Exception {
        try (Library library = Library.with(Library.IDENTITY, books);
                Writers writers = new Writers(library.url() + REPEATS)) {
            writers.withOld(writersOfEachKind).withNew(writersOfEachKind, null).await(rows);
            Migration migration = library.migration(To.BIGINT).withPace(Duration.ofMillis(500), 5_000, Duration.ZERO);
            List<Progress> progress = new ArrayList<>();
            for (int step = 1; step <= 6; step++) {
                migration.apply(step, progress::add);
                writers.await(rows);
            }
            assertThat(migration.verify()).isNotEmpty().allMatch(Comparison::areEqual);
            migration.back(progress::add);
            writers.await(rows);
            migration.apply(progress::add);
            writers.await(rows);
            assertThat(migration.verify()).isNotEmpty().allMatch(Comparison::areEqual);
            migration.apply(7, progress::add);
            writers.await(rows);

            report(books + " books, PostgreSQL, INT to BIGINT: " + writers.end(library), progress);
        }
    }

    private static void report(String text, List<Progress> progress) throws IOException {
        Files.writeString(
                Path.of("target", "migrations.txt"),
                text + ", longest lock "
                        + progress.stream()
                                .mapToLong(Progress::lockedMillis)
                                .max()
                                .orElseThrow() + " ms\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Test
    void noWriterFailsWhileNewInstancesWithSnowflakesReplaceThoseWithTheSequence() throws Exception {
        toSnowflakes(1_000, 2, 100);
    }

    @Test
    @Tag("matrix")
    void noWriterFailsWhileNewInstancesWithSnowflakesReplaceThoseOf100ThousandRows() throws Exception {
        toSnowflakes(100_000, 4, 5_000);
    }

    private static void toSnowflakes(int books, int writersOfEachKind, int rows) throws Exception {
        Snowflake snowflakes = Snowflake.builder().workerId(1).build();
        try (Library library = Library.with("INT GENERATED ALWAYS AS IDENTITY", books)) {
            library.apply(To.BIGINT);
            library.migration(To.BIGINT).apply(7, any -> {});
            Migration migration = library.migration(To.BEFORE_INSERT);
            List<Progress> progress = new ArrayList<>();
            try (Writers old = new Writers(library.url() + REPEATS);
                    Writers both = new Writers(library.url() + REPEATS)) {
                old.withOld(writersOfEachKind).await(rows);
                migration.apply(progress::add);
                both.withNew(writersOfEachKind, snowflakes::nextId).await(rows);
                old.await(rows);
                old.stop();
                migration.apply(4, progress::add);
                both.await(rows);
                assertThatThrownBy(() -> library.execute("INSERT INTO book (title) VALUES ('forgotten')"))
                        .hasMessageContaining("null value in column \"id\"");
                migration.back(progress::add);
                old.withOld(writersOfEachKind).await(rows);
                report(
                        books + " books, PostgreSQL, IDENTITY to snowflakes and back: " + old.end(library) + "; "
                                + both.end(library),
                        progress);
            }
            assertThat(library.number("SELECT max(id) FROM book WHERE title <> 'new'"))
                    .isLessThan(io.idgen.migrate.Path.FIRST_NEW);
            assertThat(library.number("SELECT min(id) FROM book WHERE title = 'new'"))
                    .isGreaterThan(io.idgen.migrate.Path.FIRST_NEW);
        }
    }

    /** The plan tells this: the control without the driver's option. */
    @Test
    void withoutAutosaveAPreparedStatementInATransactionFailsOnceAfterTheSwap() throws Exception {
        try (Library library = Library.with(Library.IDENTITY, 5);
                Connection careless = DriverManager.getConnection(library.url() + "&prepareThreshold=1");
                Connection careful = DriverManager.getConnection(library.url() + REPEATS)) {
            insert(careless, 2);
            insert(careful, 2);
            library.apply(To.BIGINT);

            assertThatThrownBy(() -> insert(careless, 1))
                    .hasMessageContaining("cached plan must not change result type");
            careless.rollback();
            insert(careless, 1);
            insert(careful, 1);
        }
    }

    private static void insert(Connection connection, int rows) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO book (title) VALUES ('x') RETURNING id")) {
            for (int i = 0; i < rows; i++) {
                statement.executeQuery().close();
            }
        }
        connection.commit();
    }
}
