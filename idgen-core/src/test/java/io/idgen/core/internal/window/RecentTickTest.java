package io.idgen.core.internal.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tick kept at hand is the clock's, is renewed with it, and costs a thread only while it is asked for. */
@Timeout(60)
class RecentTickTest {
    private final AtomicLong now = new AtomicLong(1_000);
    private final AtomicLong readings = new AtomicLong();
    private final BlockingQueue<Thread> keepers = new LinkedBlockingQueue<>();
    private final Semaphore ticks = new Semaphore(0);
    private final RecentTick recent = new RecentTick(this::read, this::parkForTick);

    private long read() {
        readings.incrementAndGet();
        long tick = now.get();
        if (tick < 0) {
            throw new IdGenerationException(ErrorCode.LAYOUT_EXHAUSTED, "the layout has ended");
        }
        return tick;
    }

    private void parkForTick() {
        keepers.add(Thread.currentThread());
        ticks.acquireUninterruptibly();
    }

    @Test
    void whatIsNotKeptYetIsRead() throws Exception {
        assertThat(recent.tick()).isEqualTo(1_000);
        assertThat(keepers.take().isDaemon()).isTrue();
    }

    @Test
    void whatIsKeptIsNotRead() throws Exception {
        recent.tick();
        keepers.take();
        long before = readings.get();

        for (int i = 0; i < 1_000; i++) {
            assertThat(recent.tick()).isEqualTo(1_000);
        }
        assertThat(readings).hasValue(before);
    }

    @Test
    void whatIsKeptIsRenewedWithEachTickInEitherDirection() throws Exception {
        recent.tick();
        keepers.take();
        for (long tick : new long[] {1_001, 1_007, 1_003}) {
            now.set(tick);
            ticks.release();
            keepers.take();

            assertThat(recent.tick()).isEqualTo(tick);
        }
    }

    @Test
    void theThreadEndsWhenNobodyAsksAndAnotherBeginsWhenSomebodyDoes() throws Exception {
        recent.tick();
        Thread keeper = keepers.take();
        ticks.release(1_000);
        keeper.join();

        now.set(2_000);
        assertThat(recent.tick()).isEqualTo(2_000);
        Thread another = keepers.take();
        while (another == keeper) {
            another = keepers.take();
        }
    }

    @Test
    void theThreadEndsAfterTenTicksWithoutACall() throws Exception {
        recent.tick();
        Thread keeper = keepers.take();
        ticks.release(1_000);
        keeper.join();

        assertThat(keepers).hasSize(9);
    }

    @Test
    void theThreadKeepsNoClassLoaderOfACaller() throws Exception {
        ClassLoader mine = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(mine) {});
        try {
            recent.tick();
        } finally {
            Thread.currentThread().setContextClassLoader(mine);
        }

        assertThat(keepers.take().getContextClassLoader()).isSameAs(RecentTick.class.getClassLoader());
    }

    @Test
    void theThreadLivesAsLongAsItIsAskedFor() throws Exception {
        recent.tick();
        Thread keeper = keepers.take();
        for (int tick = 0; tick < 1_000; tick++) {
            recent.tick();
            ticks.release();
            assertThat(keepers.take()).isSameAs(keeper);
        }
    }

    @Test
    void aClockWithoutATickIsHeardByTheCaller() throws Exception {
        recent.tick();
        Thread keeper = keepers.take();
        now.set(-1);
        ticks.release();
        keeper.join();

        assertThatThrownBy(recent::tick).isInstanceOf(IdGenerationException.class);
    }
}
