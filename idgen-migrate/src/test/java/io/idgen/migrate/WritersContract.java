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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old and new instances write rows while the tables move. {@code target/migrations.txt} has the longest locks. */
@Tag("databases")
@Timeout(600)
abstract class WritersContract {

    /** Creates tables whose ids are automatic numbers of type INT. */
    abstract Library library(int books) throws SQLException;

    /** What the driver needs in its URL, if anything. */
    abstract String options();

    abstract String database();

    @Test
    void noWriterFailsFromIntToSnowflakesAndBack() throws Exception {
        toSnowflakes(2_000, 2, 20);
    }

    @Test
    @Tag("accidents")
    void noWriterFailsWhile100ThousandRowsMoveFromIntToSnowflakesAndBack() throws Exception {
        toSnowflakes(100_000, 4, 2_000);
    }

    @Test
    @Tag("matrix")
    void noWriterFailsWhileTheWayToBigintIsKilledAtEveryStatement() throws Exception {
        try (Library library = library(300);
                Writers writers = new Writers(library.url() + options(), "killed")) {
            writers.withAtMost(50).withOld(1).withNew(1).await(5);
            Set<String> statements = new HashSet<>();
            while (Killing.isKilled(statements, library.dataSource(), To.BIGINT, each -> each.apply(any -> {}))) {
                writers.await(2);
            }
            assertThat(statements).hasSizeGreaterThan(40);
            Migration migration = library.migration(To.BIGINT);
            assertThat(migration.verify()).allMatch(Comparison::areEqual);
            int door = migration.plan().size();
            while (Killing.isKilled(statements, library.dataSource(), To.BIGINT, each -> each.apply(door, any -> {}))) {
                writers.await(2);
            }
            writers.await(2);
            writers.end(library);
            assertThat(migration.plan()).isEmpty();
        }
    }

    /** The page on entities tells this. */
    @Test
    void anOldInstanceThatReadsALargeIdFailsInsteadOfReadingAnotherOne() throws Exception {
        try (Library library = library(1);
                Connection connection = library.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT 382324861541810176 AS id");
                ResultSet row = statement.executeQuery()) {
            row.next();
            assertThat(row.getLong(1)).isEqualTo(382_324_861_541_810_176L);
            assertThatThrownBy(() -> row.getInt(1)).isInstanceOf(SQLException.class);
        }
    }

    private void toSnowflakes(int books, int writersOfEachKind, int rows) throws Exception {
        try (Library library = library(books)) {
            toBigint(library, writersOfEachKind, rows);
            toSnowflakes(library, writersOfEachKind, rows);
        }
    }

    /** Forward, back, forward again and through the door, with instances that read ids as int and as long. */
    private void toBigint(Library library, int writersOfEachKind, int rows) throws Exception {
        try (Writers writers = new Writers(library.url() + options(), "bigint")) {
            writers.withOld(writersOfEachKind).withNew(writersOfEachKind).await(rows);
            Migration migration = Migration.of(library.dataSource(), "book.id", To.BIGINT)
                    .withPace(Duration.ofMillis(500), 5_000, Duration.ZERO);
            List<Progress> progress = new ArrayList<>();
            int door = migration.plan().size();
            for (int step = 1; step < door; step++) {
                if (step == door - 1) {
                    assertThat(migration.verify()).isNotEmpty().allMatch(Comparison::areEqual);
                }
                migration.apply(step, progress::add);
                writers.await(rows);
            }
            migration.back(progress::add);
            writers.await(rows);
            migration.apply(progress::add);
            writers.await(rows);
            migration.apply(door, progress::add);
            writers.await(rows);
            report("INT to BIGINT, back and again: " + writers.end(library), progress);
        }
    }

    /** New instances with snowflakes replace those with automatic numbers, which then return. */
    private void toSnowflakes(Library library, int writersOfEachKind, int rows) throws Exception {
        Snowflake snowflakes = Snowflake.builder().workerId(1).build();
        Migration migration = library.migration(To.BEFORE_INSERT);
        List<Progress> progress = new ArrayList<>();
        try (Writers before = new Writers(library.url() + options(), "before");
                Writers after = new Writers(library.url() + options(), "after")) {
            before.withNew(writersOfEachKind).await(rows);
            for (Step step : migration.plan()) {
                if (step.sql().isEmpty() && !step.done()) { // the deployment
                    after.withNew(writersOfEachKind, snowflakes::nextId).await(rows);
                    before.await(rows);
                    before.stop();
                } else {
                    migration.apply(step.number(), progress::add);
                }
            }
            assertThat(migration.plan()).allMatch(Step::done);
            after.await(rows);
            assertThatThrownBy(() -> library.execute("INSERT INTO book (title) VALUES ('forgotten')"))
                    .hasMessageMatching("(?s).*(null value in column \"id\"|automatic ids have ended).*");
            migration.back(progress::add);
            before.withNew(writersOfEachKind).await(rows);
            report(
                    "automatic numbers to snowflakes and back: " + before.end(library) + "; " + after.end(library),
                    progress);
        }
    }

    private void report(String text, List<Progress> progress) throws IOException {
        Files.writeString(
                Path.of("target", "migrations.txt"),
                database() + ", " + text + ", longest lock "
                        + progress.stream()
                                .mapToLong(Progress::lockedMillis)
                                .max()
                                .orElseThrow() + " ms\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
