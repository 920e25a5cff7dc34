package io.idgen.core.segment;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.SourceSnapshot.Health;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The snapshots of a segment source in various situations, in virtual time. */
class SegmentSnapshotTest {
    private static final int STEP = 10;
    private static final Duration PATIENCE = ofSeconds(3);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedThread refills = new SimulatedThread(time, e -> {
        throw new AssertionError("escaped", e);
    });
    private long next = 1;
    private boolean failing;
    private boolean refusing;
    private final SegmentIdSource ids = SegmentIdSource.builder((name, wanted) -> allocate(wanted), "orders")
            .step(STEP)
            .maxStep(STEP)
            .acquireTimeout(PATIENCE)
            .refills(refills)
            .listenerDirectly(IdgenListener.NONE)
            .time(time)
            .random(new SplittableRandom(1)) // a fixed seed: with others, an attempt may be under way at a deadline
            .build();

    private Segment allocate(int wanted) {
        time.park(ofMillis(20).toNanos());
        if (failing) {
            throw new StoreUnavailableException("connection reset");
        }
        if (refusing) {
            throw new AllocationException(ErrorCode.LIMIT_REACHED, "the row is at its limit");
        }
        next += wanted;
        return new Segment(next - wanted, wanted, 1);
    }

    @Test
    void idsMoveFromTheReserveToTheSegmentInUseToTheCallers() {
        ids.nextId();
        time.pass(ofSeconds(1));
        assertThat(ids.snapshot())
                .isEqualTo(new SegmentSnapshot(
                        "orders",
                        1,
                        STEP - 1,
                        STEP,
                        STEP,
                        2,
                        ofMillis(40),
                        true,
                        null,
                        null,
                        new SourceSnapshot.Waits(0, 1, ofMillis(20)),
                        null,
                        0));

        ids.nextIds(STEP - 1);
        SegmentSnapshot usedUp = ids.snapshot();
        assertThat(usedUp.given()).isEqualTo(STEP);
        assertThat(usedUp.current()).isZero();
        assertThat(usedUp.hasIds()).isTrue();

        ids.nextId();
        SegmentSnapshot refilling = ids.snapshot();
        assertThat(refilling.given()).isEqualTo(STEP + 1);
        assertThat(refilling.current()).isEqualTo(STEP - 1);
        assertThat(refilling.spare()).isZero();
    }

    @Test
    void anOutageIsShownUntilARefillSucceeds() {
        ids.warmUp();
        failing = true;
        ids.nextIds(STEP + 1);
        time.pass(ofSeconds(10));

        SegmentSnapshot away = ids.snapshot();
        assertThat(away.hasIds()).isTrue();
        assertThat(away.health()).isEqualTo(Health.DEGRADED);
        assertThat(away.outage().duration()).isBetween(ofSeconds(9), ofSeconds(10));
        assertThat(away.outage().failures()).isBetween(3, 12);
        assertThat(away.outage().cause()).contains("connection reset");
        assertThat(away.failures()).isEqualTo(away.outage().failures());

        ids.nextIds(STEP - 1);
        assertThat(ids.snapshot().hasIds()).isFalse();
        assertThat(ids.snapshot().health()).isEqualTo(Health.DOWN);
        Duration waited = ids.snapshot().waits().total();
        assertThrows(IdUnavailableException.class, ids::nextId);
        assertThat(ids.snapshot().waits().calls()).isEqualTo(away.waits().calls() + 1);
        assertThat(ids.snapshot().waits().total()).isEqualTo(waited.plus(PATIENCE));

        failing = false;
        time.pass(ofSeconds(6));
        SegmentSnapshot back = ids.snapshot();
        assertThat(back.outage()).isNull();
        assertThat(back.failures()).isGreaterThanOrEqualTo(away.failures());
        assertThat(back.hasIds()).isTrue();
        assertThat(back.health()).isEqualTo(Health.UP);
    }
}
