package io.idgen.core.testing;

import io.idgen.core.internal.task.AsyncLog;
import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the lines of a logger and of all loggers below it, until it is closed. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    public LogLines(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(this);
    }

    public LogLines(Class<?> type) {
        this(type.getName());
    }

    /** Returns the records so far. Waits for the thread that writes idgen's lines. */
    public List<LogRecord> records() {
        AsyncLog.of(LogLines.class).written().join();
        return List.copyOf(records);
    }

    /** Returns the lines so far, each with its level: {@code WARNING no such table}. */
    public List<String> lines() {
        return records().stream()
                .map(line -> line.getLevel() + " " + text(line))
                .toList();
    }

    public static String text(LogRecord line) {
        return MessageFormat.format(line.getMessage(), line.getParameters());
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
