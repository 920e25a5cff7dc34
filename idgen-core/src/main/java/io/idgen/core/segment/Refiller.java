package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.NextTurn;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Standing;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.task.YieldingLock;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches segments in the background, one attempt at a time, and repeats failed attempts with growing pauses. When the
 * source is closed, hands its unused ids back. Calls the allocator on its own threads, never under the lock.
 */
final class Refiller {
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /**
     * The longest wait for callers that the last refill served together and that may soon return. Without it, the next
     * refill would begin for the few that came in the meantime, and every second refill would serve few. The wait is
     * also limited to half the time of the last refill. PostgreSQL's {@code commit_delay} does the same for commits.
     */
    static final Duration LONGEST_GATHERING = Duration.ofMillis(1);

    private static final CompletableFuture<?> COMPLETED = CompletableFuture.completedFuture(null);

    private final SegmentAllocator allocator;
    private final String name;
    private final Environment environment;
    private final Stock stock;
    private final WaitingCallers callers;
    private final Standing standing;
    private final SegmentReports reports;
    private final YieldingLock lock;
    private final NextTurn next;
    private final Predicate<WaitingCallers.Visit> give;
    private final CompletableFuture<Void> handedBack = new CompletableFuture<>();

    // All below is guarded by the lock.
    private long together; // how many ids calls lacked when the last segment arrived
    private long gatherNanos;
    private @Nullable List<Segment> unused; // to be handed back, the newest first
    private @Nullable CompletableFuture<?> closing;
    private int checkpoints; // so far
    private int checkpointsBefore; // those before the attempt under way began

    /** The injected environment; a simulation replaces it. The source ends the threads that it owns. */
    record Environment(TimeSource time, RandomGenerator random, TaskThreads threads, boolean ownsThreads) {}

    Refiller(
            SegmentAllocator allocator,
            String name,
            Environment environment,
            Stock stock,
            WaitingCallers callers,
            SegmentReports reports) {
        this.allocator = allocator;
        this.name = name;
        this.environment = environment;
        this.stock = stock;
        this.callers = callers;
        this.standing = callers.standing();
        this.reports = reports;
        this.lock = callers.lock();
        this.next = new NextTurn(environment.threads, environment.time::nanoTime, this::attempt);
        this.give = visit -> stock.give(visit, environment.time.nanoTime());
    }

    /**
     * Starts to fetch the next segment, unless that is under way. Called under the lock.
     *
     * @return how long a call may sleep before it calls this again; short if the host has no thread for now
     */
    long refill() {
        if (callers.areSuspended()) {
            return Long.MAX_VALUE;
        }
        try {
            Throwable noThread = next.hurry();
            Outage before = standing.outage();
            if (noThread != null && (before == null || before.last() != noThread)) {
                failedOnce(noThread);
            }
            return NextTurn.sleepNanos(noThread, Long.MAX_VALUE);
        } catch (RejectedExecutionException e) {
            standing.end(closed()); // the owner of the threads has shut them down
            return 0;
        }
    }

    private IdGenerationException closed() {
        return new IdGenerationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
    }

    // ---- an attempt ----

    private void attempt() {
        try {
            int wanted = begin();
            if (wanted > 0) {
                long startNanos = environment.time.nanoTime();
                Segment segment =
                        Objects.requireNonNull(allocator.allocate(name, wanted), "the allocator gave no segment");
                arrived(segment, environment.time.nanoTime() - startNanos);
            }
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            if (e.code() == ErrorCode.SEGMENT_WENT_BACK) {
                wentBack(e);
            } else {
                refused(e);
            }
        } catch (RuntimeException | Error e) {
            failed(e); // an unexpected exception of a driver counts as an outage: it must not silently end the refills
        } finally {
            handBackAfterRefill();
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
                callers.gather(together, gatherNanos);
            }
            checkpointsBefore = checkpoints;
            boolean atRest = callers.areAtRest() || stock.inReserve() > 0; // two turns may have been planned
            int wanted = atRest ? 0 : stock.wanted(callers.missing());
            if (wanted == 0 && standing.outage() != null && !atRest) {
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
            next.end();
            if (allocator.isRising() && segment.first() <= stock.highest()) {
                wentBack(new IdGenerationException(
                        ErrorCode.SEGMENT_WENT_BACK,
                        "the allocator gave '" + name + "' ids from " + segment.first() + " after it had given up to "
                                + stock.highest() + "; the table was restored, truncated or edited: stop all writers,"
                                + " raise the row above the largest id in use, and start again"));
                return;
            }
            if (standing.hasEnded()) {
                if (unused != null) {
                    unused.add(0, segment);
                }
                return;
            }
            if (checkpointsBefore != checkpoints) {
                allocator.forget(name);
                refill(); // a copy of this process may have the same segment in its memory
                return;
            }
            reports.answered(standing.outage());
            stock.add(segment, nanos);
            callers.answered();
            together = callers.missing();
            gatherNanos = Math.min(nanos / 2, LONGEST_GATHERING.toNanos());
            serve();
            reports.refilled(segment, Duration.ofNanos(nanos));
            callers.releaseServed();
        } finally {
            lock.unlock();
        }
    }

