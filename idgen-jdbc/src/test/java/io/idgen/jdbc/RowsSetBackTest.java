package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Restores of worker id rows while processes run, and outdated reads of these rows. */
@Tag("matrix")
class RowsSetBackTest {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A burst that uses all sequences of several ticks. */
    private static final int BURST = 3 * 4096;

    /** A burst that runs so far ahead of the clock that two bursts at the same time have ticks in common. */
    private static final int LONG_BURST = 200 * 4096;

    /** A window from which many of the long bursts come. */
    private static final Duration LONG_WINDOW = Duration.ofSeconds(60);

    // reasons of lost leases
    private static final String SET_BACK = "rows of the namespace were set back";
    private static final String ROW_GONE = "its row is gone";

    private static final String OTHERS_TAKEN =
            "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id <> ";

    private static LeaseTerms terms(Duration window) {
        return new LeaseTerms("default", SnowflakeLayout.IDGEN, 0, 1024, Set.of(), LEASE, window);
    }

    /** A generator with its events and its last id. */
    private static final class Process implements AutoCloseable {
        final List<IdgenEvent> events = new CopyOnWriteArrayList<>();
        final Snowflake ids;
        long last;

        Process(LeaseStore store) {
            this(store, WINDOW);
        }

        Process(LeaseStore store, Duration window) {
            ids = ShortLeases.times(Snowflake.builder(), LEASE, window)
                    .leasedFrom(store)
                    .datacenterId(0)
                    .acquireTimeout(PATIENCE, PATIENCE)
                    .listener(events::add)
                    .build();
        }

        long[] draw(int count) {
            long[] drawn = ids.nextIds(count);
            assertThat(drawn[0]).as("ids rise").isGreaterThan(last);
            last = drawn[count - 1];
            return drawn;
        }

        int workerId() {
            SnowflakeParts parts = ids.layout().parse(draw(1)[0]);
            return Leaseholder.workerId(parts);
        }

        boolean hasLost(String reason) {
            return losses().stream().anyMatch(text -> text.contains(reason));
        }

        List<String> losses() {
            return events.stream()
                    .filter(event -> event.kind() == Kind.LEASE_LOST)
                    .map(IdgenEvent::text)
                    .toList();
        }

        @Override
        public void close() {
            ids.close();
        }
    }

    /** Never reports a row as set back, like a process that cannot notice restores. */
    private static final class Blind extends DelegatingLeaseStore {
        Blind(LeaseStore store) {
            super(store);
        }

