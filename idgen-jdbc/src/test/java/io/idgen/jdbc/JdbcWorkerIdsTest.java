package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.contract.Together;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Offer;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Sight;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenRepair;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each statement of the lease, on each database: what it grants, and what it refuses. */
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

    private static Terms terms(String namespace, int first, int machines) {
        return new Terms(namespace, SnowflakeLayout.IDGEN, first, machines, LEASE, WINDOW);
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
        return new Lease(row.machine(), row.fence() + 1, "token-" + row.machine(), horizonMillis);
    }

    private Lease acquired() {
        Offer offer = store.offer(TERMS, null);
        Row row = offer.rows().get(0);
        Lease lease = lease(row, offer.nowMillis() + 15_000);
        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        return lease;
    }

    @Test
    void theScriptsRowsAreOfTheDefaultLayoutAndOfThisServer() throws SQLException {
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE worker_id >= 0"))
                .isEqualTo(1024);
        assertThat(Sql.number(database.dataSource(), "SELECT MAX(worker_id) FROM idgen_worker"))
                .isEqualTo(1023);
        assertThat(store.offer(TERMS, null).rows()).hasSize(64).allMatch(Row::sameServer);
    }

    @Test
    void theTimeIsThatOfTheDatabaseInUtc() {
        assertThat(Instant.ofEpochMilli(store.offer(TERMS, null).nowMillis()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    void aRowIsTakenOnce() {
        Offer offer = store.offer(TERMS, null);
        Row row = offer.rows().get(0);
        Lease lease = lease(row, offer.nowMillis() + 15_000);

        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        assertThat(store.acquire(TERMS, row, null, lease)).isFalse();
        assertThat(store.offer(TERMS, null).rows()).extracting(Row::machine).doesNotContain(row.machine());
        Sight sight = store.look(TERMS, lease).orElseThrow();
        assertThat(sight.held()).isTrue();
        assertThat(sight.sameServer()).isTrue();
        assertThat(sight.horizonMillis()).isEqualTo(lease.horizonMillis());
    }

    @Test
    void aRowThatHasChangedSinceItWasOfferedIsNotTaken() throws SQLException {
        Offer offer = store.offer(TERMS, null);
        Row taken = offer.rows().get(0);
        Row extended = offer.rows().get(1);
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET fence = fence + 1 WHERE worker_id = " + taken.machine());
        Sql.execute(
                database.dataSource(), "UPDATE idgen_worker SET horizon = 1 WHERE worker_id = " + extended.machine());

        for (Row row : List.of(taken, extended)) {
            assertThat(store.acquire(TERMS, row, null, lease(row, offer.nowMillis() + 15_000)))
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
                "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id = " + lease.machine());

        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        Sight sight = store.look(TERMS, lease).orElseThrow();
        assertThat(sight.held()).isTrue();
        assertThat(sight.sameServer()).isFalse();
        assertThat(sight.horizonMillis()).isEqualTo(lease.horizonMillis());
    }

    @Test
    void theNameOfTheServerIsAValueAndNeverSql() {
        JdbcWorkerIds named = store.identifiedAs("it's ? \\");
        Offer offer = named.offer(TERMS, null);
        Row row = offer.rows().get(0);
        assertThat(row.sameServer()).isFalse();
        long horizon = offer.nowMillis() + offer.gapMillis() + 60_000;
        assertThat(named.lift(TERMS, row, horizon, offer.gapMillis())).isTrue();
        assertThat(named.lift(TERMS, row, horizon, offer.gapMillis())).isFalse();

        Terms longer = new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, LEASE, Duration.ofHours(1));
        Row lifted = new Row(row.machine(), row.fence() + 1, horizon, true);
        Lease lease = lease(lifted, horizon + 15_000);
        assertThat(store.acquire(longer, lifted, null, lease)).isFalse();
        assertThat(named.acquire(longer, lifted, null, lease)).isTrue();
        assertThat(store.look(longer, lease).orElseThrow().sameServer()).isFalse();
        assertThat(named.look(longer, lease).orElseThrow().sameServer()).isTrue();
        assertThat(store.extend(longer, lease, horizon + 30_000)).isFalse();
        assertThat(named.extend(longer, lease, horizon + 30_000)).isTrue();
        Terms shop = terms("shop", 0, 1);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(named.offer(shop, null).rows()).allMatch(each -> each.sameServer() == inMemory);
    }

    @Test
    void aHorizonFurtherThanAWindowIsRefused() {
        Offer offer = store.offer(TERMS, null);
        Row row = offer.rows().get(0);

        assertThat(store.acquire(TERMS, row, null, lease(row, offer.nowMillis() + WINDOW.toMillis() + 60_000)))
                .isFalse();
        Lease lease = acquired();
        assertThat(store.extend(TERMS, lease, offer.nowMillis() + WINDOW.toMillis() + 60_000))
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

        Row row = store.offer(TERMS, null).rows().stream()
                .filter(each -> each.machine() == lease.machine())
                .findFirst()
                .orElseThrow(() -> new AssertionError("it is not offered: " + store.offer(TERMS, null)));
        Lease other = new Lease(row.machine(), row.fence() + 1, "another", row.horizonMillis() + 1_000);
        assertThat(store.acquire(TERMS, row, null, other)).isTrue();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.renew(TERMS, lease)).isFalse();
        assertThat(store.release(TERMS, lease, lease.horizonMillis())).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().held()).isFalse();
    }

    private void expire(Lease lease) throws SQLException {
        // the others keep out of the offer, which has the lowest horizons
        Sql.execute(
                database.dataSource(), "UPDATE idgen_worker SET lease_until = 0 WHERE worker_id = " + lease.machine());
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id <> " + lease.machine());
    }

    @Test
    void aLeaseThatIsNotOverIsTakenByItsOwnTokenAlone() throws SQLException {
        Lease lease = acquired();
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id <> " + lease.machine());

        assertThat(store.offer(TERMS, null).rows()).isEmpty();
        assertThat(store.offer(TERMS, "another").rows()).isEmpty();
        Row row = store.offer(TERMS, lease.token()).rows().get(0);
        Lease again = new Lease(row.machine(), row.fence() + 1, "fresh", row.horizonMillis() + 1_000);
        assertThat(store.acquire(TERMS, row, "another", again)).isFalse();
        assertThat(store.acquire(TERMS, row, lease.token(), again)).isTrue();
    }

    @Test
    void aRowThatIsReservedIsNoLeasesAndItsHolderCanOnlyUseUpWhatItHas() {
        Lease lease = acquired();
        RowState seen = store.state(TERMS, lease.machine()).orElseThrow();
        assertThat(seen.reserved()).isFalse();
        assertThat(seen.token()).isEqualTo(lease.token());
        assertThat(seen.holder()).startsWith(ProcessHandle.current().pid() + "@");
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isTrue();
        assertThat(store.reserve(TERMS, lease.machine(), seen, "process", seen.horizonMillis()))
                .as("seen before the horizon was raised")
                .isFalse();
        lease = new Lease(lease.machine(), lease.fence(), lease.token(), lease.horizonMillis() + 1_000);
        seen = store.state(TERMS, lease.machine()).orElseThrow();

        assertThat(store.reserve(TERMS, lease.machine(), seen, "process", seen.horizonMillis()))
                .isTrue();

        assertThat(store.reserve(TERMS, lease.machine(), seen, "another", seen.horizonMillis()))
                .as("seen before")
                .isFalse();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.renew(TERMS, lease)).isFalse();
        assertThat(store.release(TERMS, lease, lease.horizonMillis())).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().held()).isFalse();
        Terms itsRow = terms("default", lease.machine(), 1);
        assertThat(store.offer(itsRow, lease.token()).rows()).isEmpty();
        assertThat(store.holders(itsRow))
                .contains("worker id " + lease.machine() + ", reserved for "
                        + ProcessHandle.current().pid() + "@");
        RowState reserved = store.state(TERMS, lease.machine()).orElseThrow();
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
        assertThat(store.offer(terms("default", 5, 1), null).rows()).isEmpty();
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
        for (int machine = 0; machine < 1000; machine++) {
            excluded.add(machine);
        }

        assertThat(store.offer(TERMS.without(excluded), null).rows())
                .extracting(Row::machine)
                .hasSize(24)
                .allMatch(machine -> machine >= 1000);
    }

    @Test
    void aReleasedRowBeginsWhereItsOwnerEnded() {
        Lease lease = acquired();
        long used = lease.horizonMillis() - 5_000;

        assertThat(store.release(TERMS, lease, used)).isTrue();
        assertThat(store.release(TERMS, lease, used)).isFalse();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1)).isFalse();
        Sight sight = store.look(TERMS, lease).orElseThrow();
        assertThat(sight.held()).isFalse();
        assertThat(sight.horizonMillis()).isEqualTo(used);
    }

    @Test
    void aRowOfAnotherServerIsLiftedOnceAndThenTaken() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'old' WHERE worker_id > 0");
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = NULL WHERE worker_id = 0");
        Offer offer = store.offer(TERMS, null);
        assertThat(offer.gapMillis()).isEqualTo(185_000);
        assertThat(offer.rows()).noneMatch(Row::sameServer);
        for (Row row : offer.rows().subList(0, 2)) {
            Lease lease = lease(row, offer.nowMillis() + 15_000);
            long horizon = offer.nowMillis() + offer.gapMillis() + 60_000;

            assertThat(store.acquire(TERMS, row, null, lease)).isFalse();
            assertThat(store.lift(TERMS, row, offer.nowMillis() + 1_000, offer.gapMillis()))
                    .as("too low a horizon")
                    .isFalse();
            assertThat(store.lift(TERMS, row, horizon, offer.gapMillis())).isTrue();
            assertThat(store.lift(TERMS, row, horizon, offer.gapMillis())).isFalse();
            assertThat(store.look(TERMS, lease).orElseThrow())
                    .satisfies(sight -> assertThat(sight.horizonMillis()).isEqualTo(horizon))
                    .satisfies(sight -> assertThat(sight.sameServer()).isTrue())
                    .satisfies(sight -> assertThat(sight.held()).isFalse());
        }
    }

    @Test
    void theGapIsThatOfTheLongestWindowThatWasEverUsed() {
        Terms longer = new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, LEASE, Duration.ofHours(1));
        Offer offer = store.offer(longer, null);
        Row row = offer.rows().get(0);
        assertThat(store.acquire(longer, row, null, lease(row, offer.nowMillis() + 15_000)))
                .isTrue();

        assertThat(store.offer(TERMS, null).gapMillis()).isEqualTo(3_605_000);
    }

    @Test
    void aNewNamespaceGetsRowsThatNoServerAnswersForUnlessItIsInMemory() {
        Terms shop = terms("it's a shop", 32, 32);
        List<Row> rows = store.offer(shop, null).rows();

        assertThat(rows).extracting(Row::machine).hasSize(32).contains(32, 63);
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        assertThat(rows).allMatch(row -> row.sameServer() == inMemory);
    }

    @Test
    void sixteenProcessesThatMakeANamespaceAtOnceMakeItOnce() throws Exception {
        Together.run(16, thread -> store.offer(terms("new", 0, 64), null).rows().size());

        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'new'"))
                .isEqualTo(1 + 64);
    }

    private static Terms tsid() {
        return new Terms("default", SnowflakeLayout.TSID, 0, 1024, LEASE, WINDOW);
    }

    @Test
    void rowsThatNobodyHasUsedFollowTheLayoutOfTheFirst() {
        Terms small = new Terms("default", SnowflakeLayout.JS_SAFE, 0, 8, LEASE, WINDOW);
        Offer offer = store.offer(small, null);
        assertThat(offer.rows()).hasSize(8).allMatch(Row::sameServer);

        Row row = offer.rows().get(0);
        assertThat(store.acquire(small, row, null, lease(row, offer.nowMillis() + 15_000)))
                .isTrue();

        AllocationException e = assertThrows(AllocationException.class, () -> store.offer(TERMS, null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    @Test
    void rowsThatWereRepairedDoNotFollowAnotherLayout() {
        new IdgenRepair(database.dataSource()).workerIds("default", SnowflakeLayout.IDGEN);

        AllocationException e = assertThrows(AllocationException.class, () -> store.offer(tsid(), null));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    /** Whether a row was to be had in the end: until somebody has one, the rows are of whoever has looked last. */
    private boolean isLeased(Terms terms, int which) {
        try {
            while (true) {
                Offer offer = store.offer(terms, null);
                if (offer.rows().size() > which) {
                    Row row = offer.rows().get(which);
                    if (store.acquire(terms, row, null, lease(row, offer.nowMillis() + 15_000))) {
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
    private static Terms fewerWorkers(String namespace, int first, int machines) {
        return new Terms(namespace, SnowflakeLayout.parse("41-3-3-16"), first, machines, LEASE, WINDOW);
    }

    @Test
    void aNamespaceHasOneLayoutAlsoWhereDatacentersKeepItsRowsApart() throws SQLException {
        assertThat(store.offer(terms("shop", 32, 32), null).rows()).hasSize(32);
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET fence = 1 WHERE worker_id = 32");

        AllocationException e =
                assertThrows(AllocationException.class, () -> store.offer(fewerWorkers("shop", 0, 8), null));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(e).hasMessageContaining(SnowflakeLayout.IDGEN.toString()).hasMessageContaining("changeLayout");
        assertThat(e.getMessage()).doesNotContain("another idgen.worker.namespace");
        assertThat(store.offer(terms("shop", 64, 32), null).rows()).hasSize(32);
        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'shop' GROUP BY layout"))
                .containsExactly(SnowflakeLayout.IDGEN + " | 65");
    }

    @Test
    void rowsThatNobodyHasUsedFollowALayoutWithWorkerIdsBeyondThem() throws SQLException {
        Terms wide = new Terms("default", SnowflakeLayout.parse("41-6-6-10"), 4032, 64, LEASE, WINDOW);

        assertThat(store.offer(wide, null).rows()).extracting(Row::machine).contains(4032, 4095);
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
            return !store.offer(terms, null).rows().isEmpty();
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
        AllocationException e = assertThrows(AllocationException.class, () -> store.offer(tsid, null));

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
        AllocationException e = assertThrows(AllocationException.class, () -> store.offer(TERMS, null));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e).hasMessageContaining("CREATE TABLE").hasMessageContaining("INSERT INTO idgen_worker");
        assertThat(e.getMessage()).doesNotContain("idgen_segment");
    }

    @Test
    void whoHoldsThemAndUntilWhenIsTold() {
        Lease lease = acquired();

        assertThat(store.holders(terms("default", lease.machine(), 1)))
                .contains("worker id " + lease.machine())
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
