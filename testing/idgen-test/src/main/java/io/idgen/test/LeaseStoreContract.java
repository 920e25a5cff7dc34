package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.Together;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the contract of {@link LeaseStore}, statement by statement. Each statement changes a row only if the row is as
 * it was last seen, so that no tick of a worker id is granted twice. Extend this class once for each way to open a
 * store. It is one class, so that no part of the contract can be left out.
 */
@Timeout(60)
public abstract class LeaseStoreContract {
    // Other tests in this JVM generate no ids for this datacenter. A fixed generator follows the host's clock, which
    // may be ahead of the store's. A lease of its worker id would then begin above its ids.
    private static final int QUIET_DATACENTER = 30;

    private static final int THREADS = 8;

    /** Longer than the statements of one test take, in milliseconds of the store's time. */
    private static final long TOLERANCE = 50_000;

    /** The timeout of calls, long enough for a slow store. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private @Nullable LeaseStore opened;

    /** For subclasses. */
    protected LeaseStoreContract() {}

    /**
     * Opens a store. Called once before each test. The namespace {@code default} must be unused, and its rows must
     * count as written by the server that answers. The store may create them at the first call of {@link
     * LeaseStore#candidates}.
     *
     * @return a store that no other test uses
     */
    protected abstract LeaseStore open();

    /**
     * Lets a lease of the namespace {@code default} expire without action of its holder. Either advances the store's
     * clock by more than 30 s, or sets the end of the lease in the row to the past. Other leases may expire too.
     * Horizons stay as they are.
     *
     * @param lease a lease that is held
     */
    protected abstract void expire(Lease lease);

    /**
     * Lets another server take over the store's rows without losing any. Called at most once in a test.
     *
     * @return the store as the new server shows it, which may be the same object. Empty if no server of this store ever
     *     loses a commit that another server has seen, so that all servers count as one. Empty if not overridden
     */
    protected Optional<LeaseStore> failOver() {
        return Optional.empty();
    }

    @BeforeEach
    void openStore() {
        opened = open();
    }

    private LeaseStore store() {
        if (opened == null) {
            throw new IllegalStateException("a test has no store; call the contract's tests by JUnit");
        }
        return opened;
    }

    // ---- candidates ----

    @Test
    void candidatesAreFreeRowsOfTheTermsTheLowestHorizonFirst() {
        Terms terms = Leases.terms(4);
        Lease lease = acquired(terms);
        assertTrue(store().release(terms, lease, lease.horizonMillis()));

        List<Row> rows = store().candidates(terms, null).rows();
        assertEquals(
                Set.of(0, 1, 2, 3), rows.stream().map(Row::workerId).collect(Collectors.toSet()), "free worker ids");
        assertEquals(lease.workerId(), rows.get(3).workerId(), "the worker id with the highest horizon");
        assertEquals(lease.horizonMillis(), rows.get(3).horizonMillis());
        assertEquals(lease.fence(), rows.get(3).fence());
        assertEquals(List.of(), rows.stream().filter(Row::held).toList(), "rows that a process has");
    }

