package io.idgen.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseAdmin.Change;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseAdmin.Worker;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.ParallelThreads;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the contract of {@link LeaseAdmin}: a repair changes all its rows or none, and only as they were seen. Extend
 * this class once for each store that offers its rows.
 */
@Timeout(60)
public abstract class LeaseAdminContract {
    private static final LeaseTerms TERMS = Leases.terms(4);

    private @Nullable LeaseStore opened;

    /** For subclasses. */
    protected LeaseAdminContract() {}

    /**
     * Opens a store. Called once before each test. The namespace {@code default} must be unused, and its rows must
     * count as written by the server that answers. The store may create them at the first call of {@link
     * LeaseStore#candidates}.
     *
     * @return a store that no other test uses
     */
    protected abstract LeaseStore open();

    /** Returns access to the rows of the store. */
    protected abstract LeaseAdmin admin();

    @BeforeEach
    void openStore() {
        opened = open();
        store().candidates(TERMS, null);
    }

    private LeaseStore store() {
        if (opened == null) {
            throw new IllegalStateException("the store is opened before each test");
        }
        return opened;
    }

    private Namespace namespace() {
        return admin().namespaces("default").stream()
                .filter(each -> each.name().equals("default"))
                .findFirst()
                .orElseThrow();
    }

    private Worker worker(int id) {
        return namespace().workers().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
    }

    private Lease lease(int workerId) {
        return Leases.acquire(store(), Leases.terms("default", workerId, 1), "process-1-a");
    }

    @Test
    void eachRowIsListedAsItIs() {
        Lease lease = lease(2);

        Namespace found = namespace();

        assertEquals(TERMS.layoutAndTimes(), found.layout());
        assertTrue(found.workers().size() >= 4, "of at least four worker ids");
        RowState row = worker(2).row();
        assertEquals(lease.fence(), row.fence());
        assertEquals(lease.horizonMillis(), row.horizonMillis());
        assertEquals(lease.token(), row.token());
        assertTrue(row.heldUntilMillis() >= row.nowMillis());
        assertTrue(row.sameServer());
        assertNull(worker(1).row().token());
    }

    /** Returns all rows, without the time at which they were read. */
    private List<RowState> rows() {
        return namespace().workers().stream()
                .map(Worker::row)
                .map(row -> new RowState(
                        0,
                        row.fence(),
                        row.horizonMillis(),
                        row.sameServer(),
                        row.token(),
                        row.heldUntilMillis(),
                        row.holder()))
                .toList();
    }

