package io.idgen.jdbc;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A child process that generates ids of each {@link TakeoverStrategy} until it is killed. It uses idgen's defaults and,
 * as a control, separate rows with a server identity that never changes.
 */
final class TakeoverProcess {
    static final String READY = "ready";
    static final String DRAW = "draw";

    static final int STEP = 100;

    /** The identity that the control uses for every server. */
    static final String SAME_IDENTITY = "the same";

    /** Leaves five worker ids for four processes, so that a released worker id is soon leased again. */
    private static final String RESERVED = "5-31";

    private static final String CONTROL = "-control";
    private static final String SHORT_LEASES = "short-leases";

    private TakeoverProcess() {}

    /** Opens the file with the ids of a strategy. */
    static IdLog log(Path folder, TakeoverStrategy strategy, boolean control) throws IOException {
        return IdLog.open(folder.resolve(name(strategy, control)));
    }

    /**
     * Waits for a line and then generates ids. The arguments are a JDBC URL, and a folder for the files of ids and the
     * log.
     */
    @SuppressWarnings("resource") // it ends with the process
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        System.setErr(new PrintStream(folder.resolve("log").toFile(), StandardCharsets.UTF_8)); // the pipe is not read
        List<Thread> threads = new ArrayList<>();
        for (boolean control : new boolean[] {false, true}) {
            IdSources sources = sources(arguments[0], control);
            for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
                IdSource source = sources.get(name(strategy, control)); // fetches nothing yet
                IdLog log = log(folder, strategy, control);
                threads.add(new Thread(() -> draw(strategy, source, log), name(strategy, control)));
            }
        }
        System.out.println(READY);
        System.in.read();
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
        while (System.in.read() >= 0) {
            // until the test ends
        }
    }

    private static String name(TakeoverStrategy strategy, boolean control) {
        return strategy.setting() + (control ? CONTROL : "");
    }

    private static IdSources sources(String url, boolean control) {
        IdSources.Builder builder = IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.timeout", "10s")
                .set("idgen.segment.step", String.valueOf(STEP))
                .set("idgen.segment.reserve", "0s")
                .set("idgen.stepped.instance", "1")
                .set("idgen.stepped.instances", "2")
                .strategy(IdStrategy.of(SHORT_LEASES, () -> snowflake(url, control)));
        if (control) {
            builder.set("idgen.jdbc.server-identity", SAME_IDENTITY);
        }
        for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
            String source = "idgen.sources." + name(strategy, control);
            builder.set(
                    source + ".strategy", strategy == TakeoverStrategy.SNOWFLAKE ? SHORT_LEASES : strategy.setting());
            if (strategy != TakeoverStrategy.SNOWFLAKE) {
                builder.set(source + ".start", "1");
            }
        }
        return builder.build();
    }

    private static Snowflake snowflake(String url, boolean control) {
        JdbcWorkerIds store = new JdbcWorkerIds(new UrlDataSource(url, "", "", Duration.ofSeconds(10)))
                .withTimeout(Duration.ofSeconds(10));
        return ShortLeases.times(Snowflake.builder(), Duration.ofSeconds(1), LeaseTerms.WINDOW)
                .leasedFrom(control ? store.identifiedAs(SAME_IDENTITY) : store)
                .namespace(control ? "control" : "default")
                .datacenterId(0)
                .reserved(RESERVED)
                .build();
    }

    private static void draw(TakeoverStrategy strategy, IdSource source, IdLog log) {
        while (log.hasRoom()) {
            try {
                for (int i = 0; i < strategy.idsAtOnce; i++) {
                    log.append(source.nextId());
                }
                LockSupport.parkNanos(strategy.pause.toNanos());
            } catch (IdGenerationException e) { // an outage: retries, as an application does
                System.err.println(Thread.currentThread().getName() + ": " + e.getMessage());
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }
}
