package io.idgen.benchmarks.memory;

import com.sun.management.OperatingSystemMXBean;
import io.idgen.benchmarks.OwnJvm;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Measures what JMH does not: threads that generate ids at a fixed rate or flat out, in their own JVM, with its
 * processor time and the latency of each call.
 */
final class Load {
    static final String CORES = "cores";
    static final String IDS = "idsPerSecond";
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    /**
     * The pause between two bursts of a paced thread: long enough to sleep, so that more threads than cores do not wait
     * for each other.
     */
    private static final long BURST_NANOS = 1_000_000;

    private Load() {}

    /** Runs a load in its own JVM. */
    static Map<String, Double> fork(Subject subject, int threads, long millis, int idsPerSecond, boolean timed) {
        return OwnJvm.run(OwnJvm.HEAP, Load.class, subject, threads, millis, idsPerSecond, timed);
    }

    /** Returns the name of a percentile of call latencies. */
    static String id(double percentile) {
        return "id" + percentile;
    }

    /** Returns the name of a percentile of clock reads. */
    static String clock(double percentile) {
        return "clock" + percentile;
    }

    /** Formats a percentile without a trailing zero. */
    static String text(double percentile) {
        return Double.toString(percentile).replaceAll("\\.0$", "");
    }

    /**
     * Runs in a fork. The arguments are subject, threads, milliseconds, ids per second of all threads (0 for flat out),
     * and whether calls are timed.
     */
    public static void main(String[] args) throws Exception {
        Subject subject = Subject.valueOf(args[0]);
        int threads = Integer.parseInt(args[1]);
        long millis = Long.parseLong(args[2]);
        int pace = Integer.parseInt(args[3]);
        boolean timed = Boolean.parseBoolean(args[4]);
        LongSupplier ids = Objects.requireNonNull(subject.make().longs());
        run(ids, threads, millis, pace, timed); // warms up the JIT compiler
        OwnJvm.report(run(ids, threads, millis, pace, timed));
    }

    private static Map<String, Double> run(LongSupplier ids, int threads, long millis, int pace, boolean timed)
            throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(threads + (timed ? 1 : 0) + 1);
        AtomicLong made = new AtomicLong();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            callers.add(new Caller(ids, start, millis, pace / threads, timed, made));
        }
        if (timed) {
            callers.add(new Caller(System::currentTimeMillis, start, millis, pace / threads, true, new AtomicLong()));
        }
        callers.forEach(Thread::start);
        await(start);
        long startNanos = System.nanoTime();
        long startCpu = processorNanos();
        for (Caller caller : callers) {
            caller.join();
        }
        double nanos = System.nanoTime() - startNanos;
        Map<String, Double> report = new LinkedHashMap<>();
        report.put(CORES, (processorNanos() - startCpu) / nanos);
        report.put(IDS, made.get() / nanos * 1e9);
        if (timed) {
            Histogram calls = new Histogram(2);
            callers.subList(0, threads).forEach(caller -> calls.add(caller.times));
            Histogram clock = callers.get(threads).times;
            for (double percentile : PERCENTILES) {
                report.put(id(percentile), (double) calls.getValueAtPercentile(percentile));
                report.put(clock(percentile), (double) clock.getValueAtPercentile(percentile));
            }
        }
        return report;
    }

    /** Generates ids until the time is over. */
    private static final class Caller extends Thread {
        final Histogram times = new Histogram(2);
        private final LongSupplier ids;
        private final CyclicBarrier start;
        private final long lastsNanos;
        private final int idsPerBurst;
        private final long burstNanos;
        private final boolean timed;
        private final AtomicLong made;
        private long sum;

        Caller(LongSupplier ids, CyclicBarrier start, long millis, int pace, boolean timed, AtomicLong made) {
            this.ids = ids;
            this.start = start;
            this.lastsNanos = millis * 1_000_000;
            this.idsPerBurst = pace == 0 ? 1_000 : (int) (pace * BURST_NANOS / 1_000_000_000);
            this.timed = timed;
            this.made = made;
            this.burstNanos = pace == 0 ? 0 : BURST_NANOS;
        }

        @Override
        public void run() {
            await(start);
            long begin = System.nanoTime();
            long count = 0;
            for (long due = begin; System.nanoTime() - begin < lastsNanos; due += burstNanos) {
                long left = burstNanos == 0 ? 0 : due - System.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(left);
                }
                burst();
                count += idsPerBurst;
            }
            made.addAndGet(sum == 0 ? 0 : count); // the sum is never 0, but the compiler does not know this
        }

        private void burst() {
            for (int i = 0; i < idsPerBurst; i++) {
                if (timed) {
                    long before = System.nanoTime();
                    sum += ids.getAsLong();
                    times.recordValue(System.nanoTime() - before);
                } else {
                    sum += ids.getAsLong();
                }
            }
        }
    }

    /** Returns the processor time of all threads of this process. */
    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
