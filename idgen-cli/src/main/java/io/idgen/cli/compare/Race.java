package io.idgen.cli.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Generates keys at full speed. */
final class Race {
    private volatile boolean over;

    private Race() {}

    /**
     * The result of a run.
     *
     * @param perSecond keys per second of all threads together
     * @param keys the keys of each thread, in its order; empty if they were not kept
     */
    record Run(double perSecond, List<long[]> keys) {}

    /**
     * Runs until the time is over or a thread has reached its limit, and keeps the keys.
     *
     * @param room the largest number of keys of each thread
     */
    static Run kept(List<Keys> instances, int words, int threads, Duration duration, int room) {
        return new Race().run(instances, words, threads, duration, room, true);
    }

    /** Runs until the time is over, and does not keep the keys. Returns keys per second. */
    static double speed(List<Keys> instances, int words, int threads, Duration duration) {
        return new Race().run(instances, words, threads, duration, 1024, false).perSecond();
    }

    private Run run(List<Keys> instances, int words, int threads, Duration duration, int room, boolean keep) {
        List<Runner> runners = IntStream.range(0, threads)
                .mapToObj(i -> new Runner(instances.get(i % instances.size()), words, room, keep))
                .toList();
        try (Crew crew = new Crew(runners)) {
            crew.await(duration);
            over = true;
            crew.join();
        }
        double perSecond = runners.stream().mapToDouble(Runner::perSecond).sum();
        List<long[]> keys = new ArrayList<>();
        if (keep) {
            runners.forEach(runner -> keys.add(Arrays.copyOf(runner.keys, runner.count * words)));
        }
        return new Run(perSecond, keys);
    }

    private final class Runner implements Runnable {
        private final Keys source;
        private final int words;
        private final int room;
        private final boolean keep;
        private final long[] keys;
        private int count;
        private long given;
        private long nanos;

        Runner(Keys source, int words, int room, boolean keep) {
            this.source = source;
            this.words = words;
            this.room = room;
            this.keep = keep;
            this.keys = new long[room * words];
        }

        @Override
        public void run() {
            long before = System.nanoTime();
            do {
                source.next(keys, count * words);
                given++;
                count++;
                if (count == room) {
                    if (keep) {
                        break;
                    }
                    count = 0;
                }
            } while (!over);
            nanos = System.nanoTime() - before;
        }

        double perSecond() {
            return given * 1e9 / nanos;
        }
    }
}
