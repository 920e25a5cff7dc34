package io.idgen.jdbc;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.IdLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A child process that leases a worker id and appends each of its ids to a file without buffering, so that a kill loses
 * no id.
 */
final class LeasingProcess {
    static final String READY = "ready";
    static final String DRAW = "draw";
    static final String DRAWN = "drawn";
    static final String CLOSE = "close";
    static final String CLOSED = "closed";

    /** An argument in place of the settings. The generator then always believes that it holds its row. */
    static final String CREDULOUS = "credulous";

    private static final long PAUSE_NANOS = 50_000;

    private final IdSource source;
    private final IdLog log;
    private volatile boolean ending;

    private LeasingProcess(IdSource source, IdLog log) {
        this.source = source;
        this.log = log;
    }

    /**
     * Executes the commands that it reads. The arguments are a JDBC URL, a file for the ids, and settings of the form
     * {@code key=value}, or values of {@link ShortLeases}.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        IdLog log = IdLog.open(Path.of(arguments[1]));
        List<String> settings = List.of(arguments).subList(2, arguments.length);
        if (settings.equals(List.of(CREDULOUS))) {
            try (Snowflake snowflake = credulous(arguments[0])) {
                new LeasingProcess(snowflake, log).obey(snowflake);
            }
        } else if (ShortLeases.are(settings)) {
            try (Snowflake snowflake = ShortLeases.builder(settings)
                    .leasedFrom(new JdbcWorkerIds(new UrlDataSource(arguments[0], "", "", Duration.ofSeconds(1)))
                            .withTimeout(Duration.ofSeconds(1)))
                    .build()) {
                new LeasingProcess(snowflake, log).obey(snowflake);
            }
        } else {
            IdSources.Builder builder = IdSources.builder().source("orders").set("idgen.jdbc.url", arguments[0]);
            settings.forEach(setting -> builder.set(setting.split("=", 2)[0], setting.split("=", 2)[1]));
            try (IdSources sources = builder.build()) {
                new LeasingProcess(sources.get("orders"), log).obey(sources);
            }
        }
    }

    private static Snowflake credulous(String url) {
        return ShortLeases.times(Snowflake.builder(), Duration.ofSeconds(1), Duration.ofSeconds(3))
                .leasedFrom(
                        new CredulousStore(new JdbcWorkerIds(new UrlDataSource(url, "", "", Duration.ofSeconds(5)))))
                .datacenterId(0)
                .workerId(0)
                .build();
    }

    private void obey(AutoCloseable all) throws IOException, InterruptedException {
        Thread drawing = new Thread(this::drawOn);
        drawing.setDaemon(true); // it may block in an outage of the database
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        System.out.println(READY);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals(DRAW)) {
                drawing.start();
            } else if (line.startsWith(DRAW)) {
                draw(Integer.parseInt(line.substring(DRAW.length() + 1)));
                System.out.println(DRAWN);
            } else if (line.equals(CLOSE)) {
                ending = true;
                source.closeAsync()
                        .handle((done, failure) -> done)
                        .completeOnTimeout(null, 1, TimeUnit.MINUTES) // not only for a second
                        .join();
                close(all);
                drawing.join();
                System.out.println(CLOSED);
            } else {
                throw new IllegalArgumentException(line);
            }
        }
    }

    private static void close(AutoCloseable all) {
        try {
            all.close();
        } catch (Exception e) { // AutoCloseable declares it
            throw new IllegalStateException("it does not close", e);
        }
    }

    private void draw(int count) {
        for (int i = 0; i < count; i++) {
            log.append(source.nextId());
        }
    }

    private void drawOn() {
        while (!ending && log.hasRoom()) {
            try {
                draw(1);
            } catch (IdGenerationException e) {
                if (!ending) {
                    System.out.println("no id: " + e.getMessage());
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
