package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot.Health;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The snapshots of a generator with a lease in various situations, in virtual time. */
@Timeout(60)
@Quiet(LeaseKeeper.class)
class LeaseSnapshotTest implements SimulatedStore.Link {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Duration LEASE = ofSeconds(30);
    private static final Duration WINDOW = ofSeconds(180);
    private static final Duration RENEW = ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private final SimulatedThread thread = new SimulatedThread(time, e -> {
        throw new AssertionError("escaped", e);
    });
    private final LeasedWorker worker = new LeasedWorker(
            new SimulatedStore(database, this, Flaw.NONE),
            new LeaseTerms("test", LAYOUT, 32, 1),
            new LeasedWorker.Timing(ofSeconds(30), ofSeconds(3)),
            1,
            new LeasedWorker.LeaseEnvironment(time, new SplittableRandom(1), thread, IdgenListener.NONE));
    private final Snowflake ids = SnowflakeAccess.snowflake("test", LAYOUT, worker, worker);
    private final List<SnowflakeSnapshot> duringStatements = new ArrayList<>();
    private boolean failing;
    private boolean refusing;

    @BeforeEach
    void aRow() {
        database.set(32, new WorkerRow(32, LeaseTerms.layoutAndTimes(LAYOUT), 0, null, 0, 0, database.server()));
    }

    @Override
    public <T> T call(String statement, Supplier<T> work) {
        duringStatements.add(ids.snapshot());
        if (failing) {
            throw new StoreUnavailableException("connection reset");
        }
        if (refusing) {
            throw new IdGenerationException(ErrorCode.LAYOUT_MISMATCH, "another layout");
        }
        return work.get();
    }

    @Test
    void anOutageShowsItsLengthItsCauseAndWhatIsLeft() {
        ids.nextId();
        time.pass(ofMinutes(5));
        Duration before = ids.snapshot().windowLeft();
        failing = true;
        time.pass(ofMinutes(1));

        SnowflakeSnapshot away = ids.snapshot();
        assertThat(away.hasIds()).isTrue();
        assertThat(away.health()).isEqualTo(Health.DEGRADED);
        assertThat(away.outage().duration()).isBetween(ofMinutes(1).minus(RENEW).minusSeconds(2), ofMinutes(1));
        assertThat(away.outage().cause()).contains("connection reset");
        assertThat(away.failures()).isEqualTo(away.outage().failures()).isGreaterThan(4);
        assertThat(away.leaseLeft()).isZero();
        assertThat(away.windowLeft()).isEqualTo(before.minus(ofMinutes(1)).plus(away.lag()));

        failing = false;
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
        database.set(
                32,
                new WorkerRow(
                        32,
                        LeaseTerms.layoutAndTimes(LAYOUT),
                        1,
                        "another",
                        leaseUntil,
                        leaseUntil,
                        database.server()));
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
        Thread.currentThread().interrupt(); // so that closing does not wait for the release
        ids.close();
        assertThat(Thread.interrupted()).isTrue();
        time.pass(ofMillis(1));

        SnowflakeSnapshot closed = ids.snapshot();
        assertThat(closed.ended()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(closed.hasIds()).isFalse();
        assertThat(closed.workerId()).isNull();
        assertThat(closed.leasedUntil()).isNull();
        assertThat(closed.windowLeft()).isNull();
    }
}
