package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot.Health;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snapshots of a generator with a lease in various situations, in virtual time. */
@Quiet(LeaseKeeper.class)
class LeaseSnapshotTest extends LeasedWorkerFixture {
    private Process process;
    private Snowflake ids;

    @BeforeEach
    void aProcess() {
        workers = 1;
        freshRows();
        process = process();
        ids = process.ids;
    }

    @Test
    void anOutageShowsItsLengthItsCauseAndWhatIsLeft() {
        ids.nextId();
        time.pass(ofMinutes(5));
        Duration before = ids.snapshot().windowLeft();
        process.fails();
        time.pass(ofMinutes(1));

        SnowflakeSnapshot away = ids.snapshot();
        assertThat(away.hasIds()).isTrue();
        assertThat(away.health()).isEqualTo(Health.DEGRADED);
        assertThat(away.outage().duration()).isBetween(ofMinutes(1).minus(RENEW).minusSeconds(2), ofMinutes(1));
        assertThat(away.outage().cause()).contains("connection reset");
        assertThat(away.failures()).isEqualTo(away.outage().failures()).isGreaterThan(4);
        assertThat(away.leaseLeft()).isZero();
        assertThat(away.windowLeft()).isEqualTo(before.minus(ofMinutes(1)).plus(away.lag()));

        process.works();
        time.pass(ofSeconds(30));
        SnowflakeSnapshot back = ids.snapshot();
        assertThat(back.outage()).isNull();
        assertThat(back.failures()).isGreaterThanOrEqualTo(away.failures());
        assertThat(back.leaseLeft()).isPositive();
        assertThat(back.health()).isEqualTo(Health.UP);
    }

    @Test
    void withAllWorkerIdsTakenThereAreNoIdsUntilOneIsFree() {
        long leaseUntil = SimulatedDatabase.START.plus(ofMinutes(1)).toEpochMilli();
        set(0, 1, "another", leaseUntil, leaseUntil);
        assertThrows(IdGenerationException.class, ids::nextId);

        assertThat(ids.snapshot().refused()).isEqualTo(ErrorCode.WORKER_IDS_TAKEN);
        assertThat(ids.snapshot().health()).isEqualTo(Health.DOWN);

        time.pass(ofMinutes(2));
        ids.nextId();
        assertThat(ids.snapshot().refused()).isNull();
        assertThat(ids.snapshot().health()).isEqualTo(Health.UP);
    }

    @Test
    void aClosedGeneratorSaysSoAndHasNoWorkerIdAnyMore() {
        ids.nextId();
        process.close();
        time.pass(ofMillis(1));

        SnowflakeSnapshot closed = ids.snapshot();
        assertThat(closed.ended()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(closed.hasIds()).isFalse();
        assertThat(closed.workerId()).isNull();
        assertThat(closed.leasedUntil()).isNull();
        assertThat(closed.windowLeft()).isNull();
    }
}
