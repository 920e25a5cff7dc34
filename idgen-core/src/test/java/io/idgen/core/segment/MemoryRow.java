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

/** A row of a table in memory, which takes ids back as a table does. A test can hold its answers, or replace them. */
public class MemoryRow implements SegmentAllocator {
    /** The lowest id that no caller has. */
    final AtomicLong next = new AtomicLong(1);

    /** The size that each call wanted, recorded when the call begins. */
    final List<Integer> wanted = new CopyOnWriteArrayList<>();

    /** The segments that each call handed back, recorded when the call begins. */
    final List<List<Segment>> handedBack = new CopyOnWriteArrayList<>();

    public final Queue<Supplier<Segment>> answers = new ConcurrentLinkedQueue<>();
    volatile Runnable beforeHandBack = () -> {};
    private volatile Semaphore held = new Semaphore(Integer.MAX_VALUE / 2);

    /** Lets each call from now on wait for {@link #answer} or {@link #letGo}. */
    public void hold() {
        held = new Semaphore(0);
    }

    public void answer() {
        held.release();
    }

    public void letGo() {
        held.release(Integer.MAX_VALUE / 2);
    }

    /** Returns when this many calls have begun since the row was created. */
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

    /** Creates a row that works on demand, and grants as many ids as wanted. */
    static MemoryRow onDemand() {
        return new MemoryRow() {
            @Override
            public boolean isOnDemand() {
                return true;
            }
        };
    }

    /** Creates a row that works on demand, and always grants runs of one size. */
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
