package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.Standing;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.BackOff;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.FailureText;
import io.idgen.core.internal.time.RateLimit;
import io.idgen.core.internal.time.RepeatedTask;
import io.idgen.core.internal.time.TaskThreads;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.YieldingLock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves calls that find too few ids in the segment in use. They get ids from the reserve, or wait in a queue until a
 * refill serves them or their deadline passes. Fetches segments in the background, one attempt at a time, and repeats
 * failed attempts with growing pauses. When the source is closed, hands its unused ids back. Calls the allocator on its
 * own threads, never under the lock. Safe for many threads.
 */
final class SegmentSupply {
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    static final AsyncLog LOG = AsyncLog.of(SegmentIdSource.class);

    private final SegmentAllocator allocator;
    private final String name;
    private final TimeSource time;
    private final RandomGenerator random;
    private final IdgenListener events;
    private final TaskThreads threads;
    private final boolean ownsThreads;
    private final RateLimit refusalLines;
    final Stock stock;
    private final WaitingCallers callers;
    private final Standing standing;
    private final YieldingLock lock;
    private final RepeatedTask next;
    private final CompletableFuture<Void> handedBack = new CompletableFuture<>();

    // All below is guarded by the lock.
    private @Nullable List<Segment> unused; // to be handed back, the newest first
    private @Nullable CompletableFuture<?> closing;
    private boolean suspendedMeanwhile; // whether a checkpoint began after the attempt under way

    SegmentSupply(SegmentIdSource.Builder options, Stock stock) {
        this.allocator = options.allocator;
        this.name = options.name;
        this.time = options.time;
        this.random = options.random;
        this.events = options.events;
        this.ownsThreads = options.refills == null;
        this.threads = options.refills == null
                ? new DaemonThreads(DaemonThreads.whenNeeded(
                        "idgen-refill-" + name, BACK_OFF.longest().multipliedBy(2), new LinkedTransferQueue<>()))
                : options.refills;
        this.refusalLines = new RateLimit(Duration.ofSeconds(10), time);
        this.stock = stock;
        this.callers = new WaitingCallers(
                name, options.acquireTimeout, options.firstTimeout, options.maxWaiters, time, events);
        this.standing = callers.standing();
        this.lock = callers.lock();
        this.next = new RepeatedTask(threads, lock, this::attempt);
    }

