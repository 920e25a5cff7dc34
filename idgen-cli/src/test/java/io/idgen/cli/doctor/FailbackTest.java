package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.SequenceTable;
import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A primary fails with commits that its replica lacks. The replica takes over, the former primary is rebuilt from it and
 * becomes the primary again, with the identity that it had.
 */
@Tag("accidents")
@Timeout(300)
class FailbackTest {
    private static final Terms ONE = Leases.terms(1);
    private static final int REACH = 10_000;

    enum Servers {
        /** Identifies itself by its timeline, which never comes back. So this one has a configured name. */
        POSTGRESQL(PostgreSqlPair::new, "db-1"),
        MARIADB(FailbackPair::ofMariaDb, null),
        MYSQL(FailbackPair::ofMySql, null);

        private final Callable<ReplicatedPair> start;
        private final @Nullable String identity;

        Servers(Callable<ReplicatedPair> start, @Nullable String identity) {
            this.start = start;
            this.identity = identity;
        }
    }

    /** A pair, and the processes that use it. */
    private record Shop(ReplicatedPair pair, @Nullable String identity) implements AutoCloseable {
        static Shop on(Servers servers) throws Exception {
            return on(servers, servers.identity);
        }

        static Shop on(Servers servers, @Nullable String identity) throws Exception {
            Shop shop = new Shop(servers.start.call(), identity);
            new IdgenSchema(shop.primary()).create();
            Sql.execute(shop.primary(), "UPDATE idgen_worker SET server_id = NULL"); // the scripts know no name
            return shop;
        }

        DataSource primary() {
            String url = pair.url();
            return Wrapped.dataSource(() -> DriverManager.getConnection(url));
        }

        DataSource replica() {
            String url = pair.replicaUrl();
            return Wrapped.dataSource(() -> DriverManager.getConnection(url));
        }

        JdbcWorkerIds leases() {
            JdbcWorkerIds leases = new JdbcWorkerIds(primary());
            return identity == null ? leases : leases.identifiedAs(identity);
        }

        private List<SegmentAllocator> counters() {
            SegmentTable segments = new SegmentTable(primary()).withReach(REACH).startingAt(1);
            SequenceTable sequence =
                    new SequenceTable(primary()).withReach(REACH).startingAt(1);
            SteppedSequence stepped =
                    new SteppedSequence(primary(), 2, 3).withReach(REACH).startingAt(1);
            return identity == null
                    ? List.of(segments, sequence, stepped)
                    : List.of(
                            segments.identifiedAs(identity),
                            sequence.identifiedAs(identity),
                            stepped.identifiedAs(identity));
        }

        /** Draws this many ids from each counter, as processes that have just started. */
        List<Set<Long>> draw(int ids) {
            List<Set<Long>> all = new ArrayList<>();
            for (SegmentAllocator each : counters()) {
                Set<Long> drawn = new HashSet<>();
                while (drawn.size() < ids) {
                    Segment segment = each.allocate("orders", ids);
                    for (int i = 0; i < segment.count(); i++) {
                        drawn.add(segment.first() + (long) i * segment.stride());
                    }
                }
                all.add(drawn);
            }
            return all;
        }

        /** Leases the only worker id of {@link #ONE} with a long window. */
        Lease lease() {
            JdbcWorkerIds store = leases();
            Candidates candidates = store.candidates(ONE, null);
            Row row = candidates.rows().get(0);
            if (!row.sameServer()) {
                assertThat(store.fenceOff(ONE, row, candidates.nowMillis() + 5_000, 0))
                        .isTrue();
                row = store.candidates(ONE, null).rows().get(0);
            }
            Lease lease = Leases.after(row, "process-1-a", candidates.nowMillis() + 170_000);
            assertThat(store.acquire(ONE, row, null, lease)).isTrue();
            return lease;
        }

