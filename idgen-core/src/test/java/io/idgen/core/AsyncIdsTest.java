package io.idgen.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that do not block; the test decides when idgen's thread runs. */
class AsyncIdsTest {
    private final Thread thread = new Thread();
    private final Source source = new Source();
    private final AsyncIds ids = ids(3, new CompletableFuture<>().defaultExecutor());

    private AsyncIds ids(int mostWaiting, Executor completing) {
        return new AsyncIds(source, mostWaiting, thread, completing);
    }

    @Test
    void oneCallServesAllRequestsThatWait() {
        List<CompletableFuture<Long>> requests = List.of(ids.nextId(), ids.nextId(), ids.nextId());
        assertThat(requests).noneMatch(CompletableFuture::isDone);

        thread.run();

        assertThat(requests).extracting(AsyncIdsTest::result).containsExactly(1L, 2L, 3L);
        assertThat(source.batches).containsExactly(3);
    }

    @Test
    void aFailureReachesEachRequestAsItsOwnException() {
        source.failure = new IdUnavailableException(ErrorCode.IDS_UNAVAILABLE, "orders", "the database is away", null);
        CompletableFuture<Long> first = ids.nextId();
        CompletableFuture<Long> second = ids.nextId();

        thread.run();

        assertThat(failure(first)).isInstanceOf(IdUnavailableException.class).hasMessageContaining("is away");
        assertThat(failure(second)).isInstanceOf(IdUnavailableException.class).isNotSameAs(failure(first));
    }

    @Test
    void aRequestAboveTheLimitFailsAtOnceAndTheOthersGoOn() {
        List<CompletableFuture<Long>> requests = List.of(ids.nextId(), ids.nextId(), ids.nextId());

        assertThat(failure(ids.nextId()))
                .isInstanceOfSatisfying(
                        IdUnavailableException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_WAITERS))
                .hasMessageContaining("already 3 requests wait");
        thread.run();
        assertThat(requests).extracting(AsyncIdsTest::result).containsExactly(1L, 2L, 3L);
        CompletableFuture<Long> next = ids.nextId();
        thread.run();
        assertThat(result(next)).isEqualTo(4L);
    }

    @Test
    void noIdIsFetchedForACancelledRequest() {
        CompletableFuture<Long> cancelled = ids.nextId();
        CompletableFuture<Long> wanted = ids.nextId();
        cancelled.cancel(false);

        thread.run();

        assertThat(result(wanted)).isEqualTo(1L);
        assertThat(source.batches).containsExactly(1);
    }

    @Test
    void withoutAThreadForDependentActionsTheThreadThatHasTheIdsRunsThem() {
        AsyncIds onOwnThread = ids(3, task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        List<CompletableFuture<Long>> requests = List.of(onOwnThread.nextId(), onOwnThread.nextId());

        thread.run();

        assertThat(requests).extracting(request -> request.getNow(-1L)).containsExactly(1L, 2L);
        source.failure = new IdGenerationException(ErrorCode.SOURCE_CLOSED, "closed");
        CompletableFuture<Long> failing = onOwnThread.nextId();
        thread.run();
        assertThat(failing).isCompletedExceptionally();
    }

    @Test
    void aThousandRequestsNeedFewThreads() {
        Queue<Runnable> started = new ArrayDeque<>();
        AsyncIds many = ids(1000, started::add);
        List<CompletableFuture<Long>> requests =
                Stream.generate(many::nextId).limit(1000).toList();

        thread.run();

        assertThat(started).hasSize(16);
        started.remove().run();
        assertThat(requests).allMatch(CompletableFuture::isDone);
    }

    private static long result(CompletableFuture<Long> request) {
        return request.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static Throwable failure(CompletableFuture<Long> request) {
        try {
            throw new AssertionError("not failed: " + request.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Counts from 1. */
    private static final class Source implements IdSource {
        private final List<Integer> batches = new ArrayList<>();
        private long last;
        private IdGenerationException failure;

        @Override
        public long nextId() {
            if (failure != null) {
                throw failure;
            }
            return ++last;
        }

        @Override
        public void nextIds(long[] into, int from, int count) {
            batches.add(count);
            IdSource.super.nextIds(into, from, count);
        }

        @Override
        public void close() {}
    }

    /** A thread that runs its tasks when the test says so. */
    private static final class Thread implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        void run() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }
    }
}
