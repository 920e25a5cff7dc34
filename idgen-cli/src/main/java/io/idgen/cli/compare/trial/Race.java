package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.measure.MeasuringThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Generates keys at full speed, once. */
final class Race {
    private volatile boolean over;

    /**
     * The result of a run.
     *
     * @param perSecond keys per second of all threads together
     * @param keys the first keys of each thread, in its order
     */
    record Run(double perSecond, List<long[]> keys) {}

    /**
     * Runs until the time is over, and keeps the first keys.
     *
     * @param room how many keys of each thread are kept
     */
    Run run(List<Keys> instances, int words, int threads, Duration duration, int room) {
        List<Runner> runners = IntStream.range(0, threads)
                .mapToObj(i -> new Runner(instances.get(i % instances.size()), words, room))
                .toList();
        try (MeasuringThreads running = new MeasuringThreads(runners)) {
            running.await(duration);
            over = true;
            running.join();
        }
        double perSecond = runners.stream().mapToDouble(Runner::perSecond).sum();
        return new Run(perSecond, runners.stream().map(Runner::kept).toList());
    }

    private final class Runner implements Runnable {
        private static final int SCRATCH = 1024;

        private final Keys source;
        private final int words;
        private final long[] keys;
        private long given;
        private long nanos;

        Runner(Keys source, int words, int room) {
            this.source = source;
            this.words = words;
            this.keys = new long[room * words];
        }

        @Override
        public void run() {
            long[] scratch = new long[SCRATCH * words];
            long[] into = keys.length > 0 ? keys : scratch;
            int at = 0;
            long before = System.nanoTime();
            do {
                source.next(into, at);
                given++;
                at += words;
                if (at == into.length) { // the next keys count, but are not kept
                    into = scratch;
                    at = 0;
                }
            } while (!over);
            nanos = System.nanoTime() - before;
        }

        long[] kept() {
            return Arrays.copyOf(keys, (int) Math.min(keys.length, given * words));
        }

        double perSecond() {
            return given * 1e9 / nanos;
        }
    }
}
