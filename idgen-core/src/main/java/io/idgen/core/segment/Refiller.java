package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches segments in the background, one attempt at a time, and repeats failed attempts with growing pauses. Hands
 * back the unused ids of a source that is closed. Calls the allocator on its own threads, never under the lock.
 */
final class Refiller {
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /**
     * The longest wait for callers that the last refill served together and that may return together. Without it, the
     * next refill would begin for the few that came in the meantime, and every second one would serve few. It is
     * limited by half the time of the last refill, too. PostgreSQL's {@code commit_delay} does the same for commits.
     */
    static final Duration LONGEST_GATHERING = Duration.ofMillis(1);

    private final SegmentAllocator allocator;
    private final String name;
    private final Environment environment;
    private final Stock stock;
    private final WaitingCallers callers;
    private final SegmentReports reports;
    private final ReentrantLock lock;
    private final CompletableFuture<Void> handedBack = new CompletableFuture<>();

    // All below is guarded by the lock.
    private boolean underWay; // an attempt, or a pause before one
    private long together; // how many ids calls lacked when the last segment arrived
    private long gatherNanos;
    private @Nullable Future<?> retry;
    private @Nullable List<Segment> unused; // to be handed back, the newest first

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
        this.reports = reports;
        this.lock = callers.lock();
    }

    /** Has the next segment fetched, unless that is under way. Called under the lock. */
    void refill() {
        if (underWay && !environment.threads.isShutdown()) {
            return;
        }
        try {
            environment.threads.execute(this::attempt);
            underWay = true;
        } catch (RejectedExecutionException e) {
            callers.end(closed()); // the owner of the threads has ended them
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
            failed(e); // a driver's own surprises are an outage as well: nothing may end the refills unseen
        } finally {
            handBackAfterRefill();
        }
    }

    /** How many ids to ask for; none if the source is closed, or if nothing is fetched ahead and no call waits. */
    private int begin() {
        lock.lock();
        try {
            if (allocator.isOnDemand()) {
                callers.gather(together, gatherNanos);
            }
            int wanted = callers.haveEnded() ? 0 : stock.wanted(callers.missing());
            if (wanted == 0 && callers.outage() != null && !callers.haveEnded()) {
                wanted = 1; // shows whether the outage is over
            }
            underWay = wanted > 0;
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void arrived(Segment segment, long nanos) {
        lock.lock();
        try {
            underWay = false;
            if (allocator.isRising() && segment.first() <= stock.highest()) {
                wentBack(new IdGenerationException(
                        ErrorCode.SEGMENT_WENT_BACK,
                        "the allocator gave '" + name + "' ids from " + segment.first() + " after it had given up to "
                                + stock.highest() + "; the table was restored, truncated or edited: stop all writers,"
                                + " raise the row above the largest id in use, and start again"));
                return;
            }
            if (callers.haveEnded()) {
                if (unused != null) {
                    unused.add(0, segment);
                }
                return;
            }
            reports.answered(callers.outage());
            reports.refilled(segment, Duration.ofNanos(nanos));
            stock.add(segment, nanos);
            callers.answered();
            together = callers.missing();
            gatherNanos = Math.min(nanos / 2, LONGEST_GATHERING.toNanos());
            serve();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the calls that wait what has arrived. */
    private void serve() {
        long nowNanos = environment.time.nanoTime();
        boolean due = callers.serve(visit -> stock.give(visit, nowNanos));
        stock.publish();
        if (due || callers.missing() > stock.left() + stock.inReserve()) {
            refill();
        }
    }

    /** Stops the source for good. Its remaining ids are lost, because another process may get the same ones. */
    private void wentBack(IdGenerationException e) {
        lock.lock();
        try {
            underWay = false;
            if (callers.haveEnded() && unused == null) {
                return; // closed, and there are no ids to hand back
            }
            reports.stopped(e);
            stock.seal();
            unused = null; // the table would give them out again
            handedBack.complete(null);
            callers.end(e);
        } finally {
            lock.unlock();
        }
    }

    /** The allocator works and refuses. The next call after the pause of the refusal has it asked again. */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            underWay = false;
            reports.answered(callers.outage());
            reports.refused(e);
            callers.refused(e);
        } finally {
            lock.unlock();
        }
    }

    /** The store does not answer: waiting calls keep their deadlines, and the attempt is repeated after a pause. */
    private void failed(Throwable e) {
        lock.lock();
        try {
            if (callers.haveEnded()) {
                unused = null; // a store that has just failed is not waited for again
                handedBack.complete(null);
                return;
            }
            Outage outage = callers.failed(e);
            if (outage.failures() == 1) {
                reports.outageBegan(e, stock.hasIds());
            }
            Duration pause = BACK_OFF.pause(outage.failures(), environment.random);
            retry = environment.threads.schedule(this::attempt, pause);
        } catch (RejectedExecutionException ended) {
            underWay = false;
            callers.end(closed());
        } finally {
            lock.unlock();
        }
    }

    // ---- the end ----

    /** Ends refills, and hands back the ids that are left where the allocator can take them. Does not wait. */
    CompletableFuture<?> close() {
        boolean handingBack;
        lock.lock();
        try {
            List<Segment> left = stock.seal(); // also of a source that has ended: nothing is given out from now on
            if (!callers.haveEnded()) {
                callers.end(closed());
                unused = allocator.isOnDemand() ? null : left;
            }
            if (retry != null) {
                retry.cancel(false);
            }
            List<Segment> newestFirst = unused;
            handingBack = newestFirst != null && !newestFirst.isEmpty() && callers.outage() == null;
            if (newestFirst != null && handingBack && !underWay) {
                unused = null; // else the attempt that is under way hands it back, with what it brings
                environment.threads.execute(() -> handBack(newestFirst));
            }
        } catch (RejectedExecutionException e) {
            handingBack = false; // the owner of the threads has ended them
        } finally {
            lock.unlock();
        }
        if (environment.ownsThreads) {
            // no interrupt: an interrupted read closes an H2 database for everybody (h2database#227)
            environment.threads.shutdown();
        }
        return handingBack
                ? handedBack.thenCompose(done -> reports.written())
                : CompletableFuture.completedFuture(null);
    }

    /** After an attempt that closing has overtaken: unless another one is under way, which does it then. */
    private void handBackAfterRefill() {
        List<Segment> newestFirst;
        lock.lock();
        try {
            if (underWay || unused == null || unused.isEmpty()) {
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
            allocator.handBack(name, newestFirst);
        } catch (RuntimeException e) {
            // not repeated: the first attempt may have succeeded, and the ids be another's by now
            reports.notHandedBack(e);
        } finally {
            handedBack.complete(null);
        }
    }
}
