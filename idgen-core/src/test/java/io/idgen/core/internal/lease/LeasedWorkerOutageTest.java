package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stores that do not answer, and servers that take over from one another. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerOutageTest extends LeasedWorkerFixture {

    // ---- outages of the store ----

    @Test
    void anOutageOfAMinuteIsNotNoticed() {
        freshRows();
        Process process = process();
        process.run(20_000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        process.run(20_000, ofMinutes(1));
        Duration lag = lag(process.next());
        process.works();
        process.run(20_000, ofSeconds(20));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(lag).isLessThan(ofSeconds(16));
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
    }

    @Test
    void anOutageOfHalfAnHourCostsNoCallOnlyTheTimeOfTheIds() {
        freshRows();
        Process process = process();
        process.run(20_000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        Duration failing = time.elapsed();
        List<Duration> held = new ArrayList<>();
        process.listener = event -> {
            if (event.kind() == Kind.CLOCK_HELD) {
                held.add(time.elapsed());
            }
        };
        process.run(20_000, ofMinutes(30));
        Duration lag = lag(process.next());
        assertThat(process.ids.snapshot().lag()).isBetween(lag.minusMillis(1), lag.plusMillis(1));
        process.works();
        process.run(20_000, ofSeconds(20));

        assertThat(process.ids.snapshot().lag()).isZero();
        assertThat(time.parks()).isEqualTo(parks);
        assertThat(held.get(0).minus(failing))
                .isBetween(WINDOW.dividedBy(4).minus(RENEW.multipliedBy(2)), ofSeconds(56));
        assertThat(lag).isBetween(ofMinutes(29), ofMinutes(30));
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
        assertThat(process.kinds())
                .containsExactly(
                        Kind.LEASE_ACQUIRED, Kind.OUTAGE_BEGAN, Kind.CLOCK_HELD, Kind.OUTAGE_ENDED, Kind.CLOCK_RESUMED);
        assertThat(process.events.get(0).text()).matches("worker id .* is leased until .*Z, for ids from .*Z to .*Z");
        assertThat(process.events.get(1).text())
                .startsWith("leasing a worker id or renewing its lease failed and is tried again; remaining ids are"
                        + " still served: ");
        assertThat(process.events.get(3).text())
                .startsWith("the store answers again: leasing a worker id or renewing its lease failed ");
        assertThat(process.events.get(4).text()).matches("ids follow the time again, after 1[78]\\d{5} ms");
    }

    @Test
    void aProcessThatFindsNoStoreSaysSoWhenItsTimeIsOver() {
        Process process = process();
        process.fails();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(refusal)
                .hasMessageContaining("within 30 s")
                .hasMessageContaining("connection reset")
                .hasCause(process.failure);
        assertThat(time.elapsed()).isBetween(FIRST_ID, FIRST_ID.plusMillis(10));
    }

    @Test
    void aWindowThatIsUsedUpMakesCallsWaitForTheirTime() {
        layout = new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(1), 61, 0, 2, 0);
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofSeconds(6));
        process.fails();
        time.pass(ofMinutes(2)); // ids no longer follow the time
        long left = process.worker.window().lastTick() - process.worker.window().highestTick();
        process.last = process.ids.nextIds((int) left)[0];

        Duration begun = time.elapsed();
        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.WINDOW_USED_UP);
        assertThat(time.elapsed().minus(begun)).isBetween(NEXT_ID, NEXT_ID.plusMillis(10));
        process.works();
        process.next();
    }

    // ---- another server ----

    @Test
    void afterAFailoverTheRowIsAdvancedAndIdsGoOnWithoutAPause() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();
        long highest =
                database.rows().stream().mapToLong(WorkerRow::horizon).max().orElseThrow();

        database.failOver(3, -4000);
        process.run(1000, ofMinutes(5));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(process.kinds())
                .filteredOn(kind -> kind != Kind.CLOCK_HELD && kind != Kind.CLOCK_RESUMED)
                .containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
        assertThat(row(process.workerId()).horizon()).isGreaterThan(highest);
        assertThat(process.statements).extracting(Process.Statement::name).contains("fence off");
    }
}
