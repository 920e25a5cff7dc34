package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are taken, edited, restored or shared with a copy of the process. */
@Timeout(600)
@Quiet(LeaseKeeper.class)
class LeasedWorkerLossTest extends LeasedWorkerFixture {

    // ---- the lease is lost ----

    @Test
    void aLeaseThatAnotherHasTakenIsReplacedWithinTwoRenewals() {
        freshRows();
        Process process = process();
        int before = process.workerId();
        process.run(1000, ofMinutes(1));

        takenByAnother(before);
        process.run(1000, RENEW.multipliedBy(2).plusSeconds(2));

        assertThat(process.workerId()).isNotEqualTo(before);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void withoutAnotherRowIdsGoOnToTheEndOfTheWindow() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        takenByAnother(0);
        process.run(1000, ofSeconds(160));

        assertThat(time.parks()).isEqualTo(parks);
    }

    @Test
    void aRowThatIsGoneIsReplaced() {
        freshRows();
        Process process = process();
        int before = process.workerId();

        database.set(before, null);
        process.run(1000, ofSeconds(12));

        assertThat(process.workerId()).isNotEqualTo(before);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void whatAnUnansweredRenewalHasGrantedIsNotUsedAndTheRowIsTakenAgain() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        Instant end = Instant.ofEpochMilli(row(0).horizon());

        process.onNext("extend", () -> {
            throw new StoreUnavailableException("no answer");
        });
        while (row(0).horizon() == end.toEpochMilli()) {
            process.run(100, ofMillis(10));
        }
        Instant unseenEnd = Instant.ofEpochMilli(row(0).horizon());
        for (int i = 0; i < 300; i++) {
            process.run(100, ofSeconds(1));
            Instant made = process.next().time();
            assertThat(made.isBefore(end) || !made.isBefore(unseenEnd))
                    .as("made at " + made)
                    .isTrue();
        }

        assertThat(row(0).fence()).isEqualTo(2);
        assertThat(process.kinds()).contains(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @Test
    void theRowOfAnUnansweredRenewalIsTakenAgainBeforeItsLeaseIsOver() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        long end = row(0).horizon();

        process.onNext("extend", () -> {
            throw new StoreUnavailableException("no answer");
        });
        while (row(0).horizon() == end) {
            time.pass(ofMillis(10));
        }
        time.pass(ofSeconds(5)); // the lease that was renewed unseen would last for half a minute

        assertThat(row(0).fence()).isEqualTo(2);
        assertThat(process.kinds()).containsOnlyOnce(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @Test
    void aRenewalThatTakesEffectLateIsNotTakenForACopy() {
        workers = 1;
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofMinutes(1));
        process.nextExtensionIsLate = true;
        while (process.nextExtensionIsLate) {
            time.pass(ofMillis(10));
        }
        process.onNext("look", () -> assertThat(process.lateExtension.get()).isTrue());

        process.run(100, ofMinutes(5));

        assertThat(process.kinds()).contains(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 60_000})
    void aHorizonThatSomeoneElseRaisedStopsTheProcess(long by) {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));

        database.edit(workerId, row -> row.withHorizon(row.horizon() + by));
        time.pass(RENEW.multipliedBy(2));

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.STOPPED);
        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED);
        int sentSoFar = process.statements.size();
        time.pass(ofMinutes(5));
        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.statements).hasSize(sentSoFar);
    }

    /** Lets each read return an earlier state of the row, as a lagging replica does. */
    private void looksAreStale(Process process, WorkerRow old) {
        process.before("look", () -> {
            WorkerRow current = row(old.workerId());
            database.set(old.workerId(), old);
            process.onNext("look", () -> database.set(old.workerId(), current));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProcessThatReadsItsRowOutOfDateKeepsItsWindowAndLooksAgain(boolean sinceItsLease) {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));
        WorkerRow old = row(workerId);
        time.pass(ofSeconds(20));

        looksAreStale(
                process,
                sinceItsLease
                        ? old
                        : new WorkerRow(workerId, layout.toString(), 0, null, NEVER, 0, 0, database.server()));
        int before = process.statements.size();
        process.run(100, ofMinutes(1));
        assertThat(process.times("look")).hasSizeBetween(50, 90);
        assertThat(process.statements.size() - before).isLessThan(200);
        process.before("look", () -> {});
        process.run(100, ofMinutes(5));

        assertThat(process.workerId()).isEqualTo(workerId);
        assertThat(row(workerId).fence()).isEqualTo(1);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
    }

    // ---- rows that somebody set back ----

    @Test
    void aRowThatIsRestoredUnderItsOwnLeaseIsRaisedAgain() {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));
        WorkerRow backup = row(workerId);
        process.run(100, ofSeconds(30));
        long horizon = row(workerId).horizon();

        database.set(workerId, backup);
        process.run(100, RENEW.plusSeconds(2));

        assertThat(row(workerId).horizon()).isGreaterThanOrEqualTo(horizon);
        process.run(100, ofMinutes(4));
        assertThat(process.workerId()).isEqualTo(workerId);
        assertThat(row(workerId).fence()).isEqualTo(1);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterARestoreTicksAreGrantedTwiceForOneRenewalAtMost(boolean anotherLeasesTheRow) {
        workers = 2;
        freshRows();
        List<WorkerRow> backup = database.rows();
        Process process = process();
        int workerId = process.workerId();
        process.run(100, ofMinutes(1));
        backup.forEach(row -> database.set(row.workerId(), row));
        takenByAnother(1 - workerId);
        Process other = process();
        if (anotherLeasesTheRow) {
            assertThat(other.workerId()).isEqualTo(workerId);
        }

        process.run(100, RENEW.multipliedBy(11).dividedBy(10).plusMillis(500));

        assertThat(process.events)
                .filteredOn(IdgenEvent.LeaseLost.class::isInstance)
                .extracting(event -> ((IdgenEvent.LeaseLost) event).reason())
                .containsExactly(IdgenEvent.LeaseLost.Reason.SET_BACK);
        assertThat(database.rows()).allMatch(row -> row.generation() == 1);
        time.pass(RENEW.multipliedBy(2));
        long lost = other.kinds().stream().filter(Kind.LEASE_LOST::equals).count();
        assertThat(lost).isEqualTo(anotherLeasesTheRow ? 1 : 0);
        SnowflakeParts own = process.next();
        SnowflakeParts others = other.next();
        assertThat(own.worker()).isNotEqualTo(others.worker());
        assertThat(Duration.between(now(), own.time())).isGreaterThan(WINDOW.minus(RENEW.multipliedBy(4)));
    }

    @Test
    void aProcessThatLostItsRowAndFindsHealedRowsDiscardsItsWindow() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        takenByAnother(0);
        process.run(100, ofSeconds(20));
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST);

        database.edit(
                0,
                row -> row.changed(row.server(), row.grantedFrom())
                        .heldBy(null, NEVER)
                        .withHorizon(
                                database.nowMillis() + WINDOW.plusSeconds(6).toMillis())
                        .withGeneration(1));
        long healed = row(0).horizon();

        time.pass(ofSeconds(2));
        assertThat(process.next().time()).isAfterOrEqualTo(Instant.ofEpochMilli(healed));
    }

    // ---- copies of a process ----

    @Test
    void aCopyThatRenewsBetweenALookAndTheRenewalAfterItIsNoticed() {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));

        process.onNext("look", () -> database.edit(workerId, row -> row.withHorizon(row.horizon() + 1)));
        time.pass(RENEW.multipliedBy(2));

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.STOPPED);
    }

    @Test
    void ofACopyAndItsOriginalOnlyOneGoesOn() {
        workers = 1;
        freshRows();
        Process original = process();
        original.next();
        time.pass(ofMinutes(1));
        Process copy = process();
        Copies.copy(original.worker, copy.worker, layout, 500);

        time.pass(ofMinutes(1));

        List<Process> stopped = List.of(original, copy).stream()
                .filter(each -> each.kinds().contains(Kind.STOPPED))
                .toList();
        assertThat(stopped).hasSize(1);
        assertThat(stopped.get(0).refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        (stopped.get(0) == copy ? original : copy).next();
    }
}
