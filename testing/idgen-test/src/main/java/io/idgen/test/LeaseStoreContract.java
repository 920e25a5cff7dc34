package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the contract of {@link LeaseStore}, statement by statement. Each statement changes a row only if the row is as
 * it was last seen, so that no tick of a worker id is granted twice. Extend this class once for each way to open a
 * store. It is one class, so that no part of the contract can be left out.
 */
@Timeout(600)
public abstract class LeaseStoreContract {
    // Other tests in this JVM generate no ids for this datacenter. A fixed generator follows the host's clock, which
    // may be ahead of the store's. A lease of its worker id would then begin above its ids.
    private static final int QUIET_DATACENTER = 30;
    private static final int THREADS = 8;

    /** Longer than the statements of one test take, in milliseconds of the store's time. */
    private static final long TOLERANCE = 50_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30); // of calls, also to a slow store

    private LeaseStore store;

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
     * Returns when the lease of a worker id ends, in milliseconds since 1970 by the store's clock. Override it to have
     * the ends of leases checked too.
     *
     * @param namespace the namespace of the worker id
     * @param workerId a leased one
     * @return empty if the tests do not know
     */
    protected OptionalLong heldUntilMillis(String namespace, int workerId) {
        return OptionalLong.empty();
    }

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
        store = open();
    }

    @Test
    void candidatesAreFreeRowsOfTheTermsTheLowestHorizonFirst() {
        LeaseTerms terms = Leases.terms(4);
        Lease lease = acquired(terms);
        assertTrue(store.release(terms, lease, lease.horizonMillis()));

        List<Row> rows = store.candidates(terms, null).rows();
        assertEquals(
                Set.of(0, 1, 2, 3), rows.stream().map(Row::workerId).collect(Collectors.toSet()), "free worker ids");
        assertEquals(lease.workerId(), rows.get(3).workerId(), "the worker id with the highest horizon");
        assertEquals(lease.horizonMillis(), rows.get(3).horizonMillis());
        assertEquals(lease.fence(), rows.get(3).fence());
        assertEquals(List.of(), rows.stream().filter(Row::held).toList(), "rows that a process has");
        List<Row> others =
                store.candidates(terms.without(Set.of(0, 1, 2)), null).rows();
        assertEquals(List.of(3), others.stream().map(Row::workerId).toList());
    }

    @Test
    void theRowsOfANamespaceThatManyCreateAtOnceAreCreatedOnce() throws Exception {
        LeaseTerms shop = Leases.terms("it's a shop", 32, 32);
        ParallelThreads.run(THREADS, thread -> store.candidates(shop, null));

        List<Row> rows = store.candidates(shop, null).rows();
        assertEquals(
                IntStream.range(32, 64).boxed().collect(Collectors.toSet()),
                rows.stream().map(Row::workerId).collect(Collectors.toSet()));
        assertEquals(32, rows.size());
    }

    @Test
    void aLeasedRowIsForItsOwnTokenAloneUntilTheLeaseIsOverAndItsHolderIsNamed() {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);

        assertEquals(List.of(), store.candidates(terms, null).rows());
        Candidates others = store.candidates(terms, "another");
        assertEquals(List.of(), others.rows());
        assertTrue(others.holders().contains("worker id " + lease.workerId()), others.holders());
        Row row = rowOf(lease);
        Lease again = Leases.after(row, "fresh", lease.horizonMillis() + 1_000);
        assertFalse(store.acquire(terms, row, null, again));
        assertFalse(store.acquire(terms, row, "another", again));
        assertEquals(List.of(row), store.candidates(terms, lease.token()).rows());
        assertTrue(store.acquire(terms, row, lease.token(), again));
        expire(again);
        assertEquals(List.of(rowOf(again)), store.candidates(terms, null).rows(), "after the end of the lease");
    }

    @Test
    void rowsOfAnotherLayoutOrWithOtherTimesAreOutOfReach() {
        LeaseTerms terms = Leases.terms(4);
        Lease lease = acquired(terms);
        long horizon = lease.horizonMillis();

        assertOutOfReach(new LeaseTerms("default", SnowflakeLayout.TSID, 0, 4), lease);
        Duration longer = LeaseTerms.WINDOW.plusSeconds(1);
        assertOutOfReach(new LeaseTerms("default", terms.layout(), 0, 4, Set.of(), LeaseTerms.LEASE, longer), lease);
        assertEquals(Optional.empty(), store.look(terms, new Lease(1_000_000, 1, lease.token(), horizon, 0, null)));
        assertEquals(Optional.empty(), store.look(Leases.terms("elsewhere", 0, 4), lease));
        assertTrue(store.extend(terms, lease, horizon + 1_000));
    }

    private void assertOutOfReach(LeaseTerms other, Lease lease) {
        Row row = rowOf(lease);
        long horizon = lease.horizonMillis();
        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(other, null));
        assertEquals(ErrorCode.LAYOUT_MISMATCH, e.code());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("'default'"), message);
        assertFalse(store.acquire(other, row, lease.token(), Leases.after(row, "another", horizon + 1_000)));
        assertFalse(store.fenceOff(other, row, horizon + 600_000));
        assertFalse(store.extend(other, lease, horizon + 1_000));
        assertFalse(store.renew(other, lease));
        assertFalse(store.release(other, lease, horizon));
        assertEquals(Optional.empty(), store.look(other, lease));
    }

    @Test
    void ofManyThatTakeARowAtOnceOneGetsItForALease() throws Exception {
        LeaseTerms terms = Leases.terms(1);
        Candidates candidates = store.candidates(terms, null);
        Row row = candidates.rows().get(0);
        List<Lease> wanted = IntStream.range(0, THREADS)
                .mapToObj(i -> Leases.after(row, "token " + i, candidates.nowMillis() + 15_000 + i))
                .toList();

        assertOneOf(THREADS, thread -> store.acquire(terms, row, null, wanted.get(thread)));
        List<Lease> held =
                wanted.stream().filter(lease -> look(terms, lease).held()).toList();
        assertEquals(1, held.size(), () -> "leases that are held: " + held);
        LeaseView view = look(terms, held.get(0));
        assertTrue(view.sameServer());
        assertEquals(held.get(0).horizonMillis(), view.horizonMillis());
        assertHeldForALease(terms, held.get(0), candidates.nowMillis());
    }

    @Test
    void aHorizonFurtherAheadThanAWindowIsRefused() {
        LeaseTerms terms = Leases.terms(1);
        Candidates candidates = store.candidates(terms, null);
        Row row = candidates.rows().get(0);
        long tooFar = candidates.nowMillis() + LeaseTerms.WINDOW.toMillis() + TOLERANCE;

        assertFalse(store.acquire(terms, row, null, Leases.after(row, "mine", tooFar)));
        assertEquals(List.of(row), store.candidates(terms, null).rows());
        Lease lease = acquired(terms);
        assertFalse(store.extend(terms, lease, tooFar));
        assertEquals(lease.horizonMillis(), look(terms, lease).horizonMillis());
    }

    @Test
    void aLeaseThatIsOverIsTakenByAnotherAndOfNoUseToTheFormerHolder() {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        Candidates candidates = store.candidates(terms, null);
        Row row = candidates.rows().get(0);
        Lease other = Leases.after(row, "another", Math.max(row.horizonMillis(), candidates.nowMillis()) + 1_000);

        assertTrue(store.acquire(terms, row, null, other));
        assertFalse(look(terms, lease).held());
        assertFalse(store.extend(terms, lease, lease.horizonMillis() + 2_000));
        assertFalse(store.renew(terms, lease));
        assertFalse(store.release(terms, lease, lease.horizonMillis()));
        assertEquals(other.horizonMillis(), look(terms, other).horizonMillis());
    }

    @Test
    void ofTwoCopiesOfAProcessThatExtendALeaseOneRenewsItAndRaisesTheHorizon() throws Exception {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        long now = look(terms, lease).nowMillis();
        long horizon = Math.max(now, lease.horizonMillis()) + 100_000;

        assertOneOf(2, thread -> store.extend(terms, lease, horizon + thread));
        long raised = look(terms, lease).horizonMillis();
        assertTrue(raised == horizon || raised == horizon + 1, () -> "the horizon is " + raised);
        assertFalse(store.extend(terms, lease, horizon + 2), "extended twice");
        assertHeldForALease(terms, lease, now);
    }

    @Test
    void onlyARowThatIsAsInTheLeaseIsExtendedRenewedOrReleased() {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        int workerId = lease.workerId();
        List<Lease> others = List.of(
                new Lease(workerId, lease.fence(), "another", lease.horizonMillis(), 0, null),
                new Lease(workerId, lease.fence() - 1, lease.token(), lease.horizonMillis(), 0, null),
                new Lease(workerId, lease.fence() + 1, lease.token(), lease.horizonMillis(), 0, null),
                new Lease(workerId, lease.fence(), lease.token(), lease.horizonMillis() - 1, 0, null));

        for (Lease other : others) {
            assertFalse(store.extend(terms, other, lease.horizonMillis() + 1_000), () -> "extended by " + other);
            assertFalse(store.renew(terms, other), () -> "renewed by " + other);
            assertFalse(store.release(terms, other, other.horizonMillis()), () -> "released by " + other);
        }
        assertTrue(store.extend(terms, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void aRenewalKeepsTheRowAndLeavesItsHorizon() {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        expire(lease);
        assertEquals(1, store.candidates(terms, null).rows().size());
        long now = look(terms, lease).nowMillis();

        assertTrue(store.renew(terms, lease));
        assertEquals(List.of(), store.candidates(terms, null).rows());
        assertEquals(lease.horizonMillis(), look(terms, lease).horizonMillis());
        assertHeldForALease(terms, lease, now);
    }

    @Test
    void aReleasedRowIsFreeAtOnceForAProcessThatSeesWhereItsHolderEnded() {
        LeaseTerms terms = Leases.terms(1);
        Lease lease = acquired(terms);
        long used = lease.horizonMillis() - 5_000;

        assertTrue(store.release(terms, lease, used));
        assertFalse(store.release(terms, lease, used), "released twice");
        assertFalse(store.extend(terms, lease, lease.horizonMillis() + 1_000));
        assertFalse(store.renew(terms, lease));
        LeaseView view = look(terms, lease);
        assertFalse(view.held());
        assertEquals(used, view.horizonMillis());
        Row free = store.candidates(terms, null).rows().get(0);
        assertEquals(used, free.horizonMillis());
        assertFalse(free.held());
        Row olderFence = new Row(free.workerId(), free.fence() - 1, used, true, false, 0, null);
        assertFalse(store.acquire(terms, olderFence, null, Leases.after(olderFence, "mine", used + 1_000)));
        Row otherHorizon = new Row(free.workerId(), free.fence(), used - 1, true, false, 0, null);
        assertFalse(store.acquire(terms, otherHorizon, null, Leases.after(otherHorizon, "mine", used + 1_000)));
        assertTrue(store.acquire(terms, free, null, Leases.after(free, "mine", used + 1_000)));
    }

    @Test
    void whereAnotherServerAnswersNothingIsGrantedUntilTheHorizonIsAdvanced() {
        LeaseTerms terms = Leases.terms(2);
        Lease lease = acquired(terms);
        Candidates before = store.candidates(terms, null);
        Optional<LeaseStore> next = failOver();
        if (next.isEmpty()) { // all servers count as one
            Row own = before.rows().get(0);
            assertTrue(own.sameServer());
            assertFalse(store.fenceOff(terms, own, before.nowMillis() + terms.gapMillis() + TOLERANCE));
            return;
        }
        LeaseStore other = next.get();
        assertFalse(other.extend(terms, lease, lease.horizonMillis() + 1_000), "extended on another server");
        LeaseView view = other.look(terms, lease).orElseThrow();
        assertTrue(view.held());
        assertFalse(view.sameServer());

        Candidates candidates = other.candidates(terms, null);
        Row row = candidates.rows().get(0);
        assertEquals(1, candidates.rows().size(), "candidates beside the leased worker id");
        assertFalse(row.sameServer());
        assertFalse(
                other.acquire(terms, row, null, Leases.after(row, "mine", candidates.nowMillis() + 15_000)),
                "acquired before it was fenced off");
        long gap = terms.gapMillis();
        long horizon = candidates.nowMillis() + gap + TOLERANCE;
        assertFalse(other.fenceOff(terms, row, candidates.nowMillis() + gap - 1), "fenced off by less than the gap");
        Row stale = new Row(row.workerId(), row.fence() + 1, row.horizonMillis(), false, false, 0, null);
        assertFalse(other.fenceOff(terms, stale, horizon), "fenced off with another fence");
        assertTrue(other.fenceOff(terms, row, horizon));
        assertFalse(other.fenceOff(terms, row, horizon), "fenced off twice");
        Row again = other.candidates(terms, null).rows().get(0);
        assertEquals(row.fence() + 1, again.fence());
        assertEquals(horizon, again.horizonMillis());
        assertTrue(again.sameServer());
        assertFalse(again.held());
        assertFalse(other.fenceOff(terms, again, horizon + TOLERANCE), "fenced off a row of its own");
    }

    @Test
    void generatorsThatLeaseFromItHaveDifferentWorkerIdsAndReleaseThem() throws Exception {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        List<Snowflake> generators = ParallelThreads.run(
                THREADS,
                thread -> Snowflake.builder()
                        .leasedFrom(store)
                        .datacenterId(QUIET_DATACENTER)
                        .acquireTimeout(PATIENCE, PATIENCE)
                        .build());
        Set<Long> workers = new HashSet<>();
        List<long[]> ids =
                ParallelThreads.run(THREADS, thread -> generators.get(thread).nextIds(1_000));
        for (long[] each : ids) {
            SnowflakeParts parts = layout.parse(each[0]);
            workers.add(layout.packWorker(parts.datacenter(), parts.worker()));
        }
        ParallelThreads.assertDistinct(ids);
        assertEquals(THREADS, workers.size(), () -> "different worker ids, of " + workers);

        CompletableFuture.allOf(generators.stream().map(Snowflake::closeAsync).toArray(CompletableFuture[]::new))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        for (long worker : workers) {
            List<Row> rows = store.candidates(Leases.terms("default", (int) worker, 1), null)
                    .rows();
            assertEquals(List.of(false), rows.stream().map(Row::held).toList(), () -> "held is worker id " + worker);
        }
    }

    /** Returns the row of a lease as its holder finds it among the candidates. */
    private static Row rowOf(Lease lease) {
        return new Row(
                lease.workerId(), lease.fence(), lease.horizonMillis(), true, true, lease.generation(), lease.server());
    }

    private Lease acquired(LeaseTerms terms) {
        return Leases.acquire(store, terms, "token-" + UUID.randomUUID());
    }

    private LeaseView look(LeaseTerms terms, Lease lease) {
        return store.look(terms, lease).orElseThrow(() -> new AssertionError("nothing to see of " + lease));
    }

    /** Checks that no other process can lease the row. Checks the end of the lease too, if it is known. */
    private void assertHeldForALease(LeaseTerms terms, Lease lease, long fromMillis) {
        assertEquals(List.of(), store.candidates(terms, null).rows());
        long nowMillis = look(terms, lease).nowMillis();
        heldUntilMillis(terms.namespace(), lease.workerId())
                .ifPresent(until -> assertTrue(
                        until >= fromMillis + LeaseTerms.LEASE.toMillis()
                                && until <= nowMillis + LeaseTerms.LEASE.toMillis(),
                        () -> "held until " + until + ", not for a lease since " + fromMillis));
    }

    private static void assertOneOf(int threads, ParallelThreads.Task<Boolean> task) throws Exception {
        assertEquals(
                1, Collections.frequency(ParallelThreads.run(threads, task), true), "threads that were granted it");
    }
}
