package io.idgen.proof;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A child process that generates ids at a constant rate, and prints a {@link Sample} of itself every few seconds. */
final class EnduranceProcess {
    /** Between two samples. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Duration SLICE = Duration.ofMillis(10);
    private static final Duration LATE = Duration.ofSeconds(1);
    private static final Path FILES = Path.of("/proc/self/fd");

    private EnduranceProcess() {}

    /** Generates ids until it is killed. The arguments are a JDBC URL and the ids of each source in a second. */
    public static void main(String[] arguments) throws Exception {
        int perSecond = Integer.parseInt(arguments[1]);
        IdSources sources = IdSources.builder()
                .set("idgen.jdbc.url", arguments[0])
                .set("idgen.jdbc.timeout", "5s")
                .set("idgen.worker.lease", "3s")
                .source("leased")
                .set("idgen.sources.counter.strategy", "segment")
                .set("idgen.sources.counter.start", "1")
                .build();
        Caller leased = new Caller("leased", sources.get("leased"), perSecond);
        Caller counter = new Caller("counter", sources.get("counter"), perSecond);
        leased.start();
        counter.start();
        while (true) {
            TimeUnit.NANOSECONDS.sleep(INTERVAL.toNanos());
            System.gc();
            System.out.println(new Sample(
                            ManagementFactory.getMemoryMXBean()
                                    .getHeapMemoryUsage()
                                    .getUsed(),
                            ManagementFactory.getThreadMXBean().getThreadCount(),
                            files(),
                            leased.ids,
                            counter.ids,
                            leased.failures,
                            counter.failures,
                            leased.falls + counter.falls)
                    .line());
        }
    }

    private static long files() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.count();
        }
    }

    /** Calls a source at a rate. The only caller of its source, so each id must be above the one before. */
    private static final class Caller extends Thread {
        private final IdSource source;
        private final int perSlice;
        private long last;

        // written by this thread only
        volatile long ids;
        volatile long failures;
        volatile long falls;

        Caller(String name, IdSource source, int perSecond) {
            super(name);
            this.source = source;
            this.perSlice = (int) (perSecond * SLICE.toMillis() / 1000);
            setDaemon(true);
        }

        @Override
        public void run() {
            long dueNanos = System.nanoTime();
            while (true) {
                slice();
                dueNanos += SLICE.toNanos();
                long leftNanos = dueNanos - System.nanoTime();
                if (leftNanos < -LATE.toNanos()) {
                    dueNanos -= leftNanos; // does not catch up after a pause
                } else if (leftNanos > 0) {
                    LockSupport.parkNanos(leftNanos);
                }
            }
        }

        private void slice() {
            int made = 0;
            int fell = 0;
            try {
                while (made < perSlice) {
                    long id = source.nextId();
                    fell += id <= last ? 1 : 0;
                    last = id;
                    made++;
                }
            } catch (IdGenerationException e) { // an outage: retries, as an application does
                failures = failures + 1;
            }
            ids = ids + made;
            falls = falls + fell;
        }
    }
}
