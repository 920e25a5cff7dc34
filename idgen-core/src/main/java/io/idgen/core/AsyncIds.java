package io.idgen.core;

import io.idgen.core.internal.time.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;

/**
 * Requests ids of an {@link IdSource} on threads that must not block, such as event loops. A request that finds an id
 * in memory completes at once. All others are queued, and a daemon thread of idgen waits in their place: it takes the
 * whole queue and asks the source once for all of them. The thread starts when a request is queued, and ends when it
 * has been idle for some seconds.
 *
 * <p>A queued request fails with the exception of {@link IdSource#nextId}, after the same timeout. It waits longer only
 * if another call of the thread is under way; that call has the same timeout too. The queue is limited.
 *
 * <p>Dependent actions of queued requests run in {@link CompletableFuture}'s default executor, those of up to 16
 * requests at the same time, so a slow action does not delay the others. If the host has no thread for them at that
 * moment, they run on the thread that has the ids. If a request is cancelled while it waits, its id may become a gap.
 * Safe for many threads. Nothing needs to be closed.
 */
public final class AsyncIds {
    private static final int MOST_WAITING = IdSource.MAX_BATCH;

    /** How many threads complete requests. One for each request would be slow: some hosts start a thread per task. */
    private static final int COMPLETING = 16;

    private final IdSource source;
    private final int mostWaiting;
    private final Executor thread;
    private final Executor completing;
    private final BlockingQueue<CompletableFuture<Long>> waiting;
    private final Runnable serve = this::serve; // once, not for each request

    /**
     * Creates an object for requests to this source. Share it between all threads.
     *
     * @param source not closed by this object; once it is closed, all requests fail
     */
    public AsyncIds(IdSource source) {
        this(
                source,
                MOST_WAITING,
                DaemonThreads.whenNeeded("idgen-async", DaemonThreads.IDLE, new LinkedTransferQueue<>()),
                new CompletableFuture<>().defaultExecutor());
    }

    /** For tests. */
    AsyncIds(IdSource source, int mostWaiting, Executor thread, Executor completing) {
        this.source = Objects.requireNonNull(source);
        this.mostWaiting = mostWaiting;
        this.waiting = new LinkedBlockingQueue<>(mostWaiting);
        this.thread = thread;
        this.completing = completing;
    }

    /**
     * Requests the next id. Never blocks, does no I/O and throws nothing: failures complete the future.
     *
     * @return completed with an id above 0, now or later, or with the {@link IdGenerationException} that {@link
     *     IdSource#nextId} would throw
     */
    public CompletableFuture<Long> nextId() {
        try {
            OptionalLong id = source.tryNextId();
            return id.isPresent() ? CompletableFuture.completedFuture(id.getAsLong()) : queued();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Long> queued() {
        CompletableFuture<Long> request = new CompletableFuture<>();
        if (!waiting.offer(request)) {
            throw tooMany();
        }
        try {
            thread.execute(serve);
        } catch (RuntimeException | Error e) { // the host has no thread
            fail(take(), e);
        }
        return request;
    }

    /** Serves the requests that are queued now, if any. Runs on idgen's thread, one call at a time. */
    private void serve() {
        List<CompletableFuture<Long>> requests = take();
        if (requests.isEmpty()) {
            return;
        }
        try {
            long[] ids = source.nextIds(requests.size());
            Queue<Runnable> completions = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < ids.length; i++) {
                CompletableFuture<Long> request = requests.get(i);
                long id = ids[i];
                completions.add(() -> request.complete(id));
            }
            run(completions, ids.length);
        } catch (RuntimeException | Error e) {
            fail(requests, e);
        }
    }

    /** Removes all requests from the queue, and returns those that still want an id. */
    private List<CompletableFuture<Long>> take() {
        List<CompletableFuture<Long>> taken = new ArrayList<>();
        waiting.drainTo(taken, IdSource.MAX_BATCH);
        taken.removeIf(CompletableFuture::isDone);
        return taken;
    }

    /** Fails the requests. Each gets an exception of its own, as callers of {@link IdSource#nextId} do. */
    private void fail(List<CompletableFuture<Long>> requests, Throwable e) {
        Queue<Runnable> completions = new ConcurrentLinkedQueue<>();
        for (CompletableFuture<Long> request : requests) {
            Throwable own = e instanceof IdGenerationException known ? known.forCaller() : e;
            completions.add(() -> request.completeExceptionally(own));
        }
        run(completions, requests.size());
    }

    /** Completes requests on up to {@value #COMPLETING} threads. Each thread completes one request after the other. */
    private void run(Queue<Runnable> completions, int count) {
        try {
            for (int i = 0; i < Math.min(count, COMPLETING); i++) {
                completing.execute(() -> takeAll(completions));
            }
        } catch (RuntimeException | Error e) { // the host has no thread
            takeAll(completions);
        }
    }

    private static void takeAll(Queue<Runnable> completions) {
        for (Runnable next = completions.poll(); next != null; next = completions.poll()) {
            next.run();
        }
    }

    private IdUnavailableException tooMany() {
        return new IdUnavailableException(
                ErrorCode.TOO_MANY_WAITERS,
                "async",
                "already " + mostWaiting + " requests wait for ids, and no more may wait; shed load",
                null);
    }
}
