package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.migrate.Migration.To;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica stops to replay while a migration fills rows. Time passes only by its pauses. */
@Timeout(300)
abstract class ReplicaLagContract {
    private static final int ROWS = 900;
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String WAITS = "pauses, because a replica is 6 s behind";

    @AutoClose
    final ReplicatedPair pair;

    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> filledAtChecks = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    ReplicaLagContract(ReplicatedPair pair) {
        this.pair = pair;
    }

    /** The query for the number of rows that a migration has filled. */
    abstract String filled();

    static DataSource dataSource(String url) {
        return UrlDataSource.ofExisting(url, "", "", Duration.ofSeconds(5));
    }

    @BeforeEach
    void fill() throws SQLException {
        DataSource primary = dataSource(pair.url());
        Sql.execute(primary, "CREATE TABLE book (id INT PRIMARY KEY)");
        Sql.execute(
                primary,
                "INSERT INTO book (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + ROWS
                        + ") SELECT i FROM n");
    }

    /** A batch pauses for three seconds; after three checks of the lag, the replica goes on. */
    private void pause(Duration duration) {
        nanos.addAndGet(duration.toNanos());
        if (duration.equals(Runner.BETWEEN_LAGS)) {
            try {
                filledAtChecks.add(Sql.number(dataSource(pair.url()), filled()));
                if (filledAtChecks.size() == 3) {
                    pair.resumeReplay();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    void apply(String url, Duration limit, List<DataSource> replicas) throws SQLException {
        pair.pauseReplay();
        Migration.of(dataSource(url), "book.id", To.BIGINT)
                .with(new Runner.Options(Duration.ofMillis(500), 100, 100, Duration.ofSeconds(3), this::pause))
                .with(new Replicas.Limit(limit, replicas, nanos::get))
                .apply(each -> progress.add(each.text()));
    }

    void checkThatItWaited() throws SQLException {
        assertThat(progress).contains(WAITS, "continues: all replicas have caught up");
        assertThat(filledAtChecks.subList(0, 3))
                .as("no batch while the replica is behind")
                .allMatch(each -> each > 0 && each < ROWS && each.equals(filledAtChecks.get(0)));
        assertThat(Migration.of(dataSource(pair.url()), "book.id", To.BIGINT).verify())
                .allMatch(Comparison::areEqual);
    }

    @Test
    void aMigrationWaitsWhileAReplicaIsTooFarBehind() throws Exception {
        apply(pair.url(), LIMIT, List.of(dataSource(pair.replicaUrl())));
        checkThatItWaited();
    }

    /** The control. */
    @Test
    void withoutALimitItContinues() throws Exception {
        apply(pair.url(), Duration.ZERO, List.of(dataSource(pair.replicaUrl())));
        assertThat(filledAtChecks).isEmpty();
        assertThat(progress).doesNotContain(WAITS).hasSizeGreaterThan(5);
        assertThat(Migration.of(dataSource(pair.url()), "book.id", To.BIGINT).plan())
                .extracting(Step::done)
                .endsWith(true, false);
    }
}
