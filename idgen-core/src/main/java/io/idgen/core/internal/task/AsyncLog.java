package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A logger for threads that no log handler may block. A daemon thread writes the lines. When it cannot keep up, lines
 * are dropped; a later line reports how many, at most once in ten seconds. Safe for many threads.
 */
public final class AsyncLog {
    private static final Outbox OF_THIS_JVM = new Outbox();
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private final Supplier<System.Logger> logger;
    private final Outbox lines;
    private final AtomicLong dropped = new AtomicLong();
    private long reportedNanos = System.nanoTime() - REPORT_EVERY.toNanos(); // only on the daemon thread

    public AsyncLog(System.Logger logger, Outbox lines) {
        this(() -> logger, lines);
    }

    private AsyncLog(Supplier<System.Logger> logger, Outbox lines) {
        this.logger = logger;
        this.lines = lines;
    }

    /**
     * Creates a logger with the name of a class. The daemon thread looks it up, because the first look-up in a JVM
     * starts the logging system.
     */
    public static AsyncLog of(Class<?> type) {
        return new AsyncLog(() -> System.getLogger(type.getName()), OF_THIS_JVM);
    }

    /** Logs a line; {@code format} is a {@link java.text.MessageFormat}. */
    public void log(System.Logger.Level level, String format, Object... parameters) {
        add(log -> log.log(level, format, parameters));
    }

    /** Logs a line with a stack trace. */
    void log(System.Logger.Level level, String text, Throwable e) {
        add(log -> log.log(level, text, e));
    }

    /** Lets the daemon thread write a line. */
    void add(Consumer<System.Logger> line) {
        if (!lines.add(() -> write(line))) {
            dropped.incrementAndGet();
        }
    }

    /** Writes a line, on the daemon thread. */
    private void write(Consumer<System.Logger> line) {
        System.Logger log = logger.get();
        long nanos = System.nanoTime();
        long before = nanos - reportedNanos >= REPORT_EVERY.toNanos() ? dropped.getAndSet(0) : 0;
        if (before > 0) {
            reportedNanos = nanos;
            log.log(System.Logger.Level.WARNING, "{0} log lines were dropped: the log did not keep up", before);
        }
        line.accept(log);
    }

    /** Completes when all lines that are logged so far are written. */
    public CompletableFuture<Void> written() {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (!lines.add(() -> written.complete(null))) {
            written.complete(null); // the log does not keep up, so waiting is pointless
        }
        return written;
    }
}
