package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the repairs of worker ids by an operator: what they refuse, change and leave. Extended once for each store
 * outside of databases; {@link RepairTest} tests the repairs of tables.
 */
@Timeout(600)
public abstract class RepairContract {
    /** An id of the year 2016. */
    protected static final long AN_ID = 1L << 22;

    /** Those of all processes of a test. */
    protected final LeaseTerms terms;

    /** The store with the rows. */
    protected LeaseStore store;

    /** The repair of the store. */
    protected Repair repair;

    /** For subclasses, whose stores have this many worker ids in the namespace {@code default}. */
    protected RepairContract(int workers) {
        terms = Leases.terms(workers);
    }

    /** Opens the store. The server that answers has granted all rows of the namespace, and none is leased. */
    protected abstract LeaseStore open() throws Exception;

    /** Returns access to the rows of the store. */
    protected abstract LeaseAdmin admin();

    /** Returns the place of the rows, as reports name it. */
    protected abstract String place();

    /** Returns all that the store keeps of the namespace, for a comparison. */
    protected abstract Object rows() throws Exception;

    /** Returns all that the store keeps of a worker id, for a comparison. */
    protected abstract Object row(int workerId) throws Exception;

    /** Sets a horizon, and nothing else, as no process may do. */
    protected abstract void setHorizon(int workerId, long millis) throws Exception;

    /** Ends the lease of a holder as if it had expired. */
    protected abstract void expire(int workerId) throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
        repair = Repair.of(admin());
    }

    /** Returns a finding of the doctor as text. */
    protected final String find(String subject) {
        return Doctor.examine(admin(), "default", InstantSource.system()).stream()
                .filter(finding -> finding.subject().equals(subject))
                .map(Finding::toString)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a time that no correct clock grants. */
    protected static long tomorrow() {
        return System.currentTimeMillis() + 86_400_000;
    }

    /** Returns an id that was generated so many seconds after now. */
    protected static long idIn(int seconds) {
        return SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().plusSeconds(seconds));
    }

    private RepairReport lower(Repair by, long largestId) {
        return by.lowerHorizons("default", SnowflakeLayout.IDGEN, largestId);
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        Object before = rows();
        setHorizon(3, tomorrow());
        Object changed = rows();
        assertThat(changed).as("control").isNotEqualTo(before);

        Repair dry = repair.dryRun();
        assertThat(dry.afterRestore("default").toString())
                .startsWith("dry run, would repair " + place() + " " + terms.workers() + " worker ids: ");
        assertThat(lower(dry, AN_ID).changes()).hasSize(1);

        assertThat(rows()).isEqualTo(changed);
    }

    @Test
    void nothingIsRepairedWhileAWorkerIdIsLeased() throws Exception {
        Lease lease = Leases.acquire(store, terms, "token");
        setHorizon(lease.workerId() == 3 ? 2 : 3, tomorrow());
        Object before = rows();

        for (Repair each : List.of(repair, repair.dryRun())) {
            for (ThrowingCallable wrong :
                    List.<ThrowingCallable>of(() -> each.afterRestore("default"), () -> lower(each, AN_ID))) {
                AllocationException e = catchThrowableOfType(AllocationException.class, wrong);
                assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
                assertThat(e)
                        .hasMessageContaining("1 worker ids in " + admin())
                        .hasMessageContaining("worker id " + lease.workerId() + " of namespace 'default' by ")
                        .hasMessageContaining("stop these processes");
            }
        }

        assertThat(rows()).isEqualTo(before);
        assertThat(store.extend(terms, lease, lease.horizonMillis() + 1_000)).isTrue();
        expire(lease.workerId());
        assertThat(repair.afterRestore("default").changes())
                .as("control: its lease has ended")
                .hasSize(1);
    }

    @Test
    void aHorizonThatNoCorrectClockGrantsIsFoundAndLowered() throws Exception {
        long tomorrow = tomorrow();
        setHorizon(1, tomorrow);
        assertThat(find("horizons")).contains("level=WRONG").contains("idgen repair horizons");
        long largest = idIn(-1);
        assertThat(lower(repair.dryRun(), largest).dryRun()).isTrue();
        assertThat(find("horizons")).contains("level=WRONG");

        assertThat(lower(repair, largest).toString())
                .startsWith("repaired " + place() + " 1 worker ids: horizons up to ")
                .contains(" (" + tomorrow + ") -> horizons at ");

        assertThat(find("horizons")).contains("level=OK");
        var row = admin().namespaces("default").get(0).workers().get(1).row();
        assertThat(row.horizonMillis()).isLessThan(tomorrow);
        assertThat(row.sameServer()).isFalse();
        assertThat(lower(repair, largest)).as("a second repair").hasToString("repaired nothing");
    }

    @Test
    void horizonsOfAnotherLayoutAreNotLowered() throws Exception {
        setHorizon(1, tomorrow());
        Object before = rows();

        AllocationException e = catchThrowableOfType(
                AllocationException.class,
                () -> repair.lowerHorizons("default", SnowflakeLayout.parse("41-0-3-19"), AN_ID));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void aRepairOfHorizonsRaisesNoneAndLeavesThoseOfACorrectClock() throws Exception {
        setHorizon(1, tomorrow());
        setHorizon(2, System.currentTimeMillis() + 180_000);
        List<Object> before = rowsOf(0, 2, 3);

        assertThat(lower(repair, idIn(-1)).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.row()).isEqualTo("1 worker ids"));

        assertThat(rowsOf(0, 2, 3)).isEqualTo(before);
    }

    private List<Object> rowsOf(int... workerIds) {
        return IntStream.of(workerIds)
                .mapToObj(each -> {
                    try {
                        return row(each);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    @Test
    void horizonsAreNotLoweredToATimeInTheFutureNorWithoutAnId() throws Exception {
        setHorizon(1, tomorrow());
        Object before = rows();
        long future = idIn(3_600);

        for (Repair each : List.of(repair, repair.dryRun())) {
            AllocationException ahead = catchThrowableOfType(AllocationException.class, () -> lower(each, future));
            assertThat(ahead.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(ahead)
                    .hasMessageContaining("the largest id, " + future + ", has the time ")
                    .hasMessageContaining("not lowered to a time in the future");
            AllocationException none = catchThrowableOfType(AllocationException.class, () -> lower(each, 0));
            assertThat(none.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }

        assertThat(rows()).isEqualTo(before);
        assertThat(store.candidates(terms, null).rows()).isNotEmpty().allMatch(Row::sameServer);
    }
}
