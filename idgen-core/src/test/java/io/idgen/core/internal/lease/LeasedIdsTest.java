package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A generator that leases its worker id and a fixed one, in one JVM. They never have the same worker id at the same
 * time, and never use the same tick of one.
 */
@Quiet(LeasedWorker.class)
class LeasedIdsTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final String namespace = UUID.randomUUID().toString();
    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);

    /** Creates rows of a database whose clock is ahead of this host's clock by the given duration. */
    private void rows(int workers, Duration ahead) {
        database.stepClock(
                Duration.between(SimulatedDatabase.START, Instant.now()).toMillis() + ahead.toMillis());
        for (int workerId = 0; workerId < workers; workerId++) {
            database.set(
                    workerId,
                    new WorkerRow(workerId, LeaseTerms.layoutAndTimes(LAYOUT), 0, null, 0, 0, database.server()));
        }
    }

    private Snowflake leased(int workers) {
        return leased(workers, new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE));
    }

    private Snowflake leased(int workers, LeaseStore store) {
        SimulatedThread thread = new SimulatedThread(time, e -> {
            throw new AssertionError("escaped", e);
        });
        LeasedWorker worker = new LeasedWorker(
                store,
                new LeaseTerms(namespace, LAYOUT, 0, workers),
                new LeasedWorker.Timing(ofSeconds(30), ofSeconds(3)),
                1,
                new LeasedWorker.LeaseEnvironment(time, new SplittableRandom(1), thread, IdgenListener.NONE));
        return SnowflakeAccess.snowflake(namespace, LAYOUT, worker, worker);
    }

    private void close(Snowflake leased) {
        Thread.currentThread().interrupt(); // so that closing does not wait for the release
        leased.close();
        assertThat(Thread.interrupted()).isTrue();
        time.pass(Duration.ZERO);
    }

    private Snowflake fixed(int worker) {
        return Snowflake.builder()
                .namespace(namespace)
                .workerId(worker)
                .clockPolicy(ClockPolicy.fail())
                .build();
    }

    private static int worker(long id) {
        return LAYOUT.parse(id).worker();
    }

    @Test
    void aFixedGeneratorIsRefusedWhileALeaseHoldsItsWorkerId() {
        rows(1, Duration.ZERO);
        Snowflake leased = leased(1);
        leased.nextId();

        ConfigurationException e = assertThrows(ConfigurationException.class, () -> fixed(0));

        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
        assertThat(e)
                .hasMessageContaining(
                        "worker id 0 in namespace '" + namespace + "' is leased by a generator of this JVM")
                .hasMessageNotContaining("another namespace");
        fixed(1).close();
        close(leased);
        fixed(0).close();
    }

    @Test
    void aLeaseSkipsTheWorkerIdsOfFixedGenerators() {
        rows(4, Duration.ZERO);
        try (Snowflake zero = fixed(0);
                Snowflake one = fixed(1);
                Snowflake three = fixed(3)) {
            Snowflake leased = leased(4);

            assertThat(worker(leased.nextId())).isEqualTo(2);

            assertThat(worker(zero.nextId())).isZero();
            assertThat(worker(one.nextId())).isOne();
            assertThat(worker(three.nextId())).isEqualTo(3);
            close(leased);
        }
    }

    @Test
    void aLeaseThatHasNoOtherWorkerIdIsRefusedAtOnceAndTheMessageSaysWhy() {
        rows(1, Duration.ZERO);
        Snowflake leased = leased(1);
        try (Snowflake fixed = fixed(0)) {
            ConfigurationException e = assertThrows(ConfigurationException.class, leased::nextId);

            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e)
                    .hasMessageContaining("worker id 0 in namespace '" + namespace + "' cannot be leased")
                    .hasMessageContaining("generators of this JVM without a lease use 1");
            assertThat(time.elapsed()).isLessThan(ofSeconds(1));
            assertThat(worker(fixed.nextId())).isZero();
        }
        time.pass(ofMillis(50)); // the back-off after the refusal
        assertThat(worker(leased.nextId())).isZero();
        close(leased);
    }

    @Test
    void aFixedGeneratorBeginsAboveALeaseThatHasEnded() {
        rows(1, ofSeconds(10)); // the ids of its leases are ahead of this host's clock
        Snowflake leased = leased(1);
        leased.nextId();
        close(leased);

        try (Snowflake fixed = fixed(0)) {
            assertThrows(IdUnavailableException.class, fixed::nextId);
        }
    }

    @Test
    void aLeaseBeginsAboveAFixedGeneratorThatHasEnded() {
        rows(1, ofMillis(-500)); // the database's clock is behind this host's
        long last;
        try (Snowflake fixed = fixed(0)) {
            last = fixed.nextId();
        }
        Snowflake leased = leased(1);

        assertThat(leased.nextId()).isGreaterThan(last);
        close(leased);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aWorkerIdWhoseWholeWindowAFixedGeneratorHasUsedIsNotLeased(int used) {
        rows(2, ofSeconds(-60)); // the database's clock is behind this host's by more than the first window
        try (Snowflake fixed = fixed(used)) {
            fixed.nextId();
        }
        Snowflake leased = leased(2);

        assertThat(worker(leased.nextId())).isEqualTo(1 - used);
        assertThat(time.elapsed()).isLessThan(ofSeconds(1));
        close(leased);
    }
}
