package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.StoreUnavailableException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A row of a table in memory, which takes ids back as a table does, and can be held, or told to answer otherwise. */
public class MemoryRow implements SegmentAllocator {
    /** The lowest id that nobody has. */
    final AtomicLong next = new AtomicLong(1);

    /** What each call wanted, noted when it begins. */
    final List<Integer> wanted = new CopyOnWriteArrayList<>();

    /** What each call brought back, noted when it begins. */
    final List<List<Segment>> handedBack = new CopyOnWriteArrayList<>();

    public final Queue<Supplier<Segment>> answers = new ConcurrentLinkedQueue<>();
    volatile Runnable beforeHandBack = () -> {};
    private volatile Semaphore held = new Semaphore(Integer.MAX_VALUE / 2);

    /** From now on each call waits for {@link #answer} or {@link #letGo}. */
    public void hold() {
        held = new Semaphore(0);
    }

    public void answer() {
        held.release();
    }

    public void letGo() {
        held.release(Integer.MAX_VALUE / 2);
    }

    /** Returns when so many calls have begun since the row was made. */
    void isCalled(int times) {
        Caller.until("call " + times + " of the allocator", () -> wanted.size() >= times);
    }

    static StoreUnavailableException databaseFailed() {
        return new StoreUnavailableException("connection refused", new IllegalStateException());
    }

    static Supplier<Segment> failing(RuntimeException e) {
        return () -> {
            throw e;
        };
    }

    @Override
    public Segment allocate(String name, int wanted) {
        this.wanted.add(wanted);
        try {
            assertThat(held.tryAcquire(60, SECONDS)).as("an answer").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a refill must not be interrupted", e);
        }
        Supplier<Segment> answer = answers.poll();
        return answer == null ? run(wanted) : answer.get();
    }

    Segment run(int wanted) {
        return new Segment(next.getAndAdd(wanted), wanted, 1);
    }

    @Override
    public void handBack(String name, List<Segment> newestFirst) {
        handedBack.add(List.copyOf(newestFirst));
        beforeHandBack.run();
        for (Segment unused : newestFirst) {
            next.compareAndSet(unused.last() + 1, unused.first());
        }
    }

    /** A row on demand, whose runs are as long as wanted. */
    static MemoryRow onDemand() {
        return new MemoryRow() {
            @Override
            public boolean isOnDemand() {
                return true;
            }
        };
    }

    /** A row on demand, whose runs have a size of their own whatever is wanted. */
    static MemoryRow fixed(int size) {
        return new MemoryRow() {
            @Override
            Segment run(int wanted) {
                return super.run(size);
            }

            @Override
            public boolean isOnDemand() {
                return true;
            }
        };
    }
}
