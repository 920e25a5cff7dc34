package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenEvent.LeaseLost;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.testing.Quiet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes on virtual machines that are copied while they run. Files stand in for the device VMClock; no hypervisor
 * runs. Each control has no device.
 */
@Timeout(60)
@Quiet(LeaseKeeper.class)
class MachineCopiesTest extends LeasedWorkerFixture {

    @TempDir
    private Path devices;

    private final Set<Long> ids = new HashSet<>();
    private int machines;

    /** A copy of the memory of a process, on a machine of its own. */
    private final class Twin {
        final StandInDevice device = new StandInDevice(devices.resolve("vmclock" + machines++));
        final Process process;

        /** Copies a process. Its machine has another generation, and tells it if it has the device. */
        Twin(Process original, boolean hasDevice) {
            process = process(hasDevice ? VmGeneration.ofDevice(device.file(), time) : VmGeneration.NONE);
            process.last = original.last;
            Copies.copy(original.worker, process.worker, layout, 500);
            device.set(1);
        }
    }

    private Process running() {
        Process process = process();
        process.run(1000, ofMinutes(1));
        return process;
    }

    /** Generates ids with two processes in turn, and returns whether no id is there twice. */
    private boolean areUnique(Process one, Process other, Duration duration) {
        boolean unique = true;
        for (Duration left = duration; !left.isZero(); left = left.minus(ofMillis(10))) {
            for (long id : one.ids.nextIds(10)) {
                unique &= ids.add(id);
            }
            for (long id : other.ids.nextIds(10)) {
                unique &= ids.add(id);
            }
            time.pass(ofMillis(10));
        }
        return unique;
    }

    @Test
    void aCopyRepeatsNoIdOfItsOriginalAndLeasesAnotherWorkerId() {
        freshRows();
        Process original = running();
        int workerId = original.workerId();
        Process copy = new Twin(original, true).process;

        assertThat(areUnique(original, copy, ofMinutes(5))).isTrue();

        assertThat(original.workerId()).isEqualTo(workerId);
        assertThat(original.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
        assertThat(copy.workerId()).isNotEqualTo(workerId);
        assertThat(copy.kinds()).containsExactly(Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
        assertThat(copy.events.get(0))
                .extracting(event -> ((LeaseLost) event).reason())
                .isEqualTo(LeaseLost.Reason.MACHINE_COPIED);
    }

    @Test
    void controlACopyThatDetectsNothingRepeatsIds() {
        freshRows();
        Process original = running();
        Process copy = new Twin(original, false).process;

        assertThat(areUnique(original, copy, ofSeconds(1))).isFalse();
    }

    @Test
    void aCopyLeavesTheRowAsItIs() {
        freshRows();
        Process original = running();
        WorkerRow row = row(original.workerId());
        Process copy = new Twin(original, true).process;

        copy.next();
        copy.close();

        assertThat(row(row.workerId()).token()).isEqualTo(row.token());
        assertThat(row(row.workerId()).horizon()).isGreaterThanOrEqualTo(row.horizon());
    }

    @Test
    void aCopyThatIsClosedBeforeItsFirstIdReleasesNothing() {
        freshRows();
        Process original = running();
        WorkerRow row = row(original.workerId());
        Process copy = new Twin(original, true).process;

        copy.close();

        assertThat(copy.statements).isEmpty();
        assertThat(row(row.workerId())).isEqualTo(row);
    }

    @Test
    void controlACopyThatDetectsNothingReleasesTheRowOfItsOriginal() {
        freshRows();
        Process original = running();
        int workerId = original.workerId();
        Process copy = new Twin(original, false).process;

        copy.close();

        assertThat(row(workerId).token()).isNull();
    }

    @Test
    void aCopyThatGeneratesNoIdsDoesNotRenewSoItsOriginalGoesOn() {
        freshRows();
        Process original = running();
        int workerId = original.workerId();
        Process copy = new Twin(original, true).process;

        time.pass(RENEW.multipliedBy(3));

        assertThat(original.workerId()).isEqualTo(workerId);
        assertThat(original.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
        assertThat(copy.kinds()).containsExactly(Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void aThreadThatHoldsTheWindowOfTheOriginalGetsNothingFromIt() {
        freshRows();
        Process copy = new Twin(running(), true).process;
        Window old = copy.worker.window();

        assertThat(old.claim(copy.worker, 4)).isEqualTo(Window.SEALED);
        assertThat(old.claim(copy.worker)).isEqualTo(Window.SEALED);
    }

    @Test
    void severalCopiesOfOneSnapshotRepeatNothing() {
        freshRows();
        Process original = running();
        int workerId = original.workerId();
        Twin one = new Twin(original, true);
        Twin other = new Twin(original, true);
        other.device.set(2);

        assertThat(areUnique(one.process, other.process, ofMinutes(1))).isTrue();
        assertThat(ids).noneMatch(id -> layout.parse(id).worker() == workerId);
    }

    @Test
    void aMachineThatIsCopiedAgainLeavesItsSecondLeaseToo() {
        freshRows();
        Twin copy = new Twin(running(), true);
        int workerId = copy.process.workerId();
        copy.device.set(2);

        time.pass(ofMillis(1));

        assertThat(copy.process.workerId()).isNotEqualTo(workerId);
        assertThat(copy.process.kinds())
                .containsExactly(Kind.LEASE_LOST, Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void aRowThatIsAcquiredWhileTheMachineIsCopiedIsNotUsed() {
        freshRows();
        StandInDevice device = new StandInDevice(devices.resolve("vmclock"));
        Process process = process(VmGeneration.ofDevice(device.file(), time));
        process.onNext("acquire", () -> {
            device.set(1);
            time.pass(ofMillis(1));
        });

        process.next();

        assertThat(process.statements)
                .extracting(Process.Statement::name)
                .containsExactly("candidates", "acquire", "candidates", "acquire");
        assertThat(database.rows()).filteredOn(row -> row.token() != null).hasSize(2);
    }

    @Test
    void aMachineThatIsSetBackWaitsForTheEndOfItsOldLeaseIfThereIsNoOtherRow() {
        workers = 1;
        freshRows();
        StandInDevice device = new StandInDevice(devices.resolve("vmclock"));
        Process process = process(VmGeneration.ofDevice(device.file(), time));
        process.run(1000, ofMinutes(1));
        long horizon = row(0).horizon();
        device.set(1);

        time.pass(RENEW.plusSeconds(2));
        assertThat(row(0).fence()).isEqualTo(1);
        time.pass(LEASE);

        assertThat(process.next().time().toEpochMilli()).isGreaterThanOrEqualTo(horizon);
    }

    @Test
    void aCallOfTheMillisecondOfTheCopyMayRepeatAnIdAndALaterOneDoesNot() {
        freshRows();
        StandInDevice device = new StandInDevice(devices.resolve("vmclock"));
        Process process = process(VmGeneration.ofDevice(device.file(), time));
        int workerId = process.workerId();
        time.pass(ofMillis(1));
        process.next(); // reads the counter
        device.set(1);

        assertThat(process.workerId()).isEqualTo(workerId);
        time.pass(ofMillis(1));
        assertThat(process.workerId()).isNotEqualTo(workerId);
    }

    @Test
    void whatWasCopiedIsReportedInWords() {
        freshRows();
        Process copy = new Twin(running(), true).process;

        copy.next();

        assertThat(copy.events)
                .first()
                .extracting(IdgenEvent::text)
                .asString()
                .contains("this virtual machine is a copy")
                .contains("is discarded");
    }
}
