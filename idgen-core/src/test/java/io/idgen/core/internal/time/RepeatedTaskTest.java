package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

@Quiet(RepeatedTask.class)
class RepeatedTaskTest {
    private static final Duration RARELY = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedThread thread = new SimulatedThread(time, e -> {});
    private final RepeatedTask task = new RepeatedTask(thread, new ReentrantLock(), this::turn);
    private Runnable first = () -> {};
    private int turns;

    private void turn() {
        if (task.begin()) {
            turns++;
            if (turns == 1) {
                first.run();
            }
            task.end();
        }
    }

    @Test
    void aTurnThatThrowsIsRepeatedAfterAPause() {
        first = () -> {
            throw new IllegalStateException("a turn failed");
        };
        task.hurry();

        time.pass(RepeatedTask.RETRY.minusMillis(1));
        assertThat(turns).isEqualTo(1);
        time.pass(RARELY);
        assertThat(turns).isEqualTo(2);
    }

    @Test
    void aTaskEndsWithItsThreadAlsoIfItsTurnThrows() {
        first = () -> {
            thread.shutdown();
            throw new IllegalStateException("a turn failed");
        };
        task.hurry();

        time.pass(RARELY);
        assertThat(turns).isEqualTo(1);
        assertThat(task.isUnderWay()).isFalse();
    }

    @Test
    void aRoutineTurnRunsEarlierForACallAndOnlyOnce() {
        task.plan(RARELY, true);
        task.hurry();
        time.pass(Duration.ZERO);
        assertThat(turns).isEqualTo(1);

        time.pass(RARELY);
        assertThat(turns).isEqualTo(1);
    }

    @Test
    void aTurnThatIsPlannedForAnotherCallKeepsItsTime() {
        task.plan(RARELY, false);
        task.hurry();
        time.pass(Duration.ZERO);
        assertThat(turns).isZero();

        time.pass(RARELY);
        assertThat(turns).isEqualTo(1);
    }

    @Test
    void whileATurnIsRunningNoOtherOneBegins() {
        task.begin();

        assertThat(task.begin()).isFalse();
        task.hurry();
        time.pass(RARELY);
        assertThat(turns).isZero();
        task.end();
        assertThat(task.begin()).isTrue();
    }
}
