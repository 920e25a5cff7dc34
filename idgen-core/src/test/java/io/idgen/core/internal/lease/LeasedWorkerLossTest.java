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
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are taken, edited, restored or shared with a copy of the process. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerLossTest extends LeasedWorkerFixture {

    // ---- the lease is lost ----

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

    // ---- rows that somebody set back ----

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
                .filteredOn(event -> event.kind() == Kind.LEASE_LOST)
                .singleElement()
                .extracting(IdgenEvent::text)
                .asString()
                .matches("the lease of worker id . is lost \\(rows of the namespace were set back\\); the rest of its"
                        + " window, to .*Z, is discarded, and another worker id is leased");
        assertThat(database.rows()).allMatch(row -> row.generation() == 1);
        time.pass(RENEW.multipliedBy(2));
        long lost = other.kinds().stream().filter(Kind.LEASE_LOST::equals).count();
        assertThat(lost).isEqualTo(anotherLeasesTheRow ? 1 : 0);
        SnowflakeParts own = process.next();
        SnowflakeParts others = other.next();
        assertThat(own.worker()).isNotEqualTo(others.worker());
        assertThat(Duration.between(now(), own.time())).isGreaterThan(WINDOW.minus(RENEW.multipliedBy(4)));
    }

    // ---- copies of a process ----

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

    @Test
    void aWindowIsSealedBeforeThatOfAnotherRowReplacesIt() {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        Window old = process.worker.window();

        takenByAnother(workerId);
        time.pass(RENEW.multipliedBy(3));

        assertThat(process.workerId()).isNotEqualTo(workerId);
        assertThat(old.highest()).isEqualTo(Window.SEALED); // a call that still has it gets no id of it
    }
}
