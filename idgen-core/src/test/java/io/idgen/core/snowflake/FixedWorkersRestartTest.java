package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker id without a lease, used by one process or generator after the other. */
class FixedWorkersRestartTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualTime time = new ManualTime(START);

    /** Opens a generator as a new process would: in a namespace that this JVM has not used. */
    private Snowflake ofANewProcess(SnowflakeLayout layout, ClockPolicy policy) {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .workerId(0)
                .layout(layout)
                .clockPolicy(policy)
                .time(time)
                .build();
    }

    private static SnowflakeLayout layout(long tickMillis) {
        return new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(tickMillis), 49, 5, 5, 4);
    }

    @ParameterizedTest
    @CsvSource({
        "fail, 10, 0",
        "fail, 1000, 0",
        "fail, 10, 5",
        "fail, 1000, 500",
        "wait:5ms, 10, 0",
        "wait:5ms, 1000, 0",
        "wait:5ms, 10, 5",
        "wait:5ms, 1000, 500",
        "run-ahead:1s, 10, 5",
        "run-ahead:2s, 1000, 500",
        "reuse:4, 10, 5",
        "reuse:4, 1000, 500"
    })
    void aProcessThatRestartsWithinATickRepeatsNoIdOfIt(String policy, long tickMillis, long intoTheTick) {
        SnowflakeLayout layout = layout(tickMillis);
        time.advance(Duration.ofMillis(intoTheTick));
        List<long[]> drawn = new ArrayList<>();
        for (int process = 0; process < 5; process++) {
            try (Snowflake ids = ofANewProcess(layout, ClockPolicy.parse(policy))) {
                drawn.add(ids.nextIds(10));
            }
            time.advance(Duration.ofMillis(1)); // less than a tick
        }

        ParallelThreads.assertDistinct(drawn);
    }

    /** A worker id that no registry knows. */
    private record Unregistered(Window window) implements WorkerLease {
        @Override
        public SnowflakeSnapshot snapshot(long tickWaits) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<?> close() {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Shows that the tests above can fail: the generator uses the tick in which it starts. */
    @ParameterizedTest
    @ValueSource(longs = {10, 1000})
    void aProcessThatUsesTheTickInWhichItStartsRepeatsIds(long tickMillis) {
        SnowflakeLayout layout = layout(tickMillis);
        time.advance(Duration.ofMillis(tickMillis / 2));
        List<long[]> drawn = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            String namespace = UUID.randomUUID().toString();
            ClockPolicy policy = ClockPolicy.fail();
            long now = LayoutTime.ticks(layout).tickAt(time.millis());
            WorkerLease worker = new Unregistered(policy.window(layout, 0, 1, now));
            WallClock clock = new WallClock(layout, policy, time, namespace, IdgenListener.NONE);
            try (Snowflake ids = new Snowflake(namespace, layout, worker, clock)) {
                drawn.add(ids.nextIds(10));
            }
            time.advance(Duration.ofMillis(1));
        }

        assertThrows(AssertionError.class, () -> ParallelThreads.assertDistinct(drawn));
    }

    @ParameterizedTest
    @CsvSource({"fail, 0", "wait:5ms, 0", "run-ahead:20ms, 20", "reuse:8, 7"})
    void aProcessThatRestartsBeginsAboveAllThatTheEarlierOneMayHaveRunAhead(String policy, long ahead) {
        SnowflakeLayout layout = layout(1);
        List<long[]> drawn = new ArrayList<>();
        for (int process = 0; process < 5; process++) {
            try (Snowflake ids = ofANewProcess(layout, ClockPolicy.parse(policy))) {
                ids.nextId();
                time.advance(Duration.ofMillis(ahead + 5));
                drawn.add(ids.nextIds((int) (ahead + 1) * 16)); // as many as a call gets without waiting
            }
            time.advance(Duration.ofMillis(1));
        }

        ParallelThreads.assertDistinct(drawn);
    }

    @ParameterizedTest
    @CsvSource({"fail", "wait:5ms", "run-ahead:20ms", "reuse:8"})
    void aCallThatIsUnderWayWhenItsGeneratorIsClosedTakesNothingFromTheNextOne(String policy) {
        String namespace = UUID.randomUUID().toString();
        Snowflake.Builder builder = Snowflake.builder()
                .namespace(namespace)
                .workerId(0)
                .clockPolicy(ClockPolicy.parse(policy))
                .time(time);
        Snowflake ids = builder.build();
        ids.nextId();
        AtomicLong ofTheNext = new AtomicLong();
        time.atReading(1, () -> {
            time.advance(Duration.ofMillis(100));
            ids.close();
            try (Snowflake next = builder.build()) {
                ofTheNext.set(next.nextId());
            }
        });

        IdGenerationException e = assertThrows(IdGenerationException.class, ids::nextId);

        assertThat(ofTheNext).hasPositiveValue();
        assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
    }
}
