package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The lease statements: the contract of every store, and the behaviour that is specific to tables. */
abstract class JdbcWorkerIdsContract extends LeaseStoreContract {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    private final TestDatabase kind;

    @AutoClose
    private Database database;

    private JdbcWorkerIds store;

    JdbcWorkerIdsContract(TestDatabase kind) {
        this.kind = kind;
    }

    @Override
    protected OptionalLong heldUntilMillis(String namespace, int workerId) {
        try {
            return Sql.rows(
                            database.dataSource(),
                            "SELECT lease_until FROM idgen_worker WHERE namespace = '" + namespace
                                    + "' AND worker_id = " + workerId)
                    .stream()
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected LeaseStore open() {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        // many threads at once are slow on a busy machine
        store = new JdbcWorkerIds(database.dataSource()).withTimeout(Duration.ofMinutes(1));
        return store;
    }

    @Override
    protected void expire(Lease lease) {
        try {
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET lease_until = 0 WHERE worker_id = " + lease.workerId());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Optional<LeaseStore> failOver() {
        return Optional.of(store.identifiedAs("the next server"));
    }

    private Lease acquired() {
        return Leases.acquire(store, TERMS, "token");
    }

    @Test
    void theScriptsRowsAreOfTheDefaultLayoutAndOfThisServer() throws SQLException {
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE worker_id >= 0"))
                .isEqualTo(1024);
        assertThat(Sql.number(database.dataSource(), "SELECT MAX(worker_id) FROM idgen_worker"))
                .isEqualTo(1023);
        assertThat(store.candidates(TERMS, null).rows()).hasSize(64).allMatch(Row::sameServer);
    }

    @Test
    void theTimeIsThatOfTheDatabaseInUtc() {
        assertThat(Instant.ofEpochMilli(store.candidates(TERMS, null).nowMillis()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    void theNameOfTheServerIsAValueAndNeverSql() throws SQLException {
        JdbcWorkerIds named = store.identifiedAs("it's ? \\");
        Candidates candidates = named.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        assertThat(row.sameServer()).isFalse();
        long horizon = candidates.nowMillis() + TERMS.gapMillis() + 60_000;
        assertThat(named.fenceOff(TERMS, row, horizon)).isTrue();
        assertThat(named.fenceOff(TERMS, row, horizon)).isFalse();

        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET horizon = 0 WHERE worker_id = " + row.workerId());
        Row advanced = new Row(row.workerId(), row.fence() + 1, 0, true, false, 0, null);
        Lease lease = Leases.after(advanced, "token", candidates.nowMillis() + 15_000);
        assertThat(store.acquire(TERMS, advanced, null, lease)).isFalse();
        assertThat(named.acquire(TERMS, advanced, null, lease)).isTrue();
        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isFalse();
        assertThat(named.look(TERMS, lease).orElseThrow().sameServer()).isTrue();
        assertThat(store.extend(TERMS, lease, candidates.nowMillis() + 30_000)).isFalse();
        assertThat(named.extend(TERMS, lease, candidates.nowMillis() + 30_000)).isTrue();
        LeaseTerms shop = Leases.terms("shop", 0, 1);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(named.candidates(shop, null).rows()).allMatch(each -> each.sameServer() == inMemory);
    }

    @Test
    void worksWithoutTheWorkerIdsThatTheTermsExclude() {
        Set<Integer> excluded = new TreeSet<>();
        for (int workerId = 0; workerId < 1000; workerId++) {
            excluded.add(workerId);
        }

        assertThat(store.candidates(TERMS.without(excluded), null).rows())
                .extracting(Row::workerId)
                .hasSize(24)
                .allMatch(workerId -> workerId >= 1000);
    }

    @Test
    void aRowOfAnotherServerIsAdvancedOnceAndThenTaken() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id > 0");
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = NULL WHERE worker_id = 0");
        Candidates candidates = store.candidates(TERMS, null);
        assertThat(candidates.rows()).noneMatch(Row::sameServer);
        for (Row row : candidates.rows().subList(0, 2)) {
            Lease lease = Leases.after(row, "token", candidates.nowMillis() + 15_000);
            long horizon = candidates.nowMillis() + TERMS.gapMillis() + 60_000;

            assertThat(store.acquire(TERMS, row, null, lease)).isFalse();
            assertThat(store.fenceOff(TERMS, row, candidates.nowMillis() + 1_000))
                    .as("too low a horizon")
                    .isFalse();
            assertThat(store.fenceOff(TERMS, row, horizon)).isTrue();
            assertThat(store.fenceOff(TERMS, row, horizon)).isFalse();
            assertThat(store.look(TERMS, lease).orElseThrow())
                    .satisfies(view -> assertThat(view.horizonMillis()).isEqualTo(horizon))
                    .satisfies(view -> assertThat(view.sameServer()).isTrue())
                    .satisfies(view -> assertThat(view.held()).isFalse());
        }
    }

    @Test
    void aRowThatWasAdvancedIsACandidateBesideManyThatWereNot() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'old'");
        Candidates before = store.candidates(TERMS, null);
        Row row = before.rows().get(0);
        long horizon = before.nowMillis() + TERMS.gapMillis() + 60_000;
        assertThat(store.fenceOff(TERMS, row, horizon)).isTrue();

        List<Row> rows = store.candidates(TERMS, null).rows();
        assertThat(rows).filteredOn(Row::sameServer).extracting(Row::workerId).containsExactly(row.workerId());
        assertThat(rows).hasSizeGreaterThan(1).isSortedAccordingTo(Comparator.comparing(Row::horizonMillis));
    }

    @Test
    void aNewNamespaceGetsRowsThatNoServerAnswersForUnlessItIsInMemory() {
        LeaseTerms shop = Leases.terms("it's a shop", 32, 32);
        List<Row> rows = store.candidates(shop, null).rows();

        assertThat(rows).extracting(Row::workerId).hasSize(32).contains(32, 63);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(rows).allMatch(row -> row.sameServer() == inMemory);
    }

    @Test
    void sixteenProcessesThatMakeANamespaceAtOnceMakeItOnce() throws Exception {
        ParallelThreads.run(
                16,
                thread -> store.candidates(Leases.terms("new", 0, 64), null)
                        .rows()
                        .size());

        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'new'"))
                .isEqualTo(1 + 64);
    }

    /** Creates and leases the row of worker id 5, as a process with this worker id does. */
    private void onlyRow5OfANewNamespace() throws SQLException {
        assertThat(store.candidates(Leases.terms("new", 5, 1), null).rows())
                .extracting(Row::workerId)
                .containsExactly(5);
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET fence = 7, horizon = 4711, lease_until = 9000000000000"
                        + " WHERE namespace = 'new' AND worker_id = 5");
    }

    @Test
    void rowsThatAFirstProcessLeftOutAreMadeWhenNoOtherIsFree() throws Exception {
        onlyRow5OfANewNamespace();

        ParallelThreads.run(
                4,
                thread ->
                        store.candidates(Leases.terms("new", 0, 8), null).rows().size());

        List<Row> rows = store.candidates(Leases.terms("new", 0, 8), null).rows();
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(rows).allMatch(row -> row.sameServer() == inMemory);
        assertThat(rows).extracting(Row::workerId).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 6, 7);
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'new'"))
                .isEqualTo(1 + 8);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT fence, horizon FROM idgen_worker WHERE namespace = 'new' AND worker_id = 5"))
                .containsExactly("7 | 4711");
    }

    @Test
    void withoutAGrantToMakeMissingRowsThoseThatExistAreAwaited() throws SQLException {
        onlyRow5OfANewNamespace();
        DataSource withoutGrant = Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, database.dataSource().getConnection(), call -> {
                    if (call.is("prepareStatement") && ((String) call.arguments()[0]).startsWith("INSERT")) {
                        throw new SQLException("permission denied for table idgen_worker", "42501", 1);
                    }
                    return call.proceed();
                }));
        JdbcWorkerIds limited = new JdbcWorkerIds(withoutGrant);

        assertThat(limited.candidates(Leases.terms("new", 0, 8), null).rows()).isEmpty();
        assertThat(assertThrows(
                                AllocationException.class,
                                () -> limited.candidates(Leases.terms("another", 0, 8), null))
                        .code())
                .isEqualTo(ErrorCode.STATEMENT_REFUSED);
    }