        @Override
        public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
            return super.look(terms, lease)
                    .map(view -> new LeaseView(
                            view.nowMillis(), view.held(), view.horizonMillis(), view.sameServer(), 0, false));
        }
    }

    private static Database withBackup(TestDatabase kind) throws SQLException {
        return withBackup(kind, WINDOW);
    }

    /** Creates the rows as a process with this window has them, and a backup of them. */
    private static Database withBackup(TestDatabase kind, Duration window) throws SQLException {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET layout = '" + terms(window).layoutAndTimes() + "'");
        backUp(database, "backup");
        return database;
    }

    private static void backUp(Database database, String table) throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE " + table + " AS SELECT * FROM idgen_worker");
    }

    private static void restore(Database database, String table, String... more) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, "DELETE FROM idgen_worker");
            Sql.execute(connection, "INSERT INTO idgen_worker SELECT * FROM " + table);
            for (String statement : more) {
                Sql.execute(connection, statement);
            }
            connection.commit();
        }
    }

    private static void horizonAbove(Database database, int workerId, long horizon) throws Exception {
        Await.until("a renewal", () -> horizon(database, workerId) > horizon);
    }

    private static long horizon(Database database, int workerId) throws SQLException {
        return Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = " + workerId);
    }

    private static long generation(Database database) throws SQLException {
        return Sql.number(database.dataSource(), "SELECT MAX(generation) FROM idgen_worker");
    }

    private static boolean repeat(Set<Long> known, long[] more) {
        return Arrays.stream(more).anyMatch(known::contains);
    }

    private static void addAll(Set<Long> ids, long[] more) {
        Arrays.stream(more).forEach(ids::add);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void afterARestoreNoIdRepeatsOnceBothProcessesHaveRenewed(TestDatabase kind) throws Exception {
        AtomicBoolean away = new AtomicBoolean();
        try (Database database = withBackup(kind);
                Process old = new Process(new JdbcWorkerIds(unless(away, database.dataSource())))) {
            int workerId = old.workerId();
            horizonAbove(database, workerId, horizon(database, workerId));
            away.set(true);
            restore(database, "backup", OTHERS_TAKEN + workerId);
            try (Process fresh = new Process(new JdbcWorkerIds(database.dataSource()))) {
                assertThat(fresh.workerId()).isEqualTo(workerId);
                Set<Long> before = new HashSet<>();
                away.set(false);
                long sinceNanos = System.nanoTime();
                while (!old.hasLost(SET_BACK) || !fresh.hasLost(SET_BACK)) {
                    addAll(before, old.draw(1));
                    addAll(before, fresh.draw(1));
                }
                Duration noticed = Duration.ofNanos(System.nanoTime() - sinceNanos);
                Set<Long> since = new HashSet<>();
                for (int i = 0; i < 20; i++) {
                    for (Process each : List.of(old, fresh)) {
                        long[] drawn = each.draw(BURST);
                        assertThat(repeat(before, drawn) || repeat(since, drawn))
                                .as("ids repeat")
                                .isFalse();
                        addAll(since, drawn);
                    }
                }
                System.out.printf("%s: both had discarded their windows and leased again after %s%n", kind, noticed);
                assertThat(generation(database)).isEqualTo(1);
                assertThat(old.losses()).singleElement().asString().contains(SET_BACK);
                assertThat(fresh.losses()).singleElement().asString().contains(SET_BACK);
            }
        }
    }

    /** The control: shows that the test above detects repeated ids. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aProcessThatDoesNotNoticeARestoreRepeatsIdsAfterItsRenewals(TestDatabase kind) throws Exception {
        AtomicBoolean away = new AtomicBoolean();
        try (Database database = withBackup(kind, LONG_WINDOW);
                Process old =
                        new Process(new Blind(new JdbcWorkerIds(unless(away, database.dataSource()))), LONG_WINDOW)) {
            int workerId = old.workerId();
            horizonAbove(database, workerId, horizon(database, workerId));
            away.set(true);
            restore(database, "backup", OTHERS_TAKEN + workerId);
            try (Process fresh = new Process(new Blind(new JdbcWorkerIds(database.dataSource())), LONG_WINDOW)) {
                assertThat(fresh.workerId()).isEqualTo(workerId);
                away.set(false);
                Await.until("the loss of the row", () -> old.hasLost("another process has its row"));

                Await.until("ids that repeat", () -> {
                    List<long[]> drawn = ParallelThreads.run(2, thread -> (thread == 0 ? old : fresh).draw(LONG_BURST));
                    return Arrays.stream(drawn.get(0)).anyMatch(id -> Arrays.binarySearch(drawn.get(1), id) >= 0);
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRowThatIsRestoredUnderItsOwnLeaseIsRaisedAgainAndKept(TestDatabase kind) throws Exception {
        try (Database database = withBackup(kind);
                Process process = new Process(new JdbcWorkerIds(database.dataSource()))) {
            int workerId = process.workerId();
            backUp(database, "later_backup");
            horizonAbove(database, workerId, horizon(database, workerId) + WINDOW.toMillis() / 8);
            long horizon = horizon(database, workerId);

            restore(database, "later_backup");

            horizonAbove(database, workerId, horizon);
            assertThat(process.workerId()).isEqualTo(workerId);
            assertThat(process.losses()).isEmpty();
            assertThat(generation(database)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRestoreThatForgetsTheServerRepeatsNoId(TestDatabase kind) throws Exception {
        try (Database database = withBackup(kind);
                Process old = new Process(new JdbcWorkerIds(database.dataSource()))) {
            int workerId = old.workerId();
            horizonAbove(database, workerId, horizon(database, workerId));
            Set<Long> ids = new HashSet<>();
            addAll(ids, old.draw(BURST));

            String spare = " AND worker_id <> " + (workerId + 1) % 32;
            restore(database, "backup", OTHERS_TAKEN + workerId + spare, "UPDATE idgen_worker SET server_id = NULL");

            try (Process fresh = new Process(new JdbcWorkerIds(database.dataSource()))) {
                addAll(ids, old.draw(BURST));
                long[] drawn = fresh.draw(BURST);
                assertThat(repeat(ids, drawn)).isFalse();
                addAll(ids, drawn);
                assertThat(repeat(ids, old.draw(BURST))).isFalse();
            }
        }
    }

    /** Tests delete all rows. A process goes on, and rows that it creates again begin above all that was granted. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void afterATruncateNoIdRepeats(TestDatabase kind) throws Exception {
        try (Database database = withBackup(kind);
                Process old = new Process(new JdbcWorkerIds(database.dataSource()))) {
            int workerId = old.workerId();
            Set<Long> ids = new HashSet<>();
            addAll(ids, old.draw(BURST));
            restore(database, "backup WHERE 1 = 0");
            Await.until("rows", () -> Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker") > 0);
            String spare = " AND worker_id <> " + (workerId + 1) % 32;
            Sql.execute(database.dataSource(), OTHERS_TAKEN + workerId + spare + " AND owner_token IS NULL");

            try (Process fresh = new Process(new JdbcWorkerIds(database.dataSource()))) {
                for (int i = 0; i < 20 || !old.hasLost(ROW_GONE); i++) {
                    for (Process each : List.of(old, fresh)) {
                        long[] drawn = each.draw(BURST);
                        assertThat(repeat(ids, drawn)).as("ids repeat").isFalse();
                        addAll(ids, drawn);
                    }
                }
            }
            assertThat(old.losses()).singleElement().asString().contains(ROW_GONE);
        }
    }

    /**
     * In the memory of this process, new rows need not wait. So a second generator may lease the worker id whose window
     * the first one still uses, after a truncate, or after the tables were dropped and created again.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterRowsInMemoryAreGoneASecondGeneratorRepeatsNoId(boolean dropped) throws Exception {
        try (Database database = withBackup(TestDatabase.H2);
                Process old = new Process(new JdbcWorkerIds(database.dataSource()))) {
            int workerId = old.workerId();
            if (dropped) {
                Sql.execute(database.dataSource(), "DROP TABLE idgen_worker");
                new IdgenSchema(database.dataSource()).create();
            } else {
                restore(database, "backup WHERE 1 = 0");
                new JdbcWorkerIds(database.dataSource()).candidates(terms(WINDOW), null); // creates the rows
            }
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET layout = '" + terms(WINDOW).layoutAndTimes() + "'");
            Sql.execute(database.dataSource(), OTHERS_TAKEN + workerId);
            try (Process fresh = new Process(new JdbcWorkerIds(database.dataSource()))) {
                assertThat(fresh.workerId()).isEqualTo(workerId);
                long[] ids = old.draw(LONG_BURST);
                long[] more = fresh.draw(LONG_BURST);
                assertThat(Arrays.stream(more).anyMatch(id -> Arrays.binarySearch(ids, id) >= 0))
                        .as("ids repeat")
                        .isFalse();
                assertThat(old.hasLost(SET_BACK)).isFalse();
            }
        }
    }

    /** Refuses connections while the database is away. */
    private static DataSource unless(AtomicBoolean away, DataSource real) {
        return Wrapped.dataSource(() -> {
            if (away.get()) {
                throw new SQLException("away", "08001");
            }
            return real.getConnection();
        });
    }

    /**
     * Redirects queries to a copy of the table that is never refreshed: all queries, or only those that lock no row.
     */
    private static DataSource readingFromReplica(DataSource real, AtomicBoolean split, boolean locking) {
        return Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, real.getConnection(), call -> {
            if (call.is("prepareStatement") && split.get()) {
                String sql = (String) call.arguments()[0];
                if (sql.startsWith("SELECT") && (locking || !sql.endsWith("FOR UPDATE"))) {
                    call.arguments()[0] = sql.replace("idgen_worker", "replica");
                }
            }
            return call.proceed();
        }));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aLookLocksItsRowSoThatAProxySendsItToTheWriter(TestDatabase kind) throws Exception {
        AtomicBoolean split = new AtomicBoolean();
        try (Database database = withBackup(kind);
                Process process =
                        new Process(new JdbcWorkerIds(readingFromReplica(database.dataSource(), split, false)))) {
            int workerId = process.workerId();
            backUp(database, "replica");
            split.set(true);

            horizonAbove(database, workerId, horizon(database, workerId) + WINDOW.toMillis());

            assertThat(process.workerId()).isEqualTo(workerId);
            assertThat(process.losses()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aProcessWhoseReadsAreAllOutOfDateStopsNobody(TestDatabase kind) throws Exception {
        AtomicBoolean split = new AtomicBoolean();
        try (Database database = withBackup(kind);
                Process other = new Process(new JdbcWorkerIds(database.dataSource()));
                Process stale =
                        new Process(new JdbcWorkerIds(readingFromReplica(database.dataSource(), split, true)))) {
            int otherId = other.workerId();
            Sql.execute(database.dataSource(), "CREATE TABLE replica AS SELECT * FROM backup");
            int workerId = stale.workerId();
            horizonAbove(database, workerId, horizon(database, workerId));
            split.set(true);

            long horizon = horizon(database, otherId);
            horizonAbove(database, otherId, horizon + WINDOW.toMillis() * 3 / 4);

            assertThat(stale.workerId()).isEqualTo(workerId);
            assertThat(stale.losses()).isEmpty();
            assertThat(other.workerId()).isEqualTo(otherId);
            assertThat(other.losses()).isEmpty();
            assertThat(generation(database)).isZero();
            split.set(false);
        }
    }
}
