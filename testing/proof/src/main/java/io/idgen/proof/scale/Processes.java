package io.idgen.proof.scale;

import io.idgen.core.IdGenerationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.testing.Wrapped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The processes of a run, which start, generate some ids per second, and end. Counts what they do. */
@SuppressWarnings("FutureReturnValueIgnored") // each task counts its failures
final class Processes implements AutoCloseable {
    /** How many ids each process generates per second. */
    static final int IDS_PER_SECOND = 4;

    private static final long SEED = 1;
    private static final long POLL_NANOS = 10_000_000;

    final Numbers ids;
    final Numbers firstIdMicros = new Numbers();
    final Numbers firstIdOfJvmMicros = new Numbers();
    final Numbers callMicros = new Numbers();
    /** How far the times in the first ids are ahead of the clock. */
    final Numbers aheadMillis = new Numbers();

    final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
    /** Starts that failed, by their codes. A new start follows each. */
    final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

    final AtomicLong failures = new AtomicLong();
    final AtomicLong missing = new AtomicLong();
    final AtomicLong heldTwice = new AtomicLong();

    private final SnowflakeLayout layout;
    private final Function<Wrapped.Answer, StartedProcess> starts;
    private final Map<StartedProcess, Long> live = new ConcurrentHashMap<>(); // and the last id of each
    private final AtomicInteger starting = new AtomicInteger();
    private final ExecutorService starters = Executors.newCachedThreadPool();
    private final ScheduledExecutorService generator = Executors.newSingleThreadScheduledExecutor();
    private final Random random = new Random(SEED);
    private volatile boolean ending;

    /**
     * Creates no process yet.
     *
     * @param ids receives all ids; others may use it, too
     * @param starts starts a process; the calls of its store go through the given answer if they are in this JVM
     */
    Processes(Numbers ids, SnowflakeLayout layout, Function<Wrapped.Answer, StartedProcess> starts) {
        this.ids = ids;
        this.layout = layout;
        this.starts = starts;
        generator.scheduleAtFixedRate(this::generate, 1, 1, TimeUnit.SECONDS);
    }

    int live() {
        return live.size();
    }

    /** Starts processes at the same time, and returns when each of them has an id. */
    void startAll(int count) {
        CountDownLatch together = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            starting.incrementAndGet();
            starters.execute(() -> {
                awaitQuietly(together);
                start();
            });
        }
        together.countDown();
        awaitStarted();
    }

    /** Crashes a process and starts another one. Does not wait for its first id. */
    void replaceOne() {
        pick().crash();
        starting.incrementAndGet();
        starters.execute(this::start);
    }

    /** Stops some processes. They release their worker ids. */
    void stop(int count) {
        for (int i = 0; i < count; i++) {
            pick().stop();
        }
    }

    /** Lets processes start, live for some time and crash, again and again. Returns when the time is over. */
    void crashLoop(int count, Duration life, Duration time) throws InterruptedException {
        long endNanos = System.nanoTime() + time.toNanos();
        for (int i = 0; i < count; i++) {
            starters.execute(() -> {
                while (System.nanoTime() - endNanos < 0) {
                    starting.incrementAndGet();
                    StartedProcess process = start();
                    LockSupport.parkNanos(life.toNanos());
                    live.remove(process);
                    process.crash();
                }
            });
        }
        Thread.sleep(time.toMillis());
        awaitStarted();
    }

    /** Returns when no process waits for its first id. */
    void awaitStarted() {
        while (starting.get() > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private StartedProcess pick() {
        StartedProcess[] all = live.keySet().toArray(StartedProcess[]::new);
        StartedProcess picked = all[random.nextInt(all.length)];
        live.remove(picked);
        return picked;
    }

    /** Starts a process. If it fails, starts another one, as a platform does. Blocks until one has an id. */
    private StartedProcess start() {
        long sinceNanos = System.nanoTime();
        try {
            while (true) {
                StartedProcess process = starts.apply(this::timed);
                try {
                    long id = process.firstId();
                    (process instanceof JvmProcess ? firstIdOfJvmMicros : firstIdMicros)
                            .add((System.nanoTime() - sinceNanos) / 1_000);
                    aheadMillis.add(layout.parse(id).time().toEpochMilli() - System.currentTimeMillis());
                    ids.add(id);
                    live.put(process, id);
                    return process;
                } catch (IdGenerationException e) {
                    process.stop().join();
                    if (ending) {
                        throw e;
                    }
                    count(refusals, e.code().code());
                }
            }
        } finally {
            starting.decrementAndGet();
        }
    }

    private Object timed(Wrapped.Call call) throws Throwable {
        long sinceNanos = System.nanoTime();
        try {
            return call.proceed();
        } finally {
            count(calls, call.method().getName());
            callMicros.add((System.nanoTime() - sinceNanos) / 1_000);
        }
    }

    private static void count(Map<String, LongAdder> counts, String name) {
        counts.computeIfAbsent(name, any -> new LongAdder()).increment();
    }

    /** Generates ids of each process, and compares their worker ids. */
    void generate() {
        Map<Long, StartedProcess> holders = new HashMap<>();
        Map<StartedProcess, StartedProcess> both = new HashMap<>();
        for (StartedProcess process : live.keySet()) {
            try {
                for (int i = 0; i < IDS_PER_SECOND; i++) {
                    OptionalLong id = process.tryNextId();
                    if (id.isPresent()) {
                        ids.add(id.getAsLong());
                        Long before = live.replace(process, id.getAsLong());
                        if (before != null && id.getAsLong() <= before) {
                            throw new IllegalStateException(id.getAsLong() + " after " + before);
                        }
                        SnowflakeParts parts = layout.parse(id.getAsLong());
                        StartedProcess other =
                                holders.put(layout.packWorker(parts.datacenter(), parts.worker()), process);
                        if (other != null && other != process) {
                            both.put(process, other);
                        }
                    } else if (!process.hasEnded()) {
                        missing.incrementAndGet();
                    }
                }
            } catch (RuntimeException e) {
                failures.incrementAndGet();
                System.out.println("a process fails: " + e);
            }
        }
        // one that ended meanwhile may have released its worker id
        both.forEach((one, other) -> {
            if (!one.hasEnded() && !other.hasEnded()) {
                heldTwice.incrementAndGet();
            }
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Stops all processes, which release their worker ids. */
    @Override
    public void close() {
        ending = true;
        generator.shutdown();
        live.keySet().forEach(StartedProcess::stop);
        starters.shutdown();
    }
}