    @Test
    void aRowWhoseLeaseIsOverIsACandidateThatAProcessHas() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);

        assertEquals(List.of(rowOf(lease)), store().candidates(terms, null).rows());
    }

    @Test
    void theRowsOfANewNamespaceAreCreated() {
        Terms shop = Leases.terms("it's a shop", 32, 32);
        List<Row> rows = store().candidates(shop, null).rows();

        assertEquals(
                IntStream.range(32, 64).boxed().collect(Collectors.toSet()),
                rows.stream().map(Row::workerId).collect(Collectors.toSet()));
        assertEquals(32, rows.size());
    }

    @Test
    void aNamespaceThatManyCreateAtOnceIsCreatedOnce() throws Exception {
        Terms terms = Leases.terms("new", 0, 16);
        Together.run(THREADS, thread -> store().candidates(terms, null));

        assertEquals(16, store().candidates(terms, null).rows().size());
    }

    @Test
    void excludedWorkerIdsAreNoCandidates() {
        assertEquals(
                List.of(3),
                store().candidates(Leases.terms(4).without(Set.of(0, 1, 2)), null).rows().stream()
                        .map(Row::workerId)
                        .toList());
    }

    @Test
    void aLeasedRowIsACandidateForItsOwnTokenAlone() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);

        assertEquals(List.of(), store().candidates(terms, null).rows());
        assertEquals(List.of(), store().candidates(terms, "another").rows());
        List<Row> own = store().candidates(terms, lease.token()).rows();
        assertEquals(List.of(rowOf(lease)), own);
    }

    @Test
    void theGapIsTheLongestWindowThatWasEverUsedAndTheSkewOfTwoServers() {
        assertEquals(
                Leases.WINDOW.plus(LeaseStore.SERVER_SKEW).toMillis(),
                store().candidates(Leases.terms(4), null).gapMillis());
        acquired(new Terms("default", SnowflakeLayout.IDGEN, 0, 4, Leases.LEASE, Duration.ofHours(1)));

        assertEquals(
                Duration.ofHours(1).plus(LeaseStore.SERVER_SKEW).toMillis(),
                store().candidates(Leases.terms(4), null).gapMillis());
    }

    @Test
    void aLongerWindowIsAnnouncedBeforeItIsUsed() {
        Terms terms = Leases.terms(4);
        Terms longer = terms.withWindow(Duration.ofHours(1));
        Lease lease = acquired(terms);

        Candidates announced = store().candidates(longer, null);
        if (announced.windowMillis() == Long.MAX_VALUE) {
            return; // this store never loses a change, so a window of any length may be used at once
        }
        assertEquals(Leases.WINDOW.toMillis(), announced.windowMillis(), "the longest window that was used");
        Candidates next = store().candidates(terms, null);
        assertEquals(Leases.WINDOW.toMillis(), next.windowMillis());
        assertEquals(Duration.ofHours(1).plus(LeaseStore.SERVER_SKEW).toMillis(), next.gapMillis());

        assertTrue(store().extend(longer, lease, lease.horizonMillis() + Leases.WINDOW.toMillis() / 2));
        assertEquals(
                Duration.ofHours(1).toMillis(), store().candidates(terms, null).windowMillis());
    }

    @Test
    void rowsOfAnotherLayoutAreOutOfReach() {
        Terms terms = Leases.terms(4);
        Lease lease = acquired(terms);
        RowState state = state(terms, lease.workerId());
        Row row = rowOf(lease);
        Terms other = new Terms("default", SnowflakeLayout.TSID, 0, 4, Leases.LEASE, Leases.WINDOW);

        AllocationException e = assertThrows(AllocationException.class, () -> store().candidates(other, null));
        assertEquals(ErrorCode.LAYOUT_MISMATCH, e.code());
        assertTrue(String.valueOf(e.getMessage()).contains("'default'"), e.getMessage());
        long horizon = lease.horizonMillis();
        assertFalse(store().acquire(other, row, lease.token(), Leases.after(row, "another", horizon + 1_000)));
        assertFalse(store().fenceOff(other, row, horizon + 600_000, 185_000));
        assertFalse(store().extend(other, lease, horizon + 1_000));
        assertFalse(store().renew(other, lease));
        assertFalse(store().release(other, lease, horizon));
        assertFalse(store().reserve(other, lease.workerId(), state, "process", horizon));
        assertEquals(Optional.empty(), store().look(other, lease));
        assertEquals(Optional.empty(), store().state(other, lease.workerId()));
        assertTrue(store().extend(terms, lease, horizon + 1_000));
    }

    @Test
    void twoLayoutsThatStartAtOnceDoNotShareANamespace() throws Exception {
        Terms tsid = new Terms("default", SnowflakeLayout.TSID, 0, 64, Leases.LEASE, Leases.WINDOW);
        List<Boolean> leased =
                Together.run(THREADS, thread -> isLeased(thread % 2 == 0 ? Leases.terms(64) : tsid, thread / 2));

        assertEquals(
                Set.of(true, false),
                Set.of(leased.get(0), leased.get(1)),
                "whether generators of one layout, and of the other, got a worker id");
        for (int i = 2; i < THREADS; i++) {
            assertEquals(leased.get(i % 2), leased.get(i), "generators of one layout, in the order of threads");
        }
    }

    /**
     * Returns whether a worker id can be leased in the end. Until one is leased, the rows take the layout of the last
     * caller.
     */
    private boolean isLeased(Terms terms, int which) {
        try {
            while (true) {
                Candidates candidates = store().candidates(terms, null);
                if (candidates.rows().size() > which) {
                    Row row = candidates.rows().get(which);
                    if (store().acquire(
                                    terms, row, null, Leases.after(row, "token", candidates.nowMillis() + 15_000))) {
                        return true;
                    }
                }
            }
        } catch (AllocationException e) {
            assertEquals(ErrorCode.LAYOUT_MISMATCH, e.code());
            return false;
        }
    }

    // ---- acquire ----

    @Test
    void aRowIsTakenOnceAndHeldForALease() {
        Terms terms = Leases.terms(4);
        Candidates candidates = store().candidates(terms, null);
        Row row = candidates.rows().get(0);
        Lease lease = Leases.after(row, "mine", candidates.nowMillis() + 15_000);

        assertTrue(store().acquire(terms, row, null, lease));
        assertFalse(store().acquire(terms, row, null, lease), "taken twice");
        LeaseView view = look(terms, lease);
        assertTrue(view.held());
        assertTrue(view.sameServer());
        assertEquals(lease.horizonMillis(), view.horizonMillis());
        RowState state = state(terms, row.workerId());
        assertEquals(lease.fence(), state.fence());
        assertEquals(lease.token(), state.token());
        assertFalse(state.reserved());
        assertHeldForALease(candidates.nowMillis(), state);
    }

    @Test
    void aRowThatChangedSinceItWasACandidateIsNotTaken() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        assertTrue(store().release(terms, lease, lease.horizonMillis()));
        Row row = store().candidates(terms, null).rows().get(0);
        long horizon = row.horizonMillis() + 1_000;

        Row olderFence = new Row(row.workerId(), row.fence() - 1, row.horizonMillis(), true, false);
        assertFalse(store().acquire(terms, olderFence, null, Leases.after(olderFence, "mine", horizon)));
        Row otherHorizon = new Row(row.workerId(), row.fence(), row.horizonMillis() - 1, true, false);
        assertFalse(store().acquire(terms, otherHorizon, null, Leases.after(otherHorizon, "mine", horizon)));
        assertTrue(store().acquire(terms, row, null, Leases.after(row, "mine", horizon)));
    }

    @Test
    void aHorizonFurtherAheadThanAWindowIsRefused() {
        Terms terms = Leases.terms(1);
        Candidates candidates = store().candidates(terms, null);
        Row row = candidates.rows().get(0);
        long tooFar = candidates.nowMillis() + Leases.WINDOW.toMillis() + TOLERANCE;

        assertFalse(store().acquire(terms, row, null, Leases.after(row, "mine", tooFar)));
        assertUnchanged(terms, row);
        Lease lease = acquired(terms);
        assertFalse(store().extend(terms, lease, tooFar));
        assertEquals(lease.horizonMillis(), look(terms, lease).horizonMillis());
    }

    @Test
    void aLeaseThatIsNotOverIsTakenByItsOwnTokenAlone() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        Row row = rowOf(lease);
        Lease again = Leases.after(row, "fresh", lease.horizonMillis() + 1_000);

        assertFalse(store().acquire(terms, row, null, again));
        assertFalse(store().acquire(terms, row, "another", again));
        assertTrue(store().acquire(terms, row, lease.token(), again));
        assertTrue(look(terms, again).held());
    }

    @Test
    void aLeaseThatIsOverIsTakenByAnotherAndOfNoUseToTheFormerHolder() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        Candidates candidates = store().candidates(terms, null);
        Row row = candidates.rows().get(0);
        Lease other = Leases.after(row, "another", Math.max(row.horizonMillis(), candidates.nowMillis()) + 1_000);

        assertTrue(store().acquire(terms, row, null, other));
        assertFalse(look(terms, lease).held());
        assertFalse(store().extend(terms, lease, lease.horizonMillis() + 2_000));
        assertFalse(store().renew(terms, lease));
        assertFalse(store().release(terms, lease, lease.horizonMillis()));
        assertEquals(other.horizonMillis(), look(terms, other).horizonMillis());
    }

    @Test
    void ofManyThatTakeARowAtOnceOneGetsIt() throws Exception {
        Terms terms = Leases.terms(1);
        Candidates candidates = store().candidates(terms, null);
        Row row = candidates.rows().get(0);

        assertOneOf(
                THREADS,
                thread -> store().acquire(
                                terms,
                                row,
                                null,
                                Leases.after(row, "token " + thread, candidates.nowMillis() + 15_000 + thread)));
        assertEquals(row.fence() + 1, state(terms, row.workerId()).fence());
    }

    // ---- extend, renew, release ----

    @Test
    void anExtensionRaisesTheHorizonAndRenewsTheLease() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        long now = state(terms, lease.workerId()).nowMillis();
        long horizon = Math.max(now, lease.horizonMillis()) + 100_000;

        assertTrue(store().extend(terms, lease, horizon));
        assertEquals(horizon, look(terms, lease).horizonMillis());
        assertHeldForALease(now, state(terms, lease.workerId()));
        assertEquals(List.of(), store().candidates(terms, null).rows());
    }

    @Test
    void onlyARowThatIsAsInTheLeaseIsExtendedRenewedOrReleased() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        int workerId = lease.workerId();
        List<Lease> others = List.of(
                new Lease(workerId, lease.fence(), "another", lease.horizonMillis()),
                new Lease(workerId, lease.fence() - 1, lease.token(), lease.horizonMillis()),
                new Lease(workerId, lease.fence() + 1, lease.token(), lease.horizonMillis()),
                new Lease(workerId, lease.fence(), lease.token(), lease.horizonMillis() - 1));

        for (Lease other : others) {
            assertFalse(store().extend(terms, other, lease.horizonMillis() + 1_000), () -> "extended by " + other);
            assertFalse(store().renew(terms, other), () -> "renewed by " + other);
            assertFalse(store().release(terms, other, other.horizonMillis()), () -> "released by " + other);
        }
        assertTrue(store().extend(terms, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void anExtensionIsGrantedOnce() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        long horizon = lease.horizonMillis() + 100_000;

        assertTrue(store().extend(terms, lease, horizon));
        assertFalse(store().extend(terms, lease, horizon + 1));
        assertEquals(horizon, look(terms, lease).horizonMillis());
    }

    @Test
    void ofTwoCopiesOfAProcessThatExtendOneLeaseOneSucceeds() throws Exception {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);

        assertOneOf(2, thread -> store().extend(terms, lease, lease.horizonMillis() + 1_000 + thread));
    }

    @Test
    void aRenewalKeepsTheRowAndLeavesItsHorizon() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        assertEquals(1, store().candidates(terms, null).rows().size());
        long now = state(terms, lease.workerId()).nowMillis();

        assertTrue(store().renew(terms, lease));
        assertEquals(List.of(), store().candidates(terms, null).rows());
        assertEquals(lease.horizonMillis(), look(terms, lease).horizonMillis());
        assertHeldForALease(now, state(terms, lease.workerId()));
    }

    @Test
    void aReleasedRowIsFreeAtOnceAndBeginsWhereItsHolderEnded() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        long used = lease.horizonMillis() - 5_000;

        assertTrue(store().release(terms, lease, used));
        assertFalse(store().release(terms, lease, used), "released twice");
        assertFalse(store().extend(terms, lease, lease.horizonMillis() + 1_000));
        assertFalse(store().renew(terms, lease));
        LeaseView view = look(terms, lease);
        assertFalse(view.held());
        assertEquals(used, view.horizonMillis());
        assertNull(state(terms, lease.workerId()).token());
        assertEquals(used, store().candidates(terms, null).rows().get(0).horizonMillis());
    }

    // ---- rows that somebody sets back ----

    @Test
    void aRowThatIsAsItWasLeftProvesNothing() {
        Terms terms = Leases.terms(2);
        Lease first = acquired(terms);
        assertFalse(look(terms, first).setBack());
        assertFalse(store().heal(terms, first));
        assertFalse(store().raise(terms, first, first.horizonMillis() - 1), "raised from a horizon that it has not");
        expire(first);
        Row row = store().candidates(terms, null).rows().stream()
                .filter(each -> each.workerId() == first.workerId())
                .findFirst()
                .orElseThrow();
        long now = store().candidates(terms, null).nowMillis();
        Lease second = Leases.after(row, "another", Math.max(row.horizonMillis(), now) + 1_000);
        assertTrue(store().acquire(terms, row, null, second));

        assertFalse(look(terms, first).setBack(), "set back by a process that has leased it since");
        assertFalse(store().heal(terms, first));
        assertEquals(second.fence(), state(terms, first.workerId()).fence());
    }

    // ---- another server ----

    @Test
    void whereAnotherServerAnswersNothingIsGrantedUntilTheHorizonIsAdvanced() {
        Terms terms = Leases.terms(2);
        Lease lease = acquired(terms);
        Candidates before = store().candidates(terms, null);
        Optional<LeaseStore> next = failOver();
        if (next.isEmpty()) {
            assertOneServer(terms, lease, before);
            return;
        }
        LeaseStore other = next.get();
        assertFalse(other.extend(terms, lease, lease.horizonMillis() + 1_000), "extended on another server");
        LeaseView view = other.look(terms, lease).orElseThrow();
        assertTrue(view.held());
        assertFalse(view.sameServer());
        assertFalse(other.state(terms, lease.workerId()).orElseThrow().sameServer());

        Candidates candidates = other.candidates(terms, null);
        Row row = candidates.rows().get(0);
        assertEquals(1, candidates.rows().size(), "candidates beside the leased worker id");
        assertFalse(row.sameServer());
        assertFalse(
                other.acquire(terms, row, null, Leases.after(row, "mine", candidates.nowMillis() + 15_000)),
                "acquired before it was fenced off");
        long gap = candidates.gapMillis();
        long horizon = candidates.nowMillis() + gap + TOLERANCE;
        assertFalse(other.fenceOff(terms, row, candidates.nowMillis() + 1_000, gap), "fenced off by less than the gap");
        Row stale = new Row(row.workerId(), row.fence() + 1, row.horizonMillis(), false, false);
        assertFalse(other.fenceOff(terms, stale, horizon, gap), "fenced off with another fence");
        assertTrue(other.fenceOff(terms, row, horizon, gap));
        assertFalse(other.fenceOff(terms, row, horizon, gap), "fenced off twice");
        RowState fencedOff = other.state(terms, row.workerId()).orElseThrow();
        assertEquals(row.fence() + 1, fencedOff.fence());
        assertEquals(horizon, fencedOff.horizonMillis());
        assertTrue(fencedOff.sameServer());
        assertNull(fencedOff.token());
        Row again = new Row(row.workerId(), fencedOff.fence(), horizon, true, false);
        assertFalse(other.fenceOff(terms, again, horizon + TOLERANCE, gap), "fenced off a row of its own");

        Terms longer = new Terms("default", SnowflakeLayout.IDGEN, 0, 2, Leases.LEASE, Duration.ofHours(1));
        assertTrue(other.acquire(longer, again, null, Leases.after(again, "mine", horizon + 15_000)));
    }

    /** If all servers count as one, no row counts as another server's, and none is fenced off. */
    private void assertOneServer(Terms terms, Lease lease, Candidates candidates) {
        Row row = candidates.rows().get(0);
        long horizon = candidates.nowMillis() + candidates.gapMillis() + TOLERANCE;
        assertTrue(row.sameServer());
        assertTrue(look(terms, lease).sameServer());
        assertFalse(store().fenceOff(terms, row, horizon, candidates.gapMillis()));
    }

    @Test
    void onAnotherServerARowIsReservedOnlyByTheProcessThatHoldsIt() {
        Terms terms = Leases.terms(8);
        store().candidates(terms, null);
        RowState fresh = state(terms, 5);
        assertTrue(store().reserve(terms, 5, fresh, "process", fresh.nowMillis()));
        RowState free = state(terms, 6);
        LeaseStore other = failOver().orElse(store());
        RowState held = other.state(terms, 5).orElseThrow();
        if (other.state(terms, 6).orElseThrow().sameServer()) {
            assertTrue(held.sameServer());
            return; // all servers count as one
        }

        assertFalse(other.reserve(terms, 6, free, "process", free.nowMillis()), "nobody held it");
        assertFalse(other.reserve(terms, 5, held, "another", held.horizonMillis()));
        assertTrue(other.reserve(terms, 5, held, "process", held.horizonMillis()));
        assertTrue(other.state(terms, 5).orElseThrow().sameServer());
    }

    // ---- look, state, holders ----

    @Test
    void whatDoesNotExistIsNotSeen() {
        Terms terms = Leases.terms(4);
        Lease lease = acquired(terms);
        Lease elsewhere = new Lease(1_000_000, 1, "mine", lease.horizonMillis());

        assertEquals(Optional.empty(), store().look(terms, elsewhere));
        assertEquals(Optional.empty(), store().state(terms, 1_000_000));
        assertEquals(Optional.empty(), store().look(Leases.terms("elsewhere", 0, 4), lease));
        assertEquals(Optional.empty(), store().state(Leases.terms("elsewhere", 0, 4), lease.workerId()));
    }

    @Test
    void aRowThatNobodyHoldsHasNoToken() {
        Terms terms = Leases.terms(4);
        store().candidates(terms, null);
        RowState state = state(terms, 2);

        assertNull(state.token());
        assertFalse(state.reserved());
        assertTrue(state.sameServer());
        assertTrue(state.nowMillis() > 0);
    }

    @Test
    void theStoresTimeDoesNotGoBack() {
        Terms terms = Leases.terms(1);
        Candidates candidates = store().candidates(terms, null);
        long state = state(terms, 0).nowMillis();
        long view = look(terms, acquired(terms)).nowMillis();

        assertTrue(state >= candidates.nowMillis(), () -> state + " after " + candidates.nowMillis());
        assertTrue(view >= state, () -> view + " after " + state);
    }

    @Test
    void theHoldersAreNamedWithTheirWorkerIds() {
        Lease lease = acquired(Leases.terms(4));
        String holders = store().holders(Leases.terms("default", lease.workerId(), 1));

        assertTrue(holders.contains("worker id " + lease.workerId()), holders);
    }

    // ---- reserve ----

    @Test
    void aReservedRowIsNeverLeasedAndItsFormerHolderCanOnlyUseUpWhatItHas() {
        Terms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        RowState early = state(terms, lease.workerId());
        assertTrue(store().extend(terms, lease, lease.horizonMillis() + 1_000));
        assertFalse(
                store().reserve(terms, lease.workerId(), early, "process", early.horizonMillis()),
                "reserved as seen before the horizon was raised");
        Lease extended = new Lease(lease.workerId(), lease.fence(), lease.token(), lease.horizonMillis() + 1_000);
        RowState seen = state(terms, lease.workerId());

        assertTrue(store().reserve(terms, lease.workerId(), seen, "process", seen.horizonMillis()));

        assertFalse(
                store().reserve(terms, lease.workerId(), seen, "another", seen.horizonMillis()),
                "reserved as seen before");
        assertFalse(store().extend(terms, extended, extended.horizonMillis() + 1_000));
        assertFalse(store().renew(terms, extended));
        assertFalse(store().release(terms, extended, extended.horizonMillis()));
        assertFalse(look(terms, extended).held());
        assertEquals(List.of(), store().candidates(terms, lease.token()).rows());
        assertEquals(List.of(), store().candidates(terms, "process").rows());
        RowState reserved = state(terms, lease.workerId());
        assertTrue(reserved.reserved());
        assertEquals("process", reserved.token());
        assertEquals(seen.fence() + 1, reserved.fence());
        assertHeldForALease(seen.nowMillis(), reserved);
        Row row = new Row(lease.workerId(), reserved.fence(), reserved.horizonMillis(), true, true);
        Lease stolen = Leases.after(row, "thief", reserved.horizonMillis() + 1_000);
        assertFalse(store().acquire(terms, row, "process", stolen), "leased though reserved");
        Lease asLease = new Lease(lease.workerId(), reserved.fence(), "process", reserved.horizonMillis());
        assertFalse(look(terms, asLease).held(), "a reservation is held as a lease");
        assertFalse(store().extend(terms, asLease, reserved.horizonMillis() + 1_000));
        assertFalse(store().renew(terms, asLease));
        assertFalse(store().release(terms, asLease, reserved.horizonMillis()));
    }

    @Test
    void aReservationIsRenewedAndStaysWithoutAHolder() {
        Terms terms = Leases.terms(8);
        store().candidates(terms, null);
        RowState fresh = state(terms, 5);
        assertTrue(store().reserve(terms, 5, fresh, "process", fresh.nowMillis()));
        RowState held = state(terms, 5);
        assertTrue(store().reserve(terms, 5, held, "process", held.horizonMillis() + 7));
        RowState renewed = state(terms, 5);
        assertEquals(held.horizonMillis() + 7, renewed.horizonMillis());
        assertEquals(held.fence() + 1, renewed.fence());

        assertTrue(store().reserve(terms, 5, renewed, null, renewed.horizonMillis()));

        RowState left = state(terms, 5);
        assertTrue(left.reserved());
        assertNull(left.token());
        assertTrue(left.heldUntilMillis() < left.nowMillis(), "a reservation without a process is nobody's");
        assertEquals(renewed.horizonMillis(), left.horizonMillis());
        assertEquals(
                List.of(),
                store().candidates(Leases.terms("default", 5, 1), null).rows());
        assertTrue(store().reserve(terms, 5, left, "successor", left.horizonMillis()));
    }

    @Test
    void aReservationIsNoWindow() {
        Terms terms = Leases.terms(8);
        Candidates before = store().candidates(terms, null);
        RowState fresh = state(terms, 5);
        long hour = Duration.ofHours(1).toMillis();
        assertTrue(store().reserve(terms, 5, fresh, "process", fresh.nowMillis() + hour));

        Candidates after = store().candidates(terms, null);

        assertEquals(before.gapMillis(), after.gapMillis());
        assertEquals(before.windowMillis(), after.windowMillis());
    }

    @Test
    void aProcessThatLeavesItsRowMayLowerTheHorizonOnce() {
        Terms terms = Leases.terms(8);
        store().candidates(terms, null);
        RowState fresh = state(terms, 5);
        assertTrue(store().reserve(terms, 5, fresh, "process", fresh.nowMillis() + 30_000));
        RowState held = state(terms, 5);

        assertTrue(store().reserve(terms, 5, held, null, fresh.nowMillis() + 7));
        assertFalse(store().reserve(terms, 5, held, null, fresh.nowMillis() + 7), "left twice");

        assertEquals(fresh.nowMillis() + 7, state(terms, 5).horizonMillis());
    }

    @Test
    void ofManyThatReserveARowAtOnceOneGetsIt() throws Exception {
        Terms terms = Leases.terms(1);
        store().candidates(terms, null);
        RowState seen = state(terms, 0);

        assertOneOf(THREADS, thread -> store().reserve(terms, 0, seen, "process " + thread, seen.nowMillis()));
        assertEquals(seen.fence() + 1, state(terms, 0).fence());
    }

    // ---- generators ----

    @Test
    void generatorsThatLeaseFromItHaveDifferentWorkerIdsAndReleaseThem() throws Exception {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        List<Snowflake> generators = Together.run(
                THREADS,
                thread -> Snowflake.builder()
                        .leasedFrom(store())
                        .datacenterId(QUIET_DATACENTER)
                        .acquireTimeout(PATIENCE, PATIENCE)
                        .build());
        Set<Long> workers = new HashSet<>();
        List<long[]> ids =
                Together.run(THREADS, thread -> generators.get(thread).nextIds(1_000));
        for (long[] each : ids) {
            SnowflakeParts parts = layout.parse(each[0]);
            workers.add(layout.packWorker(parts.datacenter(), parts.worker()));
        }
        Together.assertDistinct(ids);
        assertEquals(THREADS, workers.size(), () -> "different worker ids, of " + workers);

        // not close(), which waits for a second at most
        CompletableFuture.allOf(generators.stream().map(Snowflake::closeAsync).toArray(CompletableFuture[]::new))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        for (long worker : workers) {
            assertNull(state(Leases.terms(1024), (int) worker).token(), () -> "the holder of worker id " + worker);
        }
    }

    // ---- helpers ----

    /** Returns the row of a lease as its holder finds it among the candidates. */
    private static Row rowOf(Lease lease) {
        return new Row(
                lease.workerId(), lease.fence(), lease.horizonMillis(), true, true, lease.generation(), lease.server());
    }

    private Lease acquired(Terms terms) {
        return Leases.acquire(store(), terms, "token-" + UUID.randomUUID());
    }

    private LeaseView look(Terms terms, Lease lease) {
        return store().look(terms, lease).orElseThrow(() -> new AssertionError("nothing to see of " + lease));
    }

    private RowState state(Terms terms, int workerId) {
        return store().state(terms, workerId).orElseThrow(() -> new AssertionError("no row of " + workerId));
    }

    private void assertUnchanged(Terms terms, Row row) {
        RowState state = state(terms, row.workerId());
        assertEquals(row.fence(), state.fence());
        assertEquals(row.horizonMillis(), state.horizonMillis());
        assertNull(state.token());
    }

    private static void assertHeldForALease(long fromMillis, RowState state) {
        assertTrue(
                state.heldUntilMillis() >= fromMillis + Leases.LEASE.toMillis()
                        && state.heldUntilMillis() <= state.nowMillis() + Leases.LEASE.toMillis(),
                () -> state + " is not held for a lease since " + fromMillis);
    }

    private static void assertOneOf(int threads, Together.Task<Boolean> task) throws Exception {
        List<Boolean> answers = Together.run(threads, task);
        assertEquals(1, answers.stream().filter(answer -> answer).count(), () -> "granted in one of " + answers);
    }
}