    @Test
    void tryingChangesChangesNothing() {
        Lease lease = lease(2);
        List<RowState> before = rows();

        admin().checkWritable("default");

        assertEquals(before, rows());
        assertTrue(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void aChangedRowHasNoHolderAndTheNewHorizon() {
        Lease lease = lease(2);
        Worker seen = worker(2);

        assertTrue(admin().change(List.of(new Change("default", seen, 4_711, false))));

        RowState after = worker(2).row();
        assertEquals(seen.row().fence() + 1, after.fence());
        assertEquals(4_711, after.horizonMillis());
        assertNull(after.token());
        assertFalse(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
        assertTrue(admin().change(List.of(new Change("default", worker(2), 4_711, true))));
        assertFalse(worker(2).row().sameServer());
    }

    @Test
    void allRowsAreChangedOrNone() {
        Worker one = worker(1);
        Worker other = worker(2);
        Lease lease = lease(2);

        assertFalse(admin().change(
                        List.of(new Change("default", one, 4_711, true), new Change("default", other, 4_711, true))));

        assertEquals(one.row().fence(), worker(1).row().fence());
        assertNotEquals(4_711, worker(1).row().horizonMillis());
        assertTrue(worker(1).row().sameServer());
        assertTrue(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void aRenewalIsAChange() {
        Lease lease = lease(2);
        Worker seen = worker(2);
        long before = worker(2).row().heldUntilMillis();
        while (worker(2).row().heldUntilMillis() == before) { // the store's clock may not have moved
            assertTrue(store().renew(TERMS, lease));
        }

        assertFalse(admin().change(List.of(new Change("default", seen, 4_711, true))));
    }

    @Test
    void withoutServersEachRowIsAdvancedBeforeItIsLeased() {
        long fence = worker(2).row().fence();

        assertTrue(admin().forgetServers(admin().namespaces("default"), "marker"));

        assertTrue(store().candidates(TERMS, null).rows().stream().noneMatch(Row::sameServer));
        assertTrue(worker(2).row().fence() >= fence);
    }

    @Test
    void allRowsOfANamespaceGetAnotherLayout() {
        Lease lease = lease(2);
        Namespace seen = namespace();
        SnowflakeLayout earlier = TERMS.layout().withEpoch(Instant.parse("2020-01-01T00:00:00Z"));

        assertTrue(admin().changeLayout(seen, earlier, 0));

        assertEquals(LeaseTerms.layoutAndTimes(earlier), namespace().layout());
        assertEquals(seen.workers().size(), namespace().workers().size());
        assertTrue(store().look(TERMS, lease).isEmpty(), "the rows of the former layout are gone");
        LeaseTerms later = new LeaseTerms("default", earlier, 0, 4, Set.of(), TERMS.lease(), TERMS.window());
        assertFalse(store().candidates(later, null).rows().isEmpty());
        assertEquals(seen.workers().get(2).row().fence() + 1, worker(2).row().fence());
    }

    @Test
    void noRowOfAnotherLayoutBeginsBelowTheLowestHorizon() {
        long lowest = namespace().now().toEpochMilli() + 3_600_000;
        assertTrue(admin().change(List.of(new Change("default", worker(2), lowest + 5_000, false))));
        SnowflakeLayout wider = SnowflakeLayout.parse("41-6-6-10");

        assertTrue(admin().changeLayout(namespace(), wider, lowest));

        assertTrue(
                namespace().workers().stream()
                        .allMatch(each -> each.row().horizonMillis() == (each.id() == 2 ? lowest + 5_000 : lowest)),
                "all that were there");
        LeaseTerms ofNewRows = new LeaseTerms("default", wider, 4_000, 4, Set.of(), TERMS.lease(), TERMS.window());
        List<Row> created = store().candidates(ofNewRows, null).rows();
        assertFalse(created.isEmpty());
        assertTrue(created.stream().allMatch(each -> each.horizonMillis() >= lowest), "all that are created later");
    }

    @Test
    void aRemovedNamespaceIsCreatedAgainAsThatOfAnotherServer() {
        lease(2);

        assertTrue(admin().remove(of("default")));

        assertTrue(
                of("default").stream()
                        .allMatch(each ->
                                each.workers().isEmpty() && each.layout().isEmpty()),
                "it has nothing left");
    }

    private List<Namespace> of(String name) {
        return admin().namespaces(name).stream()
                .filter(each -> each.name().equals(name))
                .toList();
    }

    @Test
    void aNamespaceThatAProcessHasChangedKeepsItsLayoutAndItsRows() {
        List<Namespace> seen = of("default");
        Lease lease = lease(2);
        SnowflakeLayout earlier = TERMS.layout().withEpoch(Instant.parse("2020-01-01T00:00:00Z"));

        assertFalse(admin().changeLayout(seen.get(0), earlier, 0));
        assertFalse(admin().remove(seen));

        assertEquals(TERMS.layoutAndTimes(), namespace().layout());
        assertTrue(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void aNamespaceWithMoreRowsThanWereSeenKeepsItsLayoutAndItsRows() {
        List<Namespace> all = of("default");
        Namespace found = all.get(0);
        Namespace fewer = new Namespace(
                found.name(),
                found.place(),
                found.isShared(),
                found.layout(),
                found.marker(),
                found.now(),
                found.workers().subList(1, found.workers().size()));
        SnowflakeLayout earlier = TERMS.layout().withEpoch(Instant.parse("2020-01-01T00:00:00Z"));

        assertFalse(admin().changeLayout(fewer, earlier, 0));
        assertFalse(admin().remove(List.of(fewer)));

        assertEquals(found.workers().size(), namespace().workers().size());
        assertEquals(TERMS.layoutAndTimes(), namespace().layout());
    }

    @Test
    void serversAreNotForgottenWhileAProcessLeases() {
        List<Namespace> seen = admin().namespaces("default");
        lease(2);

        assertFalse(admin().forgetServers(seen, "marker"));
    }

    @Test
    void twoLayoutsThatStartAtOnceDoNotShareANamespace() throws Exception {
        LeaseTerms tsid = new LeaseTerms("default", SnowflakeLayout.TSID, 0, 64);
        List<Boolean> leased =
                ParallelThreads.run(8, thread -> isLeased(thread % 2 == 0 ? Leases.terms(64) : tsid, thread / 2));

        boolean first = leased.get(0);
        for (int i = 0; i < 8; i++) {
            assertEquals(i % 2 == 0 ? first : !first, leased.get(i), () -> "of each second thread, " + leased);
        }
    }

    /**
     * Returns whether a worker id can be leased in the end. Until one is leased, the rows take the layout of the last
     * caller.
     */
    private boolean isLeased(LeaseTerms terms, int which) {
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
}