    private void execute(String statement) throws SQLException {
        Sql.execute(database.dataSource(), statement);
    }

    private void assertSetBack(Lease lease, boolean setBack) {
        assertThat(store.look(TERMS, lease).orElseThrow().setBack()).isEqualTo(setBack);
    }

    @Test
    void eachSignOfARestoreIsSeenOnTheServerOfTheLeaseAlone() throws SQLException {
        Lease lease = acquired();
        String row = " WHERE worker_id = " + lease.workerId();
        Lease healed = new Lease(lease.workerId(), 1, lease.token(), lease.horizonMillis(), 7, lease.server());

        assertSetBack(lease, false);
        assertSetBack(healed, true); // a lower generation
        execute("UPDATE idgen_worker SET horizon = horizon - 1" + row);
        assertSetBack(lease, true);
        execute("UPDATE idgen_worker SET horizon = horizon + 1, fence = fence - 1" + row);
        assertSetBack(lease, true);
        execute("UPDATE idgen_worker SET fence = fence + 1, owner_token = 'another'" + row);
        assertSetBack(lease, true);
        execute("UPDATE idgen_worker SET owner_token = NULL" + row);
        assertSetBack(lease, true);
        execute("UPDATE idgen_worker SET fence = fence + 1" + row);
        assertSetBack(lease, true);
        execute("UPDATE idgen_worker SET granted_from = horizon" + row);
        assertSetBack(lease, false);
        execute("UPDATE idgen_worker SET horizon = 0, generation = 1" + row);
        assertSetBack(lease, false);
        execute("UPDATE idgen_worker SET generation = 0" + row);
        assertSetBack(lease, true);
        Lease elsewhere = new Lease(lease.workerId(), 1, lease.token(), lease.horizonMillis(), 0, "another server");
        assertSetBack(elsewhere, false);
        assertThat(store.heal(TERMS, elsewhere)).isFalse();
        JdbcWorkerIds other = store.identifiedAs("another server");
        assertThat(other.look(TERMS, lease).orElseThrow().setBack()).isFalse();
        assertThat(other.heal(TERMS, lease)).isFalse();
    }

