package io.idgen.redis;

import io.idgen.core.IdGenerationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Generators with their own connections and leases, like those of different processes. Each generates ids in its own
 * thread until {@link #close}.
 */
final class Processes implements AutoCloseable {
    static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-0-3-19");

    private static final int BATCH = 50;
    private static final int MOST_BATCHES = 8_000;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(20);
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A generator and its ids. */
    private static final class Drawing {
        private final RedisScripts scripts;
        private final Snowflake snowflake;
        private final Thread thread = new Thread(this::draw);
        private final List<long[]> batches = new ArrayList<>();
        private boolean ended;

        Drawing(String uri) {
            scripts = RedisScripts.connectingTo(uri);
            snowflake = ShortLeases.times(Snowflake.builder(), LEASE, WINDOW)
                    .layout(LAYOUT)
                    .leasedFrom(new RedisWorkerIds(scripts))
                    .acquireTimeout(PATIENCE, PATIENCE)
                    .build();
        }

        private void draw() {
            while (wants()) {
                try {
                    add(snowflake.nextIds(BATCH));
                } catch (IdGenerationException e) {
                    // the outage lasts longer than the window, or there is no marker: the next call may succeed
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        private synchronized boolean wants() {
            return !ended && batches.size() < MOST_BATCHES;
        }

        synchronized void add(long... drawn) {
            batches.add(drawn);
        }

        synchronized int count() {
            return batches.size();
        }

        synchronized Stream<long[]> batches() {
            return List.copyOf(batches).stream();
        }

        void close() {
            synchronized (this) {
                ended = true;
            }
            snowflake.close();
            scripts.close();
        }
    }

    private final List<Drawing> drawings = new ArrayList<>();

    /** Starts more processes, and returns when each has ids. */
    Processes start(String uri, int count) throws Exception {
        List<Drawing> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(new Drawing(uri));
        }
        drawings.addAll(started);
        started.forEach(drawing -> drawing.thread.start());
        awaitMore();
        return this;
    }

    /** Starts a generator that gets no id, and returns its exception. */
    static IdGenerationException refused(String uri) {
        Drawing drawing = new Drawing(uri);
        try {
            long id = drawing.snowflake.nextId();
            throw new AssertionError("an id, and no refusal: " + id);
        } catch (IdGenerationException e) {
            return e;
        } finally {
            drawing.close();
        }
    }

    /** Returns when each generator has generated more ids. */
    void awaitMore() throws Exception {
        List<Integer> before = drawings.stream().map(each -> each.count()).toList();
        Await.until("more ids of each process", () -> {
            for (int i = 0; i < before.size(); i++) {
                if (drawings.get(i).count() <= before.get(i) && drawings.get(i).wants()) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Fails if two ids are equal. */
    void assertNoDuplicates() {
        ParallelThreads.assertDistinct(
                drawings.stream().flatMap(Drawing::batches).toList());
    }

    @Override
    public void close() {
        drawings.forEach(Drawing::close);
    }
}
