package io.idgen.proof;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.IdLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A child process with one leased source, which is copied while it generates ids. Has no pipes: a copy has none. */
final class CopiedProcess {
    private static final int MOST_IDS = 100_000;
    private static final Duration BETWEEN = Duration.ofMillis(1);

    private CopiedProcess() {}

    /** Generates ids until it is killed. The arguments are a JDBC URL and a folder. Errors go to its output. */
    public static void main(String[] arguments) {
        IdLog log = log(Path.of(arguments[1]));
        IdSource ids = IdSources.builder()
                .set("idgen.jdbc.url", arguments[0])
                .set("idgen.jdbc.timeout", Terms.TIMEOUT.toMillis() + "ms")
                .set("idgen.worker.lease", Terms.LEASE.toMillis() + "ms")
                .set("idgen.worker.window", Terms.WINDOW.toMillis() + "ms")
                .source("ids")
                .build()
                .get("ids");
        while (log.hasRoom()) {
            try {
                log.append(ids.nextId());
            } catch (IdGenerationException e) { // an application goes on as well
                System.out.println(e.getMessage());
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }

    /** Opens the file with the ids. */
    static IdLog log(Path folder) {
        return IdLog.open(folder.resolve("ids"), MOST_IDS);
    }
}
