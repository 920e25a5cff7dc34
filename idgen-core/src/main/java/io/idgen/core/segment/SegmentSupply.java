package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.internal.task.Standing;
import io.idgen.core.internal.task.YieldingLock;
import io.idgen.core.internal.time.TimeSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Serves calls that find too few ids in the segment in use. They get ids from the reserve, or wait in a queue until a
 * refill serves them or their deadline passes. Safe for many threads.
 */
final class SegmentSupply {
    private final Stock stock;
    private final WaitingCallers callers;
    private final Refiller refiller;
    private final TimeSource time;
    private final YieldingLock lock;

    SegmentSupply(Stock stock, WaitingCallers callers, Refiller refiller, TimeSource time) {
        this.stock = stock;
        this.callers = callers;
        this.refiller = refiller;
        this.time = time;
        this.lock = callers.lock();
    }

    /**
     * Returns one id.
     *
     * @param open returns an id of the segment in use without the lock, if one is left
     */
    long next(Supplier<OptionalLong> open) {
        WaitingCallers.Arrival arrival = callers.arrive();
        OptionalLong found = lock.lockUnless(open);
        if (found.isPresent()) {
            return found.getAsLong();
        }
        long[] ids = new long[1];
        fillAndUnlock(ids, 0, 1, arrival);
        return ids[0];
    }

    /** Writes {@code count} ids into the array from index {@code from} on. */
    void fill(long[] ids, int from, int count) {
        WaitingCallers.Arrival arrival = callers.arrive();
        lock.lock();
        fillAndUnlock(ids, from, count, arrival);
    }

    private void fillAndUnlock(long[] ids, int from, int count, WaitingCallers.Arrival arrival) {
        try (WaitingCallers.Visit visit = callers.new Visit(ids, from, count, arrival)) {
            // overtakes no waiting call: while one waits, there are no ids
            boolean due = stock.give(visit, time.nanoTime());
            stock.publish();
            if (due) {
                refiller.refill();
            }
            while (!visit.isServed()) {
                visit.enter();
                visit.sleep(refiller.refill());
            }
        } finally {
            if (lock.isHeldByCurrentThread()) { // not if a refill has served the call while it slept
                lock.unlock();
            }
        }
    }

    /**
     * Waits until there are a segment to use and one in reserve. If nothing is fetched ahead, waits until there is an
     * id.
     */
    void warmUp() {
        WaitingCallers.Arrival arrival = callers.arrive();
        lock.lock();
        try (WaitingCallers.Visit visit = callers.new Visit(arrival)) {
            while (!stock.isWarm()) {
                stock.openReserve(time.nanoTime());
                stock.publish();
                visit.enter();
                visit.sleep(refiller.refill());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state at this moment. Takes no lock. */
    SegmentSnapshot snapshot(String name) {
        Standing standing = callers.standing();
        ErrorCode ended = standing.ended();
        long inReserve = stock.inReserve(); // first, because it may be taken into use meanwhile
        long left = ended == null ? stock.left() : 0;
        return new SegmentSnapshot(
                name,
                stock.given(),
                left,
                inReserve,
                stock.lastWanted(),
                stock.refills(),
                stock.refillTime(),
                left + inReserve > 0,
                ended,
                standing.refused(),
                callers.waits(),
                standing.outageSnapshot(),
                standing.failures());
    }

    /**
     * Prepares for a copy of the process: no id of the segments is generated any more, here or in a copy. Calls wait
     * until {@link #resume}.
     */
    void suspend() {
        refiller.suspend();
    }

    /** Continues after {@link #suspend}, in the process itself or in a copy. */
    void resume() {
        refiller.resume();
    }

    CompletableFuture<?> close() {
        return refiller.close();
    }
}
