package io.idgen.core.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Quiet(NextTurn.class)
class NextTurnTest {
    private static final Duration RARELY = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final StarvedThreads threads = new StarvedThreads(time);
    private final NextTurn next = new NextTurn(TaskThreads.of(threads), time::nanoTime, this::turn);
    private Runnable first = () -> {};
    private int turns;

    private void turn() {
        if (next.begin()) {
            turns++;
            if (turns == 1) {
                first.run();
            }
            next.end();
        }
    }

    private void assertOneMoreTurnAfterThePause() {
        time.pass(NextTurn.RETRY.minusMillis(1));
        assertThat(turns).isEqualTo(1);
        time.pass(RARELY);
        assertThat(turns).isEqualTo(2);
    }

    @Test
    void aTurnThatThrowsIsRepeatedAfterAPause() {
        first = () -> {
            throw new IllegalStateException("a turn failed");
        };
        next.hurry();

        assertOneMoreTurnAfterThePause();
    }

    @Test
    void aTurnThatFindsNoThreadForTheNextOneIsFollowedByOneAllTheSame() {
        first = () -> {
            threads.starve();
            next.plan(Duration.ZERO, true);
            threads.recover();
        };
        next.hurry();

        assertOneMoreTurnAfterThePause();
    }

    @Test
    void aRoutineTurnRunsEarlierForACallAndOnlyOnce() {
        next.plan(RARELY, true);
        next.hurry();
        time.pass(Duration.ZERO);
        assertThat(turns).isEqualTo(1);

        time.pass(RARELY);
        assertThat(turns).isEqualTo(1);
    }

    @Test
    void aTurnThatFindsNoThreadRunsLaterThoughNobodyAsksAgain() {
        StarvedThreads executor = new StarvedThreads(time);
        NextTurn alone = new NextTurn(new ExecutorThreads(executor, threads), time::nanoTime, () -> turns++);
        executor.starve();

        assertThat(alone.hurry()).isNotNull();
        executor.recover();
        time.pass(NextTurn.RETRY);

        assertThat(turns).isEqualTo(1);
    }

    @Test
    void whileATurnIsRunningNoOtherOneBegins() {
        next.begin();

        assertThat(next.begin()).isFalse();
        next.hurry();
        time.pass(RARELY);
        assertThat(turns).isZero();
        next.end();
        assertThat(next.begin()).isTrue();
    }
}