    /** Serves the waiting calls with the ids that have arrived. */
    private void serve() {
        boolean due = callers.serve(give);
        stock.publish();
        if (due || callers.missing() > stock.left() + stock.inReserve()) {
            refill();
        }
    }

    /** Stops the source for good. Its remaining ids are lost, because another process may get the same ones. */
    private void wentBack(IdGenerationException e) {
        lock.lockFirst();
        try {
            next.end();
            if (standing.hasEnded() && unused == null) {
                return; // closed, and there are no ids to hand back
            }
            reports.stopped(e);
            stock.seal();
            unused = null; // the table would grant them again
            handedBack.complete(null);
            standing.end(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Handles a refusal of an allocator that works. After the pause of the refusal, the next call starts another
     * attempt.
     */
    private void refused(IdGenerationException e) {
        lock.lockFirst();
        try {
            next.end();
            reports.answered(standing.outage());
            reports.refused(e);
            callers.refused(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Handles a store that does not answer. Waiting calls keep their deadlines, unless the store cannot be reached. The
     * attempt is repeated after a pause.
     */
    private void failed(Throwable e) {
        lock.lockFirst();
        try {
            if (standing.hasEnded()) {
                unused = null; // closing does not wait for a store that has just failed
                handedBack.complete(null);
                return;
            }
            next.end();
            next.plan(BACK_OFF.pause(failedOnce(e).failures(), environment.random), false);
        } catch (RejectedExecutionException ended) {
            standing.end(closed());
        } finally {
            lock.unlock();
        }
    }

    private Outage failedOnce(Throwable e) {
        Outage outage = standing.failed(e);
        if (outage.failures() == 1) {
            reports.outageBegan(e, stock.hasIds());
        }
        return outage;
    }

    // ---- checkpoints ----

    /**
     * Discards all segments, so that no copy of this process shares their ids, and fetches none until {@link #resume}.
     * Does not hand them back: if the process were copied meanwhile, both would.
     */
    void suspend() {
        lock.lock();
        try {
            callers.suspended(true);
            checkpoints++;
            stock.seal();
            allocator.forget(name);
        } finally {
            lock.unlock();
        }
    }

    /** Fetches new segments after a checkpoint, in the process itself or in a copy. */
    void resume() {
        lock.lock();
        try {
            stock.reopen();
            callers.suspended(false);
        } finally {
            lock.unlock();
        }
    }

    // ---- the end ----

    /** Ends refills, and hands remaining ids back if the allocator can take them. Does not wait. */
    CompletableFuture<?> close() {
        CompletableFuture<?> all;
        lock.lock();
        try {
            if (closing == null) {
                closing = end() ? handedBack.thenCompose(done -> reports.written()) : COMPLETED;
            }
            all = closing;
        } finally {
            lock.unlock();
        }
        if (environment.ownsThreads) {
            // no interrupt: an interrupted read closes an H2 database for all its users (h2database#227)
            environment.threads.shutdown();
        }
        return all;
    }

    /** Returns whether ids are handed back, or may be when the attempt under way ends. */
    private boolean end() {
        List<Segment> left = stock.seal(); // even if the source has ended: no id is issued from now on
        if (!standing.hasEnded()) {
            standing.end(closed());
            unused = allocator.isOnDemand() ? null : left;
        }
        next.cancel();
        List<Segment> newestFirst = unused;
        if (newestFirst == null || standing.outage() != null) {
            return false;
        }
        if (next.isUnderWay()) {
            return true; // the attempt hands them back, together with its own segment
        }
        unused = null;
        if (newestFirst.isEmpty()) {
            return false;
        }
        try {
            environment.threads.execute(() -> handBack(newestFirst));
            return true;
        } catch (RuntimeException | Error e) {
            return false; // the owner of the threads has shut them down, or the host has none for this
        }
    }

    /**
     * Hands ids back after an attempt during which the source was closed. If another attempt is under way, that one
     * does it.
     */
    private void handBackAfterRefill() {
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
        handBack(newestFirst);
    }

    private void handBack(List<Segment> newestFirst) {
        try {
            if (!newestFirst.isEmpty()) {
                allocator.handBack(name, newestFirst);
            }
        } catch (RuntimeException | Error e) {
            // not repeated: the first attempt may have succeeded, and another process may own the ids now
            reports.notHandedBack(e);
        } finally {
            handedBack.complete(null);
        }
    }
}
