package io.idgen.hibernate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the log records of a test, from idgen and from Hibernate, until it is closed. */
final class LogRecords extends Handler implements AutoCloseable {
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Logger root = Logger.getLogger("");

    LogRecords() {
        root.addHandler(this);
    }

    /** Returns the messages of level WARNING or above that contain a text. */
    List<String> with(String text) {
        return records.stream()
                .filter(logged -> logged.getLevel().intValue() >= Level.WARNING.intValue())
                .map(formatter::formatMessage)
                .filter(message -> message.contains(text))
                .toList();
    }

    @Override
    public void publish(LogRecord logged) {
        records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
    }
}
