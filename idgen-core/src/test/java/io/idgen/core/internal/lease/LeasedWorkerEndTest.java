package io.idgen.core.internal.lease;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The end of a layout, and of a process. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerEndTest extends LeasedWorkerFixture {

    // ---- the layout's end ----

    @Test
    void theLastIdOfTheLayoutIsMadeAndThenNoMore() {
        layout = endingIn(ofMinutes(2));
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(2).minusMillis(5).minus(time.elapsed()));

        while (process.last < layout.largestId(workerId)) {
            process.next();
        }

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        time.pass(ofMinutes(1));
        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
    }

    @Test
    void aProcessThatStartsAfterTheLayoutsEndIsRefusedAtOnce() {
        layout = endingIn(ofMinutes(2));
        freshRows();
        time.pass(ofMinutes(3));
        Process process = process();

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        assertThat(time.elapsed()).isLessThan(ofMinutes(3).plusSeconds(1));
        assertThat(process.kinds()).isEmpty();
    }

    private static SnowflakeLayout endingIn(Duration left) {
        return SnowflakeLayout.IDGEN.withEpoch(
                SimulatedDatabase.START.plus(left).minusMillis(1L << 41));
    }

    // ---- the end ----

    @Test
    void closingReleasesTheRowWithAllUnusedTicks() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        SnowflakeParts last = process.next();

        process.close();

        WorkerRow row = row(last.worker());
        assertThat(row.token()).isNull();
        assertThat(row.leaseUntil()).isZero();
        assertThat(row.horizon()).isEqualTo(last.time().toEpochMilli() + 1);
        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED); // for calls under way
        assertThat(process.refused().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(process.kinds()).endsWith(Kind.LEASE_RELEASED);
    }

    @Test
    void aGrantThatIsAnsweredAfterClosingIsReleasedUnused() {
        workers = 1;
        freshRows();
        Process process = process();
        long before = database.nowMillis();
        process.onNext("acquire", process::close);

        assertThat(process.refused().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        time.pass(ofSeconds(1));

        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED);
        assertThat(row(0).token()).isNull();
        assertThat(row(0).horizon()).isBetween(before, before + 10);
    }

    @Test
    void whoIsInterruptedWhileItWaitsKeepsTheInterrupt() {
        Process process = process();
        process.fails();
        Thread.currentThread().interrupt();

        IdGenerationException refusal = process.refused();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INTERRUPTED);
    }

    @Test
    void closingAGeneratorWithItsOwnThreadReleasesTheRow() {
        workers = 1;
        freshRows();
        Snowflake ids = Snowflake.builder()
                .leasedFrom(new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE))
                .workerId(0)
                .datacenterId(0)
                .build();

        long id = ids.nextId();
        ids.close();

        assertThat(row(0).token()).isNull();
        assertThat(row(0).horizon()).isEqualTo(layout.parse(id).time().toEpochMilli() + 1);
        assertThat(assertThrows(IdGenerationException.class, ids::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }
}