    // ---- calls ----

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
                refill();
            }
            while (!visit.isServed()) {
                visit.enter();
                refill();
                visit.sleep();
            }
        } finally {
            if (lock.isHeldByCurrentThread()) { // not if a refill has served the call while it slept
                lock.unlock();
            }
        }
    }

    /** Waits for a segment to use and one in reserve. If nothing is fetched ahead, waits for an id. */
    void warmUp() {
        WaitingCallers.Arrival arrival = callers.arrive();
        lock.lock();
        try (WaitingCallers.Visit visit = callers.new Visit(arrival)) {
            while (!stock.isWarm()) {
                stock.openReserve(time.nanoTime());
                stock.publish();
                visit.enter();
                refill();
                visit.sleep();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state at this moment. Takes no lock. */
    SegmentSnapshot snapshot() {
        return stock.snapshot(standing, callers.waits());
    }

    // ---- refills ----

    /** Starts to fetch the next segment, unless that is under way. Called under the lock. */
    private void refill() {
        try {
            if (!callers.areSuspended()) {
                next.hurry();
            }
        } catch (RejectedExecutionException e) {
            standing.end(closed()); // the owner of the threads has shut them down
        } catch (Error e) { // the host has no thread for now; the next call that needs ids tries again
            if (callers.missing() > 0) {
                throw e;
            }
        }
    }

    private IdGenerationException closed() {
        return new IdGenerationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
    }

    private void attempt() {
        int wanted = begin();
        if (wanted == 0) {
            return; // also after the end, which hands back itself what is not under way
        }
        try {
            long startNanos = time.nanoTime();
            Segment segment = Objects.requireNonNull(allocator.allocate(name, wanted), "the allocator gave no segment");
            arrived(segment, time.nanoTime() - startNanos);
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            handBack();
        }
    }

    /** Returns how many ids to request. 0 if the source is closed, or if nothing is fetched ahead and no call waits. */
    private int begin() {
        lock.lockFirst();
        try {
            if (!next.begin()) {
                return 0;
            }
            if (allocator.isOnDemand()) {
                callers.gather();
            }
            suspendedMeanwhile = false;
            boolean atRest = callers.areAtRest() || stock.inReserve() > 0; // two turns may have been planned
            int wanted = atRest ? 0 : stock.wanted(callers.missing());
            if (wanted == 0 && standing.hasFailed() && !atRest) {
                wanted = 1; // shows whether the outage is over
            }
            if (wanted == 0) {
                next.end();
            }
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void arrived(Segment segment, long nanos) {
        lock.lockFirst();
        try {
            stock.checkRising(segment);
            next.end();
            if (standing.hasEnded()) {
                if (unused != null) {
                    unused.add(0, segment);
                }
            } else if (suspendedMeanwhile) {
                allocator.forget(name);
                refill(); // a copy of this process may have the same segment in its memory
            } else {
                stock.add(segment, nanos);
                callers.answered(nanos);
                long nowNanos = time.nanoTime();
                boolean due = callers.serve(visit -> stock.give(visit, nowNanos));
                stock.publish();
                if (due || callers.missing() > stock.left() + stock.inReserve()) {
                    refill();
                }
                events.onEvent(new IdgenEvent(
                        Kind.REFILLED,
                        name,
                        "%s ids from %s to %s in %s",
                        segment.count(),
                        segment.first(),
                        segment.last(),
                        Duration.ofNanos(nanos)));
                callers.releaseServed();
            }
        } finally {
            lock.unlock();
        }
    }

    /** An unexpected exception of a driver counts as an outage: it must not silently end the refills. */
    private void failed(Throwable e) {
        lock.lockFirst();
        try {
            next.end();
            if (!(e instanceof IdGenerationException refusal) || e instanceof StoreUnavailableException) {
                unavailable(e);
            } else if (refusal.code() == ErrorCode.SEGMENT_WENT_BACK) {
                wentBack(refusal);
            } else {
                refused(refusal);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops the source for good. Its remaining ids are lost, because another process may get the same ones. */
    private void wentBack(IdGenerationException e) {
        if (standing.hasEnded() && unused == null) {
            return; // closed, and there are no ids to hand back
        }
        events.onEvent(new IdgenEvent(Kind.STOPPED, name, "%s", e));
        stock.seal();
        unused = null; // the table would grant them again
        handedBack.complete(null);
        standing.end(e);
    }

    /**
     * Handles a refusal of an allocator that works. After the pause of the refusal, the next call starts another
     * attempt.
     */
    private void refused(IdGenerationException e) {
        callers.refused(e);
        if (refusalLines.allows()) { // callers that need an id get it as an exception
            LOG.log(Level.WARNING, "{0}: a refill was refused: {1}", name, FailureText.of(e));
        }
    }

    /**
     * Handles a store that does not answer. Waiting calls keep their deadlines, unless the store cannot be reached. The
     * attempt is repeated after a pause.
     */
    private void unavailable(Throwable e) {
        if (standing.hasEnded()) {
            unused = null; // closing does not wait for a store that has just failed
            handedBack.complete(null);
            return;
        }
        next.plan(BACK_OFF.pause(standing.failed(e, stock.hasIds()), random), false);
    }

    // ---- checkpoints and the end ----

    /**
     * Prepares for a copy of the process: no id of the segments is generated any more, here or in a copy. Calls wait
     * until {@link #resume}. Hands no ids back: if the process were copied meanwhile, both would.
     */
    void suspend() {
        lock.lock();
        try {
            callers.suspended(true);
            suspendedMeanwhile = true;
            stock.seal();
            allocator.forget(name);
        } finally {
            lock.unlock();
        }
    }

    /** Continues after {@link #suspend}, in the process itself or in a copy. */
    void resume() {
        lock.lock();
        try {
            stock.reopen();
            callers.suspended(false);
        } finally {
            lock.unlock();
        }
    }

    /** Ends refills, and hands remaining ids back if the allocator can take them. Does not wait. */
    CompletableFuture<?> close() {
        lock.lock();
        try {
            if (closing == null) {
                closing =
                        end() ? handedBack.thenCompose(done -> LOG.written()) : CompletableFuture.completedFuture(null);
            }
            return closing;
        } finally {
            lock.unlock();
            if (ownsThreads) {
                // no interrupt: an interrupted read closes an H2 database for all its users (h2database#227)
                threads.shutdown();
            }
        }
    }

    /** Returns whether ids are handed back, or may be when the attempt under way ends. */
    private boolean end() {
        List<Segment> left = stock.seal(); // even if the source has ended: no id is issued from now on
        if (!standing.hasEnded()) {
            standing.end(closed());
            unused = allocator.isOnDemand() ? null : left;
        }
        next.cancel();
        if (unused == null || standing.hasFailed()) {
            return false;
        }
        if (next.isUnderWay()) {
            return true; // the attempt hands them back, together with its own segment
        }
        try {
            if (!unused.isEmpty()) {
                threads.schedule(this::handBack, Duration.ZERO);
                return true;
            }
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // the owner of the threads has shut them down, or the host has none for this
        }
        return false;
    }

    /** Hands back the ids of a closed source, once. If an attempt is under way, that one does it when it ends. */
    private void handBack() {
        if (!standing.hasEnded()) {
            return;
        }
        List<Segment> newestFirst;
        lock.lock();
        try {
            if (next.isUnderWay() || unused == null) {
                return;
            }
            newestFirst = unused;
            unused = null;
        } finally {
            lock.unlock();
        }
        try {
            if (!newestFirst.isEmpty()) {
                allocator.handBack(name, newestFirst);
            }
        } catch (RuntimeException | Error e) {
            // not repeated: the first attempt may have succeeded, and another process may own the ids now
            LOG.log(Level.DEBUG, "{0}: unused ids were not handed back and are a gap: {1}", name, FailureText.of(e));
        } finally {
            handedBack.complete(null);
        }
    }
}