    @Test
    void namesOfServersThatDifferInTheSlightestAreDifferentServers() {
        LeaseTerms one = Leases.terms("default", 7, 1);
        Candidates before = store.candidates(one, null);
        for (String name : List.of("srv", "srv.", "'srv'")) {
            JdbcWorkerIds named = store.identifiedAs(name);
            Row row = named.candidates(one, null).rows().get(0);
            assertThat(row.sameServer()).as(name).isFalse();
            long horizon = Math.max(row.horizonMillis(), before.nowMillis() + TERMS.gapMillis() + 60_000) + 1;
            assertThat(named.fenceOff(one, row, horizon)).isTrue();
            assertThat(named.candidates(one, null).rows().get(0).sameServer())
                    .as("control: the same name again")
                    .isTrue();
        }
        for (String name : List.of("Srv", "café", "主库")) {
            assertThrows(IllegalArgumentException.class, () -> store.identifiedAs(name));
        }
    }

    @Test
    void aHealLiftsAllRowsOnce() throws SQLException {
        Lease lease = acquired();
        execute("UPDATE idgen_worker SET fence = 0, horizon = 0 WHERE worker_id = " + lease.workerId());
        long now = store.look(TERMS, lease).orElseThrow().nowMillis();

        assertThat(store.heal(TERMS, lease)).isTrue();
        assertThat(store.heal(TERMS, lease)).as("again").isFalse();

        assertThat(store.look(TERMS, lease).orElseThrow().generation()).isEqualTo(1);
        assertThat(Sql.rows(database.dataSource(), "SELECT generation, COUNT(*) FROM idgen_worker GROUP BY generation"))
                .containsExactly("1 | 1025");
        assertThat(Sql.number(database.dataSource(), "SELECT MIN(horizon) FROM idgen_worker WHERE worker_id >= 0"))
                .isGreaterThanOrEqualTo(now + 186_000);
        assertThat(store.candidates(TERMS, null).rows())
                .allMatch(row -> row.generation() == 1 && row.fence() == 1 && !row.held());
    }

