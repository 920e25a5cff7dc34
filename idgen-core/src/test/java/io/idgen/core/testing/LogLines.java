package io.idgen.core.testing;

import io.idgen.core.internal.time.AsyncLog;
import java.text.MessageFormat;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the lines of a logger and of all loggers below it, until it is closed. */
public final class LogLines extends Handler implements AutoCloseable {
    private static final Logger MARKS = Logger.getLogger(LogLines.class.getName());

    private final Logger logger;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    public LogLines(String logger) {
        this.logger = Logger.getLogger(logger);
        catchUp(); // lines of earlier tests are not recorded
        this.logger.addHandler(this);
    }

    public LogLines(Class<?> type) {
        this(type.getName());
    }

    /** Waits until the thread that writes idgen's lines has written all so far. It gets no mark while its queue is full. */
    private static void catchUp() {
        CountDownLatch written = new CountDownLatch(1);
        MARKS.setFilter(line -> {
            if (Arrays.asList(line.getParameters()).contains(written)) {
                written.countDown();
            }
            return false;
        });
        AsyncLog marks = AsyncLog.of(LogLines.class);
        try {
            do {
                marks.log(System.Logger.Level.INFO, "{0}", written);
            } while (!written.await(10, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the records so far. */
    public List<LogRecord> records() {
        catchUp();
        return List.copyOf(records);
    }

    /** Returns the lines so far, each with its level: {@code WARNING no such table}. */
    public List<String> lines() {
        return records().stream()
                .map(line -> line.getLevel() + " " + text(line))
                .toList();
    }

    public static String text(LogRecord line) {
        return line.getParameters() == null
                ? line.getMessage()
                : MessageFormat.format(line.getMessage(), line.getParameters());
    }

    @Override
    public void publish(LogRecord line) {
        if (!line.getMessage().contains("log lines were dropped")) { // lines of earlier tests
            records.add(line);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
