package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.contract.Together;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenRepair;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each statement of the lease, on each database: what it grants, and what it rejects. */
@ParameterizedClass
@EnumSource
@Timeout(60)
@Tag("databases")
class JdbcWorkerIdsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofSeconds(180);
    private static final Terms TERMS = terms("default", 0, 1024);

    private final TestDatabase kind;
    private Database database;
    private JdbcWorkerIds store;

    JdbcWorkerIdsTest(TestDatabase kind) {
        this.kind = kind;
    }

    private static Terms terms(String namespace, int first, int workerIds) {
        return new Terms(namespace, SnowflakeLayout.IDGEN, first, workerIds, LEASE, WINDOW);
    }

    @BeforeEach
    void open() {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        store = new JdbcWorkerIds(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Lease lease(Row row, long horizonMillis) {
        return new Lease(row.workerId(), row.fence() + 1, "token-" + row.workerId(), horizonMillis);
    }

    private Lease acquired() {
        Candidates candidates = store.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        Lease lease = lease(row, candidates.nowMillis() + 15_000);
        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        return lease;
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
    void aRowIsTakenOnce() {
        Candidates candidates = store.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        Lease lease = lease(row, candidates.nowMillis() + 15_000);

        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        assertThat(store.acquire(TERMS, row, null, lease)).isFalse();
        assertThat(store.candidates(TERMS, null).rows())
                .extracting(Row::workerId)
                .doesNotContain(row.workerId());
        LeaseView view = store.look(TERMS, lease).orElseThrow();
        assertThat(view.held()).isTrue();
        assertThat(view.sameServer()).isTrue();
        assertThat(view.horizonMillis()).isEqualTo(lease.horizonMillis());
    }

    @Test
    void aRowThatHasChangedSinceItWasOfferedIsNotTaken() throws SQLException {
        Candidates candidates = store.candidates(TERMS, null);
        Row taken = candidates.rows().get(0);
        Row extended = candidates.rows().get(1);
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET fence = fence + 1 WHERE worker_id = " + taken.workerId());
        Sql.execute(
                database.dataSource(), "UPDATE idgen_worker SET horizon = 1 WHERE worker_id = " + extended.workerId());

        for (Row row : List.of(taken, extended)) {
            assertThat(store.acquire(TERMS, row, null, lease(row, candidates.nowMillis() + 15_000)))
                    .isFalse();
        }
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE owner_token IS NOT NULL"))
                .isZero();
    }

    @Test
    void anotherServerExtendsNothing() throws SQLException {
        Lease lease = acquired();
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id = " + lease.workerId());

        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        LeaseView view = store.look(TERMS, lease).orElseThrow();
        assertThat(view.held()).isTrue();
        assertThat(view.sameServer()).isFalse();
        assertThat(view.horizonMillis()).isEqualTo(lease.horizonMillis());
    }

    @Test
    void theNameOfTheServerIsAValueAndNeverSql() {
        JdbcWorkerIds named = store.identifiedAs("it's ? \\");
        Candidates candidates = named.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        assertThat(row.sameServer()).isFalse();
        long horizon = candidates.nowMillis() + candidates.gapMillis() + 60_000;
        assertThat(named.advance(TERMS, row, horizon, candidates.gapMillis())).isTrue();
        assertThat(named.advance(TERMS, row, horizon, candidates.gapMillis())).isFalse();

        Terms longer = new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, LEASE, Duration.ofHours(1));
        Row advanced = new Row(row.workerId(), row.fence() + 1, horizon, true, false);
        Lease lease = lease(advanced, horizon + 15_000);
        assertThat(store.acquire(longer, advanced, null, lease)).isFalse();
        assertThat(named.acquire(longer, advanced, null, lease)).isTrue();
        assertThat(store.look(longer, lease).orElseThrow().sameServer()).isFalse();
        assertThat(named.look(longer, lease).orElseThrow().sameServer()).isTrue();
        assertThat(store.extend(longer, lease, horizon + 30_000)).isFalse();
        assertThat(named.extend(longer, lease, horizon + 30_000)).isTrue();
        Terms shop = terms("shop", 0, 1);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(named.candidates(shop, null).rows()).allMatch(each -> each.sameServer() == inMemory);
    }

    @Test
    void aHorizonFurtherThanAWindowIsRefused() {
        Candidates candidates = store.candidates(TERMS, null);
        Row row = candidates.rows().get(0);

        assertThat(store.acquire(TERMS, row, null, lease(row, candidates.nowMillis() + WINDOW.toMillis() + 60_000)))
                .isFalse();
        Lease lease = acquired();
        assertThat(store.extend(TERMS, lease, candidates.nowMillis() + WINDOW.toMillis() + 60_000))
                .isFalse();
    }

    @Test
    void anExtensionIsGrantedOnceAndOnlyOfTheHorizonThatIsKnown() {
        Lease lease = acquired();
        long horizon = lease.horizonMillis() + 100_000;

        assertThat(store.extend(TERMS, lease, horizon)).isTrue();
        assertThat(store.extend(TERMS, lease, horizon + 1)).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().horizonMillis()).isEqualTo(horizon);
    }

    @Test
    void aLeaseThatIsOverIsAnothersToTakeAndNoLongerExtended() throws SQLException {
        Lease lease = acquired();
        assertThat(store.renew(TERMS, lease)).isTrue();
        expire(lease);

        Row row = store.candidates(TERMS, null).rows().stream()
                .filter(each -> each.workerId() == lease.workerId())
                .findFirst()
                .orElseThrow(() -> new AssertionError("it is no candidate: " + store.candidates(TERMS, null)));
        Lease other = new Lease(row.workerId(), row.fence() + 1, "another", row.horizonMillis() + 1_000);
        assertThat(store.acquire(TERMS, row, null, other)).isTrue();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.renew(TERMS, lease)).isFalse();
        assertThat(store.release(TERMS, lease, lease.horizonMillis())).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().held()).isFalse();
    }

    private void expire(Lease lease) throws SQLException {
        // the others are no candidates; the list which has the lowest horizons
        Sql.execute(
                database.dataSource(), "UPDATE idgen_worker SET lease_until = 0 WHERE worker_id = " + lease.workerId());
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id <> " + lease.workerId());
    }

    @Test
    void aLeaseThatIsNotOverIsTakenByItsOwnTokenAlone() throws SQLException {
        Lease lease = acquired();
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id <> " + lease.workerId());

        assertThat(store.candidates(TERMS, null).rows()).isEmpty();
        assertThat(store.candidates(TERMS, "another").rows()).isEmpty();
        Row row = store.candidates(TERMS, lease.token()).rows().get(0);
        Lease again = new Lease(row.workerId(), row.fence() + 1, "fresh", row.horizonMillis() + 1_000);
        assertThat(store.acquire(TERMS, row, "another", again)).isFalse();
        assertThat(store.acquire(TERMS, row, lease.token(), again)).isTrue();
    }

    @Test
    void aRowThatIsReservedIsNoLeasesAndItsHolderCanOnlyUseUpWhatItHas() {
        Lease lease = acquired();
        RowState seen = store.state(TERMS, lease.workerId()).orElseThrow();
        assertThat(seen.reserved()).isFalse();
        assertThat(seen.token()).isEqualTo(lease.token());
        assertThat(seen.holder()).startsWith(ProcessHandle.current().pid() + "@");
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isTrue();
        assertThat(store.reserve(TERMS, lease.workerId(), seen, "process", seen.horizonMillis()))
                .as("seen before the horizon was raised")
                .isFalse();
        lease = new Lease(lease.workerId(), lease.fence(), lease.token(), lease.horizonMillis() + 1_000);
        seen = store.state(TERMS, lease.workerId()).orElseThrow();

        assertThat(store.reserve(TERMS, lease.workerId(), seen, "process", seen.horizonMillis()))
                .isTrue();

        assertThat(store.reserve(TERMS, lease.workerId(), seen, "another", seen.horizonMillis()))
                .as("seen before")
                .isFalse();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.renew(TERMS, lease)).isFalse();
        assertThat(store.release(TERMS, lease, lease.horizonMillis())).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().held()).isFalse();
        Terms itsRow = terms("default", lease.workerId(), 1);
        assertThat(store.candidates(itsRow, lease.token()).rows()).isEmpty();
        assertThat(store.holders(itsRow))
                .contains("worker id " + lease.workerId() + ", reserved for "
                        + ProcessHandle.current().pid() + "@");
        RowState reserved = store.state(TERMS, lease.workerId()).orElseThrow();
        assertThat(reserved.reserved()).isTrue();
        assertThat(reserved.token()).isEqualTo("process");
        assertThat(reserved.fence()).isEqualTo(lease.fence() + 1);
        assertThat(reserved.heldUntilMillis() - reserved.nowMillis())
                .isBetween(LEASE.toMillis() - 10_000, LEASE.toMillis());
    }

    @Test
    void aReservationIsRenewedAndLeftWithItsHorizonAndStaysWithoutAHolder() {
        RowState fresh = store.state(TERMS, 5).orElseThrow();
        assertThat(store.reserve(TERMS, 5, fresh, "process", fresh.nowMillis())).isTrue();
        RowState held = store.state(TERMS, 5).orElseThrow();
        assertThat(store.reserve(TERMS, 5, held, "process", held.horizonMillis() + 7))
                .isTrue();
        RowState renewed = store.state(TERMS, 5).orElseThrow();
        assertThat(renewed.horizonMillis()).isEqualTo(held.horizonMillis() + 7);

        assertThat(store.reserve(TERMS, 5, renewed, null, renewed.horizonMillis()))
                .isTrue();

        RowState left = store.state(TERMS, 5).orElseThrow();
        assertThat(left.reserved()).isTrue();
        assertThat(left.token()).isNull();
        assertThat(left.heldUntilMillis()).isZero();
        assertThat(left.horizonMillis()).isEqualTo(renewed.horizonMillis());
        assertThat(store.candidates(terms("default", 5, 1), null).rows()).isEmpty();
        assertThat(store.state(TERMS, 4_000)).isEmpty();
    }

    @Test
    void onAnotherServerARowIsReservedOnlyByTheProcessThatHoldsIt() throws SQLException {
        RowState fresh = store.state(TERMS, 5).orElseThrow();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id = 5");
        assertThat(store.reserve(TERMS, 5, fresh, "process", fresh.nowMillis())).isFalse();
        Sql.execute(
                database.dataSource(), "UPDATE idgen_worker SET owner_token = 'reserved:process' WHERE worker_id = 5");
        assertThat(store.state(TERMS, 5).orElseThrow().sameServer()).isFalse();
        assertThat(store.reserve(TERMS, 5, fresh, "another", fresh.nowMillis())).isFalse();

        assertThat(store.reserve(TERMS, 5, fresh, "process", fresh.nowMillis())).isTrue();

        assertThat(store.state(TERMS, 5).orElseThrow().sameServer()).isTrue();
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
    void aReleasedRowBeginsWhereItsOwnerEnded() {
        Lease lease = acquired();
        long used = lease.horizonMillis() - 5_000;

        assertThat(store.release(TERMS, lease, used)).isTrue();
        assertThat(store.release(TERMS, lease, used)).isFalse();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1)).isFalse();
        LeaseView view = store.look(TERMS, lease).orElseThrow();
        assertThat(view.held()).isFalse();
        assertThat(view.horizonMillis()).isEqualTo(used);
    }

    @Test
    void aRowOfAnotherServerIsAdvancedOnceAndThenTaken() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id > 0");
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = NULL WHERE worker_id = 0");
        Candidates candidates = store.candidates(TERMS, null);
        assertThat(candidates.gapMillis()).isEqualTo(185_000);
        assertThat(candidates.rows()).noneMatch(Row::sameServer);
        for (Row row : candidates.rows().subList(0, 2)) {
            Lease lease = lease(row, candidates.nowMillis() + 15_000);
            long horizon = candidates.nowMillis() + candidates.gapMillis() + 60_000;

            assertThat(store.acquire(TERMS, row, null, lease)).isFalse();
            assertThat(store.advance(TERMS, row, candidates.nowMillis() + 1_000, candidates.gapMillis()))
                    .as("too low a horizon")
                    .isFalse();
            assertThat(store.advance(TERMS, row, horizon, candidates.gapMillis()))
                    .isTrue();
            assertThat(store.advance(TERMS, row, horizon, candidates.gapMillis()))
                    .isFalse();
            assertThat(store.look(TERMS, lease).orElseThrow())
                    .satisfies(view -> assertThat(view.horizonMillis()).isEqualTo(horizon))
                    .satisfies(view -> assertThat(view.sameServer()).isTrue())
                    .satisfies(view -> assertThat(view.held()).isFalse());
        }
    }

    @Test
    void theGapIsThatOfTheLongestWindowThatWasEverUsed() {
        Terms longer = new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, LEASE, Duration.ofHours(1));
        Candidates candidates = store.candidates(longer, null);
        Row row = candidates.rows().get(0);
        assertThat(store.acquire(longer, row, null, lease(row, candidates.nowMillis() + 15_000)))
                .isTrue();

        assertThat(store.candidates(TERMS, null).gapMillis()).isEqualTo(3_605_000);
    }

    @Test
    void aNewNamespaceGetsRowsThatNoServerAnswersForUnlessItIsInMemory() {
        Terms shop = terms("it's a shop", 32, 32);
        List<Row> rows = store.candidates(shop, null).rows();

        assertThat(rows).extracting(Row::workerId).hasSize(32).contains(32, 63);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(rows).allMatch(row -> row.sameServer() == inMemory);
    }

    @Test
    void sixteenProcessesThatMakeANamespaceAtOnceMakeItOnce() throws Exception {
        Together.run(
                16, thread -> store.candidates(terms("new", 0, 64), null).rows().size());

        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'new'"))
                .isEqualTo(1 + 64);
    }

    /** A process with a worker id of its own has made its row, and holds it. */
    private void onlyRow5OfANewNamespace() throws SQLException {
        assertThat(store.candidates(terms("new", 5, 1), null).rows())
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

        Together.run(
                4, thread -> store.candidates(terms("new", 0, 8), null).rows().size());

        List<Row> rows = store.candidates(terms("new", 0, 8), null).rows();
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(rows).allMatch(row -> row.sameServer() == inMemory);
        assertThat(rows).extracting(Row::workerId).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 6, 7);
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'new'"))
                .isEqualTo(1 + 8);
        RowState fifth = store.state(terms("new", 0, 8), 5).orElseThrow();
        assertThat(fifth.fence()).isEqualTo(7);
        assertThat(fifth.horizonMillis()).isEqualTo(4711);
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

        assertThat(limited.candidates(terms("new", 0, 8), null).rows()).isEmpty();
        assertThat(assertThrows(AllocationException.class, () -> limited.candidates(terms("another", 0, 8), null))
                        .code())
                .isEqualTo(ErrorCode.STATEMENT_REFUSED);
    }

    private static Terms tsid() {
        return new Terms("default", SnowflakeLayout.TSID, 0, 1024, LEASE, WINDOW);
    }

    @Test
    void rowsThatNobodyHasUsedFollowTheLayoutOfTheFirst() {
        Terms small = new Terms("default", SnowflakeLayout.JS_SAFE, 0, 8, LEASE, WINDOW);
        Candidates candidates = store.candidates(small, null);
        assertThat(candidates.rows()).hasSize(8).allMatch(Row::sameServer);

        Row row = candidates.rows().get(0);
        assertThat(store.acquire(small, row, null, lease(row, candidates.nowMillis() + 15_000)))
                .isTrue();

        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(TERMS, null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    @Test
    void rowsThatWereRepairedDoNotFollowAnotherLayout() {
        new IdgenRepair(database.dataSource()).workerIds("default", SnowflakeLayout.IDGEN);

        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(tsid(), null));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    /** Whether a row was to be had in the end: until somebody has one, the rows are of whoever has looked last. */
    private boolean isLeased(Terms terms, int which) {
        try {
            while (true) {
                Candidates candidates = store.candidates(terms, null);
                if (candidates.rows().size() > which) {
                    Row row = candidates.rows().get(which);
                    if (store.acquire(terms, row, null, lease(row, candidates.nowMillis() + 15_000))) {
                        return true;
                    }
                }
            }
        } catch (AllocationException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
            return false;
        }
    }

    @Test
    void processesOfTwoLayoutsThatStartAtOnceDoNotShareANamespace() throws Exception {
        List<Boolean> leased = Together.run(8, thread -> isLeased(thread % 2 == 0 ? TERMS : tsid(), thread));

        assertThat(leased).contains(true, false);
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(DISTINCT layout) FROM idgen_worker"))
                .isEqualTo(1);
    }

    /** As {@code TERMS}, with one worker bit less: its worker id 2 has ids of worker id 32 of the default layout. */
    private static Terms fewerWorkers(String namespace, int first, int workerIds) {
        return new Terms(namespace, SnowflakeLayout.parse("41-3-3-16"), first, workerIds, LEASE, WINDOW);
    }

    @Test
    void aNamespaceHasOneLayoutAlsoWhereDatacentersKeepItsRowsApart() throws SQLException {
        assertThat(store.candidates(terms("shop", 32, 32), null).rows()).hasSize(32);
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET fence = 1 WHERE worker_id = 32");

        AllocationException e =
                assertThrows(AllocationException.class, () -> store.candidates(fewerWorkers("shop", 0, 8), null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(e).hasMessageContaining(SnowflakeLayout.IDGEN.toString()).hasMessageContaining("changeLayout");
        assertThat(e.getMessage()).doesNotContain("another idgen.worker.namespace");
        assertThat(store.candidates(terms("shop", 64, 32), null).rows()).hasSize(32);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'shop' GROUP BY layout"))
                .containsExactly(SnowflakeLayout.IDGEN + " | 65");
    }

    @Test
    void rowsThatNobodyHasUsedFollowALayoutWithWorkerIdsBeyondThem() throws SQLException {
        Terms wide = new Terms("default", SnowflakeLayout.parse("41-6-6-10"), 4032, 64, LEASE, WINDOW);

        assertThat(store.candidates(wide, null).rows())
                .extracting(Row::workerId)
                .contains(4032, 4095);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'default' GROUP BY layout"))
                .containsExactly(wide.layout() + " | 1089");
    }

    @Test
    void datacentersOfTwoLayoutsThatStartAtOnceDoNotShareANamespace() throws Exception {
        Together.run(8, thread -> {
            Terms terms = thread % 2 == 0 ? terms("shop", 32 * thread, 32) : fewerWorkers("shop", 8 * (thread / 2), 8);
            try {
                return isOffered(terms);
            } catch (AllocationException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED); // too many at once, for some databases
                return false;
            }
        });

        assertThat(isOffered(terms("shop", 0, 32)) || isOffered(fewerWorkers("shop", 0, 8)))
                .isTrue();
        assertThat(Sql.number(
                        database.dataSource(),
                        "SELECT COUNT(DISTINCT layout) FROM idgen_worker WHERE namespace = 'shop'"))
                .isEqualTo(1);
    }

    private boolean isOffered(Terms terms) {
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
    void aLayoutDoesNotChangeWhileALeaseIsAliveThoughItsHorizonHasPassed() throws SQLException {
        Lease lease = acquired();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET horizon = 0");

        assertLayoutStays(lease);
    }

    @Test
    void aLayoutDoesNotChangeWhileAHorizonLiesAheadThoughItsLeaseIsOver() throws SQLException {
        Lease lease = acquired();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET lease_until = 0");

        assertLayoutStays(lease);
    }

    private void assertLayoutStays(Lease lease) throws SQLException {
        SnowflakeLayout earlier = SnowflakeLayout.IDGEN.withEpoch(Instant.parse("2020-01-01T00:00:00Z"));
        AllocationException e = assertThrows(
                AllocationException.class, () -> store.changeLayout("default", SnowflakeLayout.IDGEN, earlier));
        assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
        assertThat(e).hasMessageContaining("1 worker ids of namespace 'default'");
        assertThat(Sql.rows(database.dataSource(), "SELECT layout, COUNT(*) FROM idgen_worker GROUP BY layout"))
                .containsExactly(SnowflakeLayout.IDGEN + " | 1025");

        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET horizon = 0, lease_until = 0");
        store.changeLayout("default", SnowflakeLayout.IDGEN, earlier);
        assertThat(Sql.rows(database.dataSource(), "SELECT layout, COUNT(*) FROM idgen_worker GROUP BY layout"))
                .containsExactly(earlier + " | 1025");
        assertThat(store.look(TERMS, lease)).isEmpty();
    }

    @Test
    void rowsOfAnotherLayoutAreOutOfReach() {
        Terms tsid = tsid();
        Lease lease = acquired();
        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(tsid, null));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(e)
                .hasMessageContaining(SnowflakeLayout.IDGEN.toString())
                .hasMessageContaining("namespace 'default'");
        assertThat(store.look(tsid, lease)).isEmpty();
        assertThat(store.extend(tsid, lease, lease.horizonMillis() + 1)).isFalse();
    }

    @Test
    void aMissingTableIsNamedWithTheStatementsThatMakeIt() throws SQLException {
        new IdgenSchema(database.dataSource()).drop();
        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(TERMS, null));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e).hasMessageContaining("CREATE TABLE").hasMessageContaining("INSERT INTO idgen_worker");
        assertThat(e.getMessage()).doesNotContain("idgen_segment");
    }

    @Test
    void whoHoldsThemAndUntilWhenIsTold() {
        Lease lease = acquired();

        assertThat(store.holders(terms("default", lease.workerId(), 1)))
                .contains("worker id " + lease.workerId())
                .contains(ProcessHandle.current().pid() + "@")
                .contains("until 20");
    }

    @Test
    void generatorsWithoutAnySettingGetDifferentWorkerIdsAndGiveThemBack() throws Exception {
        Set<Integer> workers = new TreeSet<>();
        List<Snowflake> all = Together.run(8, thread -> {
            Snowflake snowflake = Snowflake.builder().leasedFrom(store).build();
            snowflake.nextId();
            return snowflake;
        });
        for (Snowflake snowflake : all) {
            long id = snowflake.nextId();
            var parts = snowflake.layout().parse(id);
            workers.add(parts.datacenter() * 32 + parts.worker());
            assertThat(parts.time())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        }
        assertThat(workers).hasSize(8);
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE lease_until > 0"))
                .isEqualTo(8);
        all.forEach(Snowflake::close);

        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE lease_until > 0"))
                .isZero();
    }
}