    @Test
    void aHealThatReadsAReplicaChangesNothing() throws SQLException {
        Lease lease = acquired();
        DataSource asOfAReplica = Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, database.dataSource().getConnection(), call -> {
                    if (call.is("prepareStatement")) {
                        String sql = (String) call.arguments()[0];
                        call.arguments()[0] =
                                sql.replace("SELECT owner_token, fence,", "SELECT owner_token, fence - 1,");
                    }
                    return call.proceed();
                }));

        assertThat(new JdbcWorkerIds(asOfAReplica).heal(TERMS, lease)).isFalse();

        assertThat(store.look(TERMS, lease).orElseThrow().held()).isTrue();
        execute("UPDATE idgen_worker SET fence = fence - 1 WHERE worker_id = " + lease.workerId());
        assertThat(store.heal(TERMS, lease))
                .as("control: a row that is as the replica shows it")
                .isTrue();
    }

    @Test
    void aRowThatWasSetBackUnderItsOwnLeaseIsRaisedFromWhatWasRead() throws SQLException {
        Lease lease = acquired();
        execute("UPDATE idgen_worker SET horizon = 4711 WHERE worker_id = " + lease.workerId());

        assertThat(store.raise(TERMS, lease, 4710)).isFalse();
        assertThat(store.identifiedAs("another server").raise(TERMS, lease, 4711))
                .isFalse();
        assertThat(store.raise(TERMS, lease, 4711)).isTrue();

        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1)).isTrue();
    }

    @Test
    void rowsThatAreMadeLaterHaveTheGenerationOfTheNamespace() throws SQLException {
        onlyRow5OfANewNamespace();
        execute("UPDATE idgen_worker SET generation = 3 WHERE namespace = 'new'");

        assertThat(store.candidates(Leases.terms("new", 0, 8), null).rows())
                .hasSize(7)
                .allMatch(row -> row.generation() == 3);
    }

    private static LeaseTerms tsid() {
        return new LeaseTerms("default", SnowflakeLayout.TSID, 0, 1024);
    }

    @Test
    void rowsThatNobodyHasUsedFollowTheLayoutOfTheFirst() {
        LeaseTerms small = new LeaseTerms("default", SnowflakeLayout.JS_SAFE, 0, 8);
        Candidates candidates = store.candidates(small, null);
        assertThat(candidates.rows()).hasSize(8).allMatch(Row::sameServer);

        Row row = candidates.rows().get(0);
        assertThat(store.acquire(small, row, null, Leases.after(row, "token", candidates.nowMillis() + 15_000)))
                .isTrue();

        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(TERMS, null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    @Test
    void rowsThatWereRepairedDoNotFollowAnotherLayout() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = NULL");

        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(tsid(), null));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    /**
     * Like {@code TERMS}, but with four worker bits less. Ids of its worker id 2 can equal ids of worker id 32 in the
     * default layout.
     */
    private static LeaseTerms fewerWorkers(String namespace, int first, int workerIds) {
        return new LeaseTerms(namespace, SnowflakeLayout.parse("41-3-3-16"), first, workerIds);
    }

    @Test
    void aNamespaceHasOneLayoutAlsoWhereDatacentersKeepItsRowsApart() throws SQLException {
        assertThat(store.candidates(Leases.terms("shop", 32, 32), null).rows()).hasSize(32);
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET fence = 1 WHERE worker_id = 32");

        AllocationException e =
                assertThrows(AllocationException.class, () -> store.candidates(fewerWorkers("shop", 0, 8), null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(e)
                .hasMessageContaining(SnowflakeLayout.IDGEN.toString())
                .hasMessageContaining("idgen repair layout");
        assertThat(e.getMessage()).doesNotContain("another idgen.worker.namespace");
        assertThat(store.candidates(Leases.terms("shop", 64, 32), null).rows()).hasSize(32);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'shop' GROUP BY layout"))
                .containsExactly(TERMS.layoutAndTimes() + " | 65");
    }

    @Test
    void rowsThatNobodyHasUsedFollowALayoutWithWorkerIdsBeyondThem() throws SQLException {
        LeaseTerms wide = new LeaseTerms("default", SnowflakeLayout.parse("41-6-6-10"), 4032, 64);

        assertThat(store.candidates(wide, null).rows())
                .extracting(Row::workerId)
                .contains(4032, 4095);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'default' GROUP BY layout"))
                .containsExactly(wide.layoutAndTimes() + " | 1089");
    }

    @Test
    void datacentersOfTwoLayoutsThatStartAtOnceDoNotShareANamespace() throws Exception {
        ParallelThreads.run(8, thread -> {
            LeaseTerms terms =
                    thread % 2 == 0 ? Leases.terms("shop", 32 * thread, 32) : fewerWorkers("shop", 8 * (thread / 2), 8);
            try {
                return isOffered(terms);
            } catch (AllocationException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED); // too many calls for some databases
                return false;
            }
        });

        assertThat(isOffered(Leases.terms("shop", 0, 32)) || isOffered(fewerWorkers("shop", 0, 8)))
                .isTrue();
        assertThat(Sql.number(
                        database.dataSource(),
                        "SELECT COUNT(DISTINCT layout) FROM idgen_worker WHERE namespace = 'shop'"))
                .isEqualTo(1);
    }

    private boolean isOffered(LeaseTerms terms) {
        try {
            return !store.candidates(terms, null).rows().isEmpty();
        } catch (AllocationException e) {
            if (e.code() == ErrorCode.LAYOUT_MISMATCH) {
                return false;
            }
            throw e;
        }
    }

    @Test
    void aMissingTableIsNamedWithTheStatementsThatMakeIt() throws SQLException {
        new IdgenSchema(database.dataSource()).drop();
        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(TERMS, null));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e).hasMessageContaining("CREATE TABLE").hasMessageContaining("INSERT INTO idgen_worker");
        assertThat(e.getMessage()).doesNotContain("idgen_counter");
    }

    @Test
    void theHolderIsNamedByItsProcessAndItsHost() {
        String process = ProcessHandle.current().pid() + "@";
        Lease lease = acquired();
        LeaseTerms itsRow = Leases.terms("default", lease.workerId(), 1);
        assertThat(store.candidates(itsRow, null).holders())
                .contains("worker id " + lease.workerId())
                .contains(process)
                .contains("until 20");
    }
}
