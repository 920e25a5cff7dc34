package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.time.TimeSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A cached tick is that of the clock, is refreshed once per tick, and needs a thread only while it is in demand. */
class CachedTickTest {
    private static final IssueClock.Wait PAUSE = new IssueClock.Wait() {};

    private final AtomicLong now = new AtomicLong(1_000);
    private final AtomicLong readings = new AtomicLong();
    private final BlockingQueue<Thread> keepers = new LinkedBlockingQueue<>();
    private final Semaphore ticks = new Semaphore(0);
    private final BlockingQueue<Long> parks = new LinkedBlockingQueue<>();
    private final CachedTick cached = new CachedTick(new ReadClock(), new ParkedTime());

    /** Counts its readings. The number of a tick is also the time until it begins, in nanoseconds. */
    private final class ReadClock implements IssueClock {
        @Override
        public long now() {
            readings.incrementAndGet();
            long tick = now.get();
            if (tick < 0) {
                throw new IdGenerationException(ErrorCode.LAYOUT_EXHAUSTED, "the layout has ended");
            }
            return tick;
        }

        @Override
        public long nanosUntil(long tick) {
            return tick;
        }

        @Override
        public Wait pause(@Nullable Wait before, Window window) {
            return PAUSE;
        }

        @Override
        public long tickWaits() {
            return 3;
        }
    }

    /** Records each park and its thread. A park lasts until the test ends it. */
    private final class ParkedTime implements TimeSource {
        @Override
        public long millis() {
            throw new AssertionError("not the clock of the ticks");
        }

        @Override
        public long nanoTime() {
            throw new AssertionError("nothing is measured");
        }

        @Override
        public void park(long nanos) {
            parks.add(nanos);
            keepers.add(Thread.currentThread());
            ticks.acquireUninterruptibly();
        }
    }

    @Test
    void theThreadSleepsUntilTheNextTick() throws Exception {
        cached.recently();

        assertThat(parks.take()).isEqualTo(1_001);
    }

    @Test
    void aCachedTickIsRefreshedOncePerTickInEitherDirection() throws Exception {
        cached.recently();
        keepers.take();
        for (long tick : new long[] {1_001, 1_007, 1_003}) {
            now.set(tick);
            ticks.release();
            keepers.take();

            assertThat(cached.recently()).isEqualTo(tick);
        }
    }

    @Test
    void aReadingRefreshesTheCachedTickIfTheThreadIsLate() throws Exception {
        cached.recently();
        keepers.take();
        now.set(1_001);

        assertThat(cached.recently()).isEqualTo(1_000);
        assertThat(cached.now()).isEqualTo(1_001);
        assertThat(cached.recently()).isEqualTo(1_001);
    }

    /** Starts the thread by a call, and waits until it ends because no further call follows. */
    private Thread endedThread() throws InterruptedException {
        cached.recently();
        Thread keeper = keepers.take();
        ticks.release(1_000);
        keeper.join();
        return keeper;
    }

    @Test
    void theThreadEndsWhenNobodyAsksAndAnotherBeginsWhenSomebodyDoes() throws Exception {
        Thread keeper = endedThread();

        now.set(2_000);
        assertThat(cached.recently()).isEqualTo(2_000);
        Thread another = keepers.take();
        while (another == keeper) {
            another = keepers.take();
        }
    }

    /** A reading that is under way while the thread ends must not leave a tick that no thread refreshes. */
    @Test
    void aReadingThatTheEndOfTheThreadOvertakesCachesNothing() throws Exception {
        for (int round = 0; round < 500; round++) {
            BlockingQueue<Thread> started = new LinkedBlockingQueue<>();
            MovingClock clock = new MovingClock();
            CachedTick racing = new CachedTick(clock, new TimeThatPasses(started));
            racing.recently();
            Thread keeper = started.take();
            while (keeper.isAlive()) {
                racing.now();
            }

            long before = clock.readings.get();
            assertThat(racing.recently()).as("round %d", round).isGreaterThan(before);
        }
    }

    /** Moves with each reading. */
    private static final class MovingClock implements IssueClock {
        private final AtomicLong readings = new AtomicLong();

        @Override
        public long now() {
            return readings.incrementAndGet();
        }

        @Override
        public long nanosUntil(long tick) {
            return 1;
        }

        @Override
        public Wait pause(@Nullable Wait before, Window window) {
            return PAUSE;
        }
    }

    private record TimeThatPasses(BlockingQueue<Thread> parked) implements TimeSource {
        @Override
        public long millis() {
            throw new AssertionError("not the clock of the ticks");
        }

        @Override
        public long nanoTime() {
            throw new AssertionError("nothing is measured");
        }

        @Override
        public void park(long nanos) {
            parked.add(Thread.currentThread());
        }
    }
}
