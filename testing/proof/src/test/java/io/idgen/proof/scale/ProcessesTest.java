package io.idgen.proof.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.InMemoryLeaseStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A simulated crash releases nothing, and the checks find what they look for. */
class ProcessesTest {
    private static final int WORKER = 3;
    private static final LeaseStore.Terms TERMS = new LeaseStore.Terms(
            "default", SnowflakeLayout.IDGEN, WORKER, 1, Duration.ofSeconds(30), Duration.ofSeconds(180));

    private final InMemoryLeaseStore store = new InMemoryLeaseStore(InstantSource.system());

    private static Snowflake.Builder settings(Snowflake.Builder builder) {
        return builder.datacenterId(0).workerId(WORKER);
    }

    private boolean isLeased() {
        return store.state(TERMS, WORKER).orElseThrow().token() != null;
    }

    private StartedProcess process() {
        return process(store, ProcessesTest::settings);
    }

    private static StartedProcess process(LeaseStore of, UnaryOperator<Snowflake.Builder> settings) {
        return new SimulatedProcess(of, settings, Wrapped.Call::proceed);
    }

    @Test
    void aCrashedProcessReleasesNothing() {
        StartedProcess process = process();
        process.firstId();

        process.crash().join();

        assertThat(isLeased()).isTrue();
    }

    @Test
    void aStoppedProcessReleasesItsWorkerId() {
        StartedProcess process = process();
        process.firstId();

        process.stop().join();

        assertThat(isLeased()).isFalse();
    }

    @Test
    void processesWithOneWorkerIdAreFound() {
        // each has a store of its own
        try (Processes processes = new Processes(
                new Numbers(),
                SnowflakeLayout.IDGEN,
                calls -> process(new InMemoryLeaseStore(InstantSource.system()), ProcessesTest::settings))) {
            processes.startAll(2);

            processes.generate();

            assertThat(processes.heldTwice).hasPositiveValue();
        }
    }

    @Test
    void processesOfOneStoreHaveWorkerIdsOfTheirOwn() {
        try (Processes processes =
                new Processes(new Numbers(), SnowflakeLayout.IDGEN, calls -> process(store, builder -> builder))) {
            processes.startAll(2);

            processes.generate();

            assertThat(processes.heldTwice).hasValue(0);
            assertThat(processes.ids.duplicates()).isZero();
        }
    }

    @Test
    void idsThatRepeatAreCounted() {
        Numbers numbers = new Numbers();
        for (long each : new long[] {3, 1, 3, 2, 3}) {
            numbers.add(each);
        }

        assertThat(numbers.duplicates()).isEqualTo(2);
        assertThat(numbers.sortedFrom(2)).containsExactly(2, 3, 3);
    }
}
