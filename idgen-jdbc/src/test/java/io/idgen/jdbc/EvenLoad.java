package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Threads that together generate 20,000 ids per second, evenly and one by one. */
final class EvenLoad implements AutoCloseable {
    static final int IDS_PER_SECOND = 20_000;

    private static final int THREADS = 4;
    private static final Duration TICK = Duration.ofMillis(5);
    private static final int IDS_PER_TICK = (int) (IDS_PER_SECOND * TICK.toMillis() / 1_000 / THREADS);

    private final List<Taker> takers;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(THREADS);

    /** Receives each id. */
    interface Witness {
        /** Receives an id and the wall-clock time before its call. Called by many threads. */
        void took(long id, long callMillis);
    }

    EvenLoad(IdSource source, Witness witness) {
        takers =
                Stream.generate(() -> new Taker(source, witness)).limit(THREADS).toList();
        takers.forEach(taker -> clock.scheduleAtFixedRate(taker, 0, TICK.toMillis(), TimeUnit.MILLISECONDS));
    }

    long ids() {
        return takers.stream().mapToLong(taker -> taker.count).sum();
    }

    long highest() {
        return takers.stream().mapToLong(taker -> taker.highest).max().orElseThrow();
    }

    long failedCalls() {
        return takers.stream().mapToLong(taker -> taker.failedCalls).sum();
    }

    void forgetSlowestCall() {
        takers.forEach(taker -> taker.slowestCallNanos.set(0));
    }

    Duration slowestCall() {
        return Duration.ofNanos(takers.stream()
                .mapToLong(taker -> taker.slowestCallNanos.get())
                .max()
                .orElseThrow());
    }

    void end() throws InterruptedException {
        clock.shutdown();
        assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    void assertUniqueAndRising() {
        List<long[]> ids = takers.stream()
                .map(taker -> Arrays.copyOf(taker.ids, taker.count))
                .toList();
        ParallelThreads.assertDistinct(ids);
        assertThat(ids).allSatisfy(ofOneThread -> assertThat(ofOneThread).isSorted());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** One thread of the load. Only this thread writes its fields, except for the slowest call, which others reset. */
    private static final class Taker implements Runnable {
        private final IdSource source;
        private final Witness witness;
        private final AtomicLong slowestCallNanos = new AtomicLong();
        private long[] ids = new long[1_000_000];
        private volatile int count;
        private volatile long highest;
        private volatile long failedCalls;

        Taker(IdSource source, Witness witness) {
            this.source = source;
            this.witness = witness;
        }

        @Override
        public void run() {
            for (int i = 0; i < IDS_PER_TICK; i++) {
                take();
            }
        }

        private void take() {
            try {
                long callMillis = System.currentTimeMillis();
                long beforeNanos = System.nanoTime();
                long id = source.nextId();
                slowestCallNanos.accumulateAndGet(System.nanoTime() - beforeNanos, Math::max);
                witness.took(id, callMillis);
                if (count == ids.length) {
                    ids = Arrays.copyOf(ids, 2 * count);
                }
                ids[count] = id;
                highest = id;
                count = count + 1;
            } catch (IdGenerationException e) {
                failedCalls = failedCalls + 1;
            }
        }
    }
}