        Repair repair() {
            return Repair.of(new IdgenTables(primary()));
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    /** What a run granted before the failback and lost, and what it grants afterwards. */
    private record Outcome(List<Set<Long>> lost, List<Set<Long>> after, long repeated) {}

    /** Lets the replica take over, and back. The replica lacks all ids but the first 400, and grants none itself. */
    private static Outcome failBack(Shop shop, boolean withHook) throws Exception {
        shop.draw(400);
        shop.pair.cut();
        List<Set<Long>> lost = shop.draw(600);
        for (int i = 0; i < 2; i++) {
            shop.pair.takeOver();
            if (withHook) {
                RepairReport report = shop.repair().afterPromotion();
                System.out.println("promotion " + (i + 1) + ": " + report);
            }
            shop.pair.cut();
        }
        List<Set<Long>> after = shop.draw(600);
        return new Outcome(lost, after, repeated(lost, after));
    }

    private static long repeated(List<Set<Long>> some, List<Set<Long>> others) {
        long repeated = 0;
        for (int i = 0; i < some.size(); i++) {
            Set<Long> both = new HashSet<>(some.get(i));
            both.retainAll(others.get(i));
            repeated += both.size();
        }
        return repeated;
    }

    static void countersAreAboveAllThatWasLost(Servers servers) throws Exception {
        try (Shop shop = Shop.on(servers)) {
            assertThat(failBack(shop, false).repeated)
                    .as("control: without the repair after each promotion")
                    .isEqualTo(1_800);
        }
        try (Shop shop = Shop.on(servers)) {
            Outcome outcome = failBack(shop, true);

            assertThat(outcome.repeated).isZero();
            for (int i = 0; i < 3; i++) {
                assertThat(outcome.after.get(i)).allMatch(id -> id > 2 * REACH);
            }
        }
    }

    static void leasesBeginAboveAllThatWasLost(Servers servers) throws Exception {
        for (boolean withHook : List.of(false, true)) {
            try (Shop shop = Shop.on(servers)) {
                shop.lease();
                Sql.execute(
                        shop.primary(),
                        "UPDATE idgen_worker SET horizon = 1, owner_token = NULL, lease_until = 0 WHERE worker_id = 0");
                shop.pair.cut();
                Lease lost = shop.lease();
                for (int i = 0; i < 2; i++) {
                    shop.pair.takeOver();
                    if (withHook) {
                        shop.repair().afterPromotion();
                    }
                    shop.pair.cut();
                }
                Row row = shop.leases().candidates(ONE, null).rows().get(0);
                assertThat(row.horizonMillis()).isLessThan(lost.horizonMillis());
                if (!withHook) {
                    assertThat(row.sameServer())
                            .as("control: the row grants the lost ticks again")
                            .isTrue();
                    continue;
                }
                assertThat(row.sameServer()).isFalse();
                Instant began = Instant.now();
                try (Snowflake snowflake = Snowflake.builder()
                        .leasedFrom(shop.leases())
                        .acquireTimeout(Duration.ofMinutes(1), Duration.ofMinutes(1))
                        .build()) {
                    long id = snowflake.nextId();
                    System.out.println(servers + ": first id after "
                            + Duration.between(began, Instant.now()).toMillis() + " ms");
                    assertThat(SnowflakeLayout.IDGEN.parse(id).time())
                            .isAfterOrEqualTo(Instant.ofEpochMilli(lost.horizonMillis()));
                }
            }
        }
    }

    static void aReplicaIsRefusedAndASecondCallChangesNothing(Servers servers) throws Exception {
        try (Shop shop = Shop.on(servers)) {
            shop.draw(1);
            Sql.execute(shop.primary(), "UPDATE idgen_worker SET server_id = 'x' WHERE worker_id = 7");
            shop.pair.cut();
            List<String> before = state(shop.primary());

            AllocationException e = assertThrows(
                    AllocationException.class,
                    () -> Repair.of(new IdgenTables(shop.replica())).afterPromotion());

            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
            assertThat(e)
                    .hasMessageContaining("this server accepts no changes")
                    .hasMessageContaining("promote it first");
            assertThat(state(shop.replica())).isEqualTo(before);
            shop.pair.takeOver();
            assertThat(shop.repair().dryRun().afterPromotion().changes()).hasSize(4);
            assertThat(state(shop.primary())).as("after a dry run").isEqualTo(before);
            assertThat(shop.repair().afterPromotion().toString())
                    .startsWith("repaired idgen_worker default, 1 worker ids: horizons up to ")
                    .contains("; idgen_segment orders: 2 -> 2 without a server; the next ids begin at 20002")
                    .contains(
                            "; idgen_stepped orders, generation 1: 5 -> 5 without a server; the next ids begin at 60005");
            assertThat(shop.repair().afterPromotion()).hasToString("repaired nothing");
            assertThat(shop.draw(1)).containsExactly(Set.of(20_002L), Set.of(20_002L), Set.of(60_005L));
        }
    }

    private static List<String> state(DataSource server) throws SQLException {
        return Stream.of("idgen_worker WHERE worker_id = 7", "idgen_segment", "idgen_sequence", "idgen_stepped")
                .flatMap(table -> {
                    try {
                        return Sql.rows(server, "SELECT * FROM " + table).stream();
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void countersRepeatNothing(Servers servers) throws Exception {
        countersAreAboveAllThatWasLost(servers);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void leasesRepeatNothing(Servers servers) throws Exception {
        leasesBeginAboveAllThatWasLost(servers);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void aReplicaIsRefused(Servers servers) throws Exception {
        aReplicaIsRefusedAndASecondCallChangesNothing(servers);
    }

    /** What is run on the server that takes over second. */
    private enum Cure {
        NONE,
        AFTER_PROMOTION,
        BACKUP_TIME
    }

    /**
     * The second server lacks the repair on the first one, and the ids that were granted after it. Both would skip the
     * same number of ids, so it needs more than the same repair.
     */
    @ParameterizedTest
    @CsvSource({"NONE, 1800, 0", "AFTER_PROMOTION, 0, 1800", "BACKUP_TIME, 0, 0"})
    void aSecondTakeoverThatLosesTheRepairOfTheFirst(Cure cure, long repeatedOfFirst, long repeatedOfSecond)
            throws Exception {
        try (Shop shop = Shop.on(Servers.POSTGRESQL)) {
            shop.draw(400);
            shop.pair.cut();
            List<Set<Long>> lostFirst = shop.draw(600);
            shop.pair.takeOver();
            shop.pair.cut();
            shop.repair().afterPromotion();
            List<Set<Long>> lostSecond = shop.draw(600);
            shop.pair.takeOver();

            switch (cure) {
                case NONE -> {}
                case AFTER_PROMOTION -> shop.repair().afterPromotion();
                case BACKUP_TIME ->
                    Repair.of(new IdgenTables(shop.primary())
                                    .restoredFrom(Instant.now().minus(Duration.ofMinutes(20))))
                            .afterRestore();
            }
            List<Set<Long>> after = shop.draw(600);

            assertThat(repeated(lostFirst, after)).isEqualTo(repeatedOfFirst);
            assertThat(repeated(lostSecond, after)).isEqualTo(repeatedOfSecond);
        }
    }

    @Test
    void aPostgreSqlThatIdentifiesItselfRepeatsNothingEither() throws Exception {
        try (Shop shop = Shop.on(Servers.POSTGRESQL, null)) {
            assertThat(failBack(shop, false).repeated).isZero();
        }
    }

    @Test
    @Tag("mysql")
    void onMySqlCountersRepeatNothing() throws Exception {
        countersAreAboveAllThatWasLost(Servers.MYSQL);
    }

    @Test
    @Tag("mysql")
    void onMySqlLeasesRepeatNothing() throws Exception {
        leasesBeginAboveAllThatWasLost(Servers.MYSQL);
    }

    @Test
    @Tag("mysql")
    void onMySqlAReplicaIsRefused() throws Exception {
        aReplicaIsRefusedAndASecondCallChangesNothing(Servers.MYSQL);
    }
}
