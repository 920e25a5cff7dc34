package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process with a longer {@code idgen.worker.window} than all before leases the only worker id. Then a replica takes
 * over, which knows neither its lease nor its window.
 */
@Timeout(300)
abstract class LongerWindowContract {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final Duration LONGER = Duration.ofSeconds(120);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Uses all sequences of 200 ticks. */
    private static final int BURST = 200 * 4096;

    private static final String ONE_FREE = "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id > 0";

    /** Starts a primary and its replica. */
    abstract ReplicatedPair start() throws SQLException;

    /** Lets a window of any length be used at once. */
    private static final class AtOnce extends DelegatingLeaseStore {
        AtOnce(LeaseStore store) {
            super(store);
        }

        @Override
        public Candidates candidates(Terms terms, @Nullable String token) {
            Candidates found = super.candidates(terms, token);
            return new Candidates(found.nowMillis(), found.gapMillis(), found.rows());
        }
    }

    @Test
    final void isNotUsedBeforeATakeoverCannotLoseItAnyMore() throws Exception {
        assertThat(repeatsAfterATakeover(WINDOW, store -> store)).isZero();
    }

    @Test
    final void thatIsUsedAtOnceRepeatsIds() throws Exception {
        assertThat(repeatsAfterATakeover(LONGER, AtOnce::new)).isPositive();
    }

    private int repeatsAfterATakeover(Duration used, UnaryOperator<LeaseStore> store) throws Exception {
        try (ReplicatedPair pair = start()) {
            DataSource database = new UrlDataSource(pair.url(), "", "", Duration.ofSeconds(5));
            new IdgenSchema(database).create();
            Sql.execute(database, ONE_FREE);
            try (Snowflake before = snowflake(new JdbcWorkerIds(database), WINDOW, PATIENCE)) {
                before.nextId();
            }
            AtomicBoolean cutOff = new AtomicBoolean();
            DataSource untilCutOff = Wrapped.dataSource(() -> {
                if (cutOff.get()) {
                    throw new SQLException("cut off", "08001");
                }
                return database.getConnection();
            });
            pair.cut();
            try (Snowflake raised =
                    snowflake(store.apply(new JdbcWorkerIds(untilCutOff)), LONGER, Duration.ofMillis(100))) {
                raised.nextId();
                Await.until("a renewal", () -> horizon(database) > millis() + used.toMillis() * 3 / 4);
                assertThat(horizon(database)).isLessThanOrEqualTo(millis() + used.toMillis());
                cutOff.set(true);
                pair.takeOver();
                try (Snowflake next = snowflake(new JdbcWorkerIds(database), WINDOW, PATIENCE)) {
                    return repeats(next.nextIds(BURST), raised);
                }
            }
        }
    }

    private static Snowflake snowflake(LeaseStore store, Duration window, Duration patience) {
        return Snowflake.builder()
                .leasedFrom(store)
                .datacenterId(0)
                .lease(LEASE, window)
                .acquireTimeout(PATIENCE, patience)
                .build();
    }

    private static long horizon(DataSource database) throws SQLException {
        return Sql.number(database, "SELECT horizon FROM idgen_worker WHERE worker_id = 0");
    }

    private static long millis() {
        return System.currentTimeMillis();
    }

    /** Draws ids until the clock has passed the time in all given ids. Returns how many of these are drawn again. */
    private static int repeats(long[] ids, Snowflake others) {
        Instant end = SnowflakeLayout.IDGEN.parse(ids[ids.length - 1]).time().plusMillis(200);
        int repeats = 0;
        while (Instant.ofEpochMilli(millis()).isBefore(end)) {
            try {
                repeats += Arrays.binarySearch(ids, others.nextId()) >= 0 ? 1 : 0;
            } catch (IdUnavailableException e) {
                continue; // the window is used up, and the database is cut off
            }
            LockSupport.parkNanos(1_000_000);
        }
        return repeats;
    }
}
