package io.idgen.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of {@link LeaseAdmin}: a repair changes all its rows or none, and only as they were seen. Extend
 * this class once for each store that offers its rows.
 */
public abstract class LeaseAdminContract {
    private static final LeaseTerms TERMS = Leases.terms(4);

    /** An earlier layout than that of the terms. */
    private static final String EARLIER =
            LeaseTerms.layoutAndTimes(TERMS.layout().withEpoch(Instant.parse("2020-01-01T00:00:00Z")));

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

    private boolean change(Namespace seen, String layout, boolean forgetsServer, int... ids) {
        return admin().change(
                        seen,
                        layout,
                        seen.workers().stream()
                                .filter(each -> Arrays.stream(ids).anyMatch(id -> id == each.id()))
                                .map(each -> new Change(each, 4_711, forgetsServer))
                                .toList());
    }

    @Test
    void aChangedRowHasNoHolderAndTheNewHorizonAndOthersStay() {
        Lease lease = lease(2);
        Namespace seen = namespace();
        List<RowState> before = rows();

        assertTrue(change(seen, seen.layout(), false, 2));

        RowState after = worker(2).row();
        assertEquals(before.get(2).fence() + 1, after.fence());
        assertEquals(4_711, after.horizonMillis());
        assertNull(after.token());
        assertTrue(after.sameServer());
        assertEquals(before.get(1), rows().get(1));
        assertFalse(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
        assertTrue(change(namespace(), seen.layout(), true, 2));
        assertFalse(worker(2).row().sameServer());
    }

    @Test
    void allRowsAreChangedOrNone() {
        Namespace seen = namespace();
        List<RowState> before = rows();
        Lease lease = lease(2);

        assertFalse(change(seen, seen.layout(), true, 1, 2));

        assertEquals(before.get(1), rows().get(1));
        assertTrue(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
    }

    @Test
    void aRenewalIsAChange() {
        Lease lease = lease(2);
        Namespace seen = namespace();
        long before = worker(2).row().heldUntilMillis();
        while (worker(2).row().heldUntilMillis() == before) { // the store's clock may not have moved
            assertTrue(store().renew(TERMS, lease));
        }

        assertFalse(change(seen, seen.layout(), true, 2));
    }

    @Test
    void withoutServersEachRowIsAdvancedBeforeItIsLeased() {
        long fence = worker(2).row().fence();

        assertTrue(admin().forgetServers(admin().namespaces("default"), "marker"));

        assertTrue(store().candidates(TERMS, null).rows().stream().noneMatch(Row::sameServer));
        assertTrue(worker(2).row().fence() >= fence);
    }

    @Test
    void allRowsOfANamespaceGetAnotherLayoutAndKeepTheirServer() {
        Lease lease = lease(2);
        Namespace seen = namespace();

        assertTrue(change(seen, EARLIER, false, allOf(seen)));

        assertEquals(EARLIER, namespace().layout());
        assertEquals(seen.workers().size(), namespace().workers().size());
        assertTrue(store().look(TERMS, lease).isEmpty(), "the rows of the former layout are gone");
        assertTrue(namespace().workers().stream()
                .map(Worker::row)
                .allMatch(row -> row.horizonMillis() == 4_711 && row.fence() > 0 && row.sameServer()));
    }

    private static int[] allOf(Namespace namespace) {
        return namespace.workers().stream().mapToInt(Worker::id).toArray();
    }

    @Test
    void aRemovedNamespaceHasNothingLeft() {
        lease(2);

        assertTrue(admin().change(namespace(), "", List.of()));

        assertTrue(admin().namespaces("default").stream()
                .filter(each -> each.name().equals("default"))
                .allMatch(each -> each.workers().isEmpty() && each.layout().isEmpty()));
    }

    @Test
    void aNamespaceThatAProcessHasChangedOrWithMoreRowsThanWereSeenKeepsItsLayoutAndItsRows() {
        Namespace all = namespace();
        Namespace fewer = new Namespace(
                all.name(),
                all.place(),
                all.isShared(),
                all.layout(),
                all.marker(),
                all.now(),
                all.workers().subList(1, all.workers().size()));
        assertFalse(change(fewer, EARLIER, false, allOf(fewer)));
        assertFalse(admin().change(fewer, "", List.of()));
        Lease lease = lease(2);

        assertFalse(change(all, EARLIER, false, allOf(all)));
        assertFalse(admin().change(all, "", List.of()));

        assertEquals(TERMS.layoutAndTimes(), namespace().layout());
        assertEquals(all.workers().size(), namespace().workers().size());
        assertTrue(store().extend(TERMS, lease, lease.horizonMillis() + 1_000));
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
