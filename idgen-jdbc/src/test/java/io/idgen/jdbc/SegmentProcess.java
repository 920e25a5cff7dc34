package io.idgen.jdbc;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A child process that takes ids of one row of segments and appends them to a file until it is killed. */
final class SegmentProcess {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private SegmentProcess() {}

    /** Generates ids. The arguments are a JDBC URL, the name of the row, and the file of an {@link IdLog}. */
    public static void main(String[] arguments) throws IOException {
        IdLog log = IdLog.open(Path.of(arguments[2]));
        try (IdSources sources = IdSources.builder()
                .set("idgen.jdbc.url", arguments[0])
                .set("idgen.jdbc.timeout", "1m") // bulk inserts lock the row for seconds
                .set("idgen.strategy", "segment")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.reserve", "0s")
                .set("idgen.sources." + arguments[1] + ".start", "1")
                .build()) {
            IdSource source = sources.get(arguments[1]);
            while (log.hasRoom()) {
                try {
                    log.append(source.nextId());
                } catch (IdGenerationException e) {
                    System.err.println(e); // an outage, or a takeover
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }
}
