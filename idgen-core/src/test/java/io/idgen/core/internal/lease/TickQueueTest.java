package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A thread that waits behind another one leaves it the tick uncontended, and is woken up itself. */
class TickQueueTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-5-5-12");
    private static final int TICK_IDS = 4096;
    private static final long TICK_NANOS = 1_000_000;
    private static final long LONG_NANOS = 60_000_000_000L;

    private final AtomicLong now = new AtomicLong(1_000);
    private final Window window = new RisingWindow(LAYOUT, 0, 1, 1_000, 0);
    private final ParkedTime time = new ParkedTime();
    private final TickQueue queue = new TickQueue(LAYOUT, time, now::get, tick -> (tick - now.get()) * TICK_NANOS);

    /** Records each park, which lasts until the test ends it. */
    private static final class ParkedTime implements TimeSource {
        final BlockingQueue<Long> parks = new LinkedBlockingQueue<>();
        final Semaphore ends = new Semaphore(0);

        @Override
        public long millis() {
            throw new AssertionError("the queue's clock is in ticks");
        }

        @Override
        public long nanoTime() {
            throw new AssertionError("the queue does not measure");
        }

        @Override
        public void park(long nanos) {
            parks.add(nanos);
            ends.acquireUninterruptibly();
        }
    }

    private void useUp(long tick) {
        now.set(tick);
        assertThat(window.claim(now::get, TICK_IDS)).isNotNegative();
    }

    /** Starts a call, and returns when it waits in the queue or sleeps. */
    private Thread call(long tick) {
        return call(window, tick);
    }

    private Thread call(Window of, long tick) {
        Thread call = new Thread(() -> queue.sleep(of, tick, LONG_NANOS));
        call.setDaemon(true);
        call.start();
        while (call.getState() != Thread.State.WAITING && call.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return call;
    }

    private void wakesUpAndIsLeftAlone(Thread sleeper) throws InterruptedException {
        time.ends.release();
        sleeper.join();
        assertThat(time.parks.take()).isEqualTo(TickQueue.aloneNanos(LAYOUT));
    }

    @Test
    void oneSleepsForAllThatWait() throws Exception {
        useUp(1_000);
        call(1_001);
        call(1_001);
        call(1_001);

        assertThat(time.parks.take()).isEqualTo(TICK_NANOS);
        assertThat(time.parks).isEmpty();
    }

    @Test
    void theSecondLeavesTheFirstAloneWithTheTickAndSleepsOnIfItIsUsedUpThen() throws Exception {
        useUp(1_000);
        Thread first = call(1_001);
        assertThat(time.parks.take()).isEqualTo(TICK_NANOS);
        Thread second = call(1_001);

        now.set(1_001);
        wakesUpAndIsLeftAlone(first);

        useUp(1_001);
        time.ends.release();
        assertThat(time.parks.take()).isEqualTo(TICK_NANOS);

        now.set(1_002);
        time.ends.release();
        second.join();
        assertThat(time.parks).isEmpty();
    }

    @Test
    void aSealedWindowIsNotWaitedForBehindAnother() throws Exception {
        useUp(1_000);
        Thread first = call(1_001);
        Thread second = call(1_001);
        assertThat(time.parks.take()).isEqualTo(TICK_NANOS);
        window.seal();
        wakesUpAndIsLeftAlone(first);
        time.ends.release();
        second.join();
    }

    @Test
    void anInterruptEndsTheWaitForTheTurnAndStays() throws Exception {
        useUp(1_000);
        call(1_001);
        assertThat(time.parks.take()).isEqualTo(TICK_NANOS);
        Semaphore seen = new Semaphore(0);
        Thread second = new Thread(() -> {
            queue.sleep(window, 1_001, LONG_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                seen.release();
            }
        });
        second.start();
        second.interrupt();
        second.join();

        assertThat(seen.tryAcquire()).isTrue();
    }
}
