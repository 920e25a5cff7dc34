package io.idgen.core.internal.time;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A logger for threads that no log handler may block. A daemon thread writes the lines. When it cannot keep up, lines
 * are dropped, and the next one reports how many. Safe for many threads.
 */
public final class AsyncLog {
    private static final Outbox OF_THIS_JVM = new Outbox();

    private final Supplier<System.Logger> logger;
    private final Outbox lines;

    public AsyncLog(Supplier<System.Logger> logger, Outbox lines) {
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
    public void log(System.Logger.Level level, String text, Throwable e) {
        add(log -> log.log(level, text, e));
    }

    /** Lets the daemon thread write a line. Returns whether it will. */
    public boolean add(Consumer<System.Logger> line) {
        return lines.add(() -> line.accept(logger.get()), this::reportDropped) == 0;
    }

    private void reportDropped(long count) {
        logger.get().log(System.Logger.Level.WARNING, "{0} log lines were dropped: the log did not keep up", count);
    }

    /** Completes when all lines that are logged so far are written. */
    public CompletableFuture<Void> written() {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (!add(log -> written.complete(null))) {
            written.complete(null); // the log does not keep up, so waiting is pointless
        }
        return written;
    }
}
