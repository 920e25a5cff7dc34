package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.internal.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serves calls that find too few ids in the segment in use: from the reserve, or from what refills bring until the
 * deadline of the call. Ids are taken under the lock here, so that the number of missing ids is exact. Safe for many
 * threads.
 */
final class SegmentSupply {
    private final Stock stock;
    private final WaitingCallers callers;
    private final Refiller refiller;
    private final TimeSource time;
    private final ReentrantLock lock;

    SegmentSupply(Stock stock, WaitingCallers callers, Refiller refiller, TimeSource time) {
        this.stock = stock;
        this.callers = callers;
        this.refiller = refiller;
        this.time = time;
        this.lock = callers.lock();
    }

    /** One id. */
    long next() {
        long[] ids = new long[1];
        fill(ids, 0, 1);
        return ids[0];
    }

    /** Writes {@code count} ids into the array from index {@code from} on. */
    void fill(long[] ids, int from, int count) {
        WaitingCallers.Arrival arrival = callers.arrive();
        int end = from + count;
        int have = from;
        lock.lock();
        try (WaitingCallers.Visit visit = callers.new Visit(count, arrival)) {
            while (true) {
                Cursor cursor = stock.inUse();
                if (cursor != null) {
                    long index = cursor.take(end - have);
                    int got = cursor.copy(index, ids, have, end - have);
                    have += got;
                    visit.got(got);
                    if (cursor.isMarkIn(index, got)) {
                        preload(cursor);
                    }
                    if (have == end) {
                        return;
                    }
                }
                openReserveOrSleep(visit);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is a segment to use and one in reserve; where runs are fixed, the first one. */
    void warmUp() {
        WaitingCallers.Arrival arrival = callers.arrive();
        lock.lock();
        try {
            try (WaitingCallers.Visit visit = callers.new Visit(1, arrival)) {
                while (!stock.isWarm()) {
                    if (openReserveOrSleep(visit)) {
                        callers.wakeNext(); // as below
                    }
                }
            }
            callers.wakeNext(); // in place of this one, which takes nothing
        } finally {
            lock.unlock();
        }
    }

    /** Takes the reserve into use and returns true; or sleeps, while it is fetched, until something changes. */
    private boolean openReserveOrSleep(WaitingCallers.Visit visit) {
        if (!stock.hasReserve()) {
            visit.enter();
            refiller.refill();
            visit.sleep();
            return false;
        }
        if (stock.open(visit.missing(), time.nanoTime())) {
            refiller.refill();
        }
        return true;
    }

    /** Has the next segment fetched, now that a call has taken the id at the mark of this one. */
    void preload(Cursor cursor) {
        lock.lock();
        try {
            if (cursor == stock.inUse() && !stock.hasReserve() && !callers.haveEnded()) {
                refiller.refill();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What there is at this moment; takes no lock. */
    SegmentSnapshot snapshot(String name) {
        ErrorCode ended = callers.ended();
        long left = ended == null ? stock.left() : 0;
        long inReserve = stock.inReserve();
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
                callers.refusedNow(),
                callers.waits(),
                callers.outageNow(),
                callers.failures());
    }

    CompletableFuture<?> close() {
        return refiller.close();
    }
}
