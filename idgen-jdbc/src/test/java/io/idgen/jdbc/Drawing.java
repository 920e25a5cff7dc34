package io.idgen.jdbc;

import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.internal.ParallelThreads;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Threads that generate ids one by one until they are stopped. Calls that time out are counted and retried. */
final class Drawing implements AutoCloseable {
    private final IdSource source;
    private final List<Queue<Long>> drawn;
    private final ExecutorService threads;
    private final List<? extends Future<?>> ends;
    private final AtomicLong unavailable = new AtomicLong();
    private volatile boolean ending;

    Drawing(IdSource source, int threads) {
        this.source = source;
        this.drawn = Stream.<Queue<Long>>generate(ConcurrentLinkedQueue::new)
                .limit(threads)
                .toList();
        this.threads = Executors.newFixedThreadPool(threads);
        this.ends = drawn.stream()
                .map(mine -> this.threads.submit(() -> draw(mine)))
                .toList();
    }

    private void draw(Queue<Long> mine) {
        while (!ending) {
            try {
                mine.add(source.nextId());
            } catch (IdUnavailableException e) {
                unavailable.incrementAndGet();
            }
        }
    }

    /** Returns how many calls timed out. */
    long unavailable() {
        return unavailable.get();
    }

    /** Returns how many ids so far match the condition. */
    long count(LongPredicate like) {
        return drawn.stream().flatMap(Collection::stream).filter(like::test).count();
    }

    /** Waits until each thread has generated this many more ids; fails if a thread does not. */
    void awaitEach(int more) throws Exception {
        int[] before = drawn.stream().mapToInt(Collection::size).toArray();
        Await.until(
                more + " ids more for each thread",
                () -> IntStream.range(0, before.length)
                        .allMatch(i -> drawn.get(i).size() >= before[i] + more));
    }

    /** Stops the threads. Fails if an id was generated twice, or if a call failed for another reason than a timeout. */
    void endDistinct() throws Exception {
        ending = true;
        for (Future<?> end : ends) {
            end.get(1, TimeUnit.MINUTES);
        }
        ParallelThreads.assertDistinct(drawn.stream()
                .map(mine -> mine.stream().mapToLong(Long::longValue).toArray())
                .toList());
    }

    @Override
    public void close() {
        ending = true;
        threads.shutdownNow();
    }
}
