package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.OwnJvm;
import io.idgen.core.IdUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Measures a new source that more virtual threads call at once than the machine has processors. */
final class VirtualThreads {
    static final int THREADS = 20_000;
    static final int IDS_EACH = 100;

    /** The duration with virtual threads, in ms. */
    static final String VIRTUAL = "virtual";

    /** The duration with eight platform threads that share the same calls, in ms. */
    static final String PLATFORM = "platform";

    /** The suffix of a kind of threads for the number of refusals. */
    static final String REFUSALS = "Refusals";
    /** The suffix of a kind of threads for the number of duplicates. */
    static final String DUPLICATES = "Duplicates";

    private static final int PLATFORM_THREADS = 8;

    private VirtualThreads() {}

    /** Runs both kinds of threads, each in its own JVM. */
    static Map<String, Double> fork(Subject subject) {
        Map<String, Double> found = new HashMap<>();
        for (String kind : List.of(VIRTUAL, PLATFORM)) {
            found.putAll(OwnJvm.run(OwnJvm.HEAP, VirtualThreads.class, subject, kind));
        }
        return found;
    }

    /** Runs in a fork. The arguments are the subject and the kind of threads. */
    public static void main(String[] args) throws Exception {
        boolean isVirtual = args[1].equals(VIRTUAL);
        // an application has started its logging before it draws ids; the JDK needs both processors for 20 ms
        System.getLogger(VirtualThreads.class.getName()).isLoggable(System.Logger.Level.DEBUG);
        OwnJvm.report(run(
                Subject.valueOf(args[0]),
                args[1],
                isVirtual ? virtualThreads() : Executors.newFixedThreadPool(PLATFORM_THREADS)));
    }

    /** Returns an executor with one virtual thread for each task, by reflection: this compiles on JDK 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory factory = (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        return (ExecutorService) Executors.class
                .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                .invoke(null, factory);
    }

    private static Map<String, Double> run(Subject subject, String kind, ExecutorService threads)
            throws InterruptedException, ExecutionException {
        LongSupplier ids = Objects.requireNonNull(subject.make().longs());
        AtomicLong refusals = new AtomicLong();
        List<Future<long[]>> running = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> draw(ids, refusals)));
        }
        long[] all = new long[THREADS * IDS_EACH];
        int filled = 0;
        for (Future<long[]> each : running) {
            long[] some = each.get();
            System.arraycopy(some, 0, all, filled, some.length);
            filled += some.length;
        }
        double millis = (System.nanoTime() - begin) / 1e6;
        threads.shutdown();
        long different = Arrays.stream(all, 0, filled).distinct().count();
        return Map.of(kind, millis, kind + REFUSALS, refusals.doubleValue(), kind + DUPLICATES, (double)
                (filled - different));
    }

    /** Returns the ids of one thread, without those that were refused. */
    private static long[] draw(LongSupplier ids, AtomicLong refusals) {
        long[] drawn = new long[IDS_EACH];
        int count = 0;
        for (int i = 0; i < IDS_EACH; i++) {
            try {
                drawn[count] = ids.getAsLong();
                count++;
            } catch (IdUnavailableException e) {
                refusals.incrementAndGet();
            }
        }
        return Arrays.copyOf(drawn, count);
    }
}
