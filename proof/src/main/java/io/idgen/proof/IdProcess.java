package io.idgen.proof;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.Wrapped;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A child process that generates ids of each {@link Source} until it ends. SIGTERM closes its sources. */
final class IdProcess {
    static final String READY = "ready";

    private static final int IDS_AT_ONCE = 4;
    private static final Duration BETWEEN = Duration.ofMillis(2);
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);
    private static final String STEP = "100";

    private static volatile boolean ending;

    private IdProcess() {}

    /** Generates ids. The arguments are a JDBC URL, a folder for the files of ids, and the number of processes. */
    public static void main(String[] arguments) throws IOException {
        String url = arguments[0];
        Path folder = Path.of(arguments[1]);
        int processes = Integer.parseInt(arguments[2]);
        String reserved = Terms.reserved(processes);
        System.setErr(new PrintStream(folder.resolve("log").toFile(), StandardCharsets.UTF_8)); // no one reads the pipe
        IdSources sources = settings(url, reserved)
                .source(Source.SNOWFLAKE.text())
                .set("idgen.sources." + Source.COUNTER.text() + ".strategy", "segment")
                .set("idgen.sources." + Source.COUNTER.text() + ".start", "1")
                .build();
        IdSources sameServer = settings(url, reserved)
                .set("idgen.jdbc.server-identity", "the same")
                .set("idgen.sources." + Source.CONTROL_COUNTER.text() + ".strategy", "segment")
                .set("idgen.sources." + Source.CONTROL_COUNTER.text() + ".start", "1")
                .build();
        Snowflake credulous = Snowflake.builder()
                .namespace(Terms.CONTROL)
                .leasedFrom(credulous(new JdbcWorkerIds(new UrlDataSource(url, "", "", Terms.TIMEOUT))))
                .datacenterId(0)
                .reserved(Terms.reserved(processes - 2)) // one row fewer than processes
                .lease(Terms.LEASE, Terms.WINDOW, Terms.RENEW)
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ending = true;
            sources.close();
            sameServer.close();
            credulous.close();
        }));
        start(Source.SNOWFLAKE, sources.get(Source.SNOWFLAKE.text()), folder);
        start(Source.COUNTER, sources.get(Source.COUNTER.text()), folder);
        start(Source.CONTROL_COUNTER, sameServer.get(Source.CONTROL_COUNTER.text()), folder);
        start(Source.CONTROL_SNOWFLAKE, credulous, folder);
        System.out.println(READY);
        while (System.in.read() >= 0) {
            // until the run ends
        }
        System.exit(0);
    }

    private static IdSources.Builder settings(String url, String reserved) {
        return IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.timeout", Terms.TIMEOUT.toMillis() + "ms")
                .set("idgen.segment.step", STEP)
                .set("idgen.segment.max-step", STEP)
                .set("idgen.worker.datacenter-id", "0")
                .set("idgen.worker.reserved", reserved)
                .set("idgen.worker.lease", Terms.LEASE.toMillis() + "ms")
                .set("idgen.worker.window", Terms.WINDOW.toMillis() + "ms")
                .set("idgen.worker.renew", Terms.RENEW.toMillis() + "ms");
    }

    /** Returns a store that ignores refusals. */
    private static LeaseStore credulous(LeaseStore store) {
        return Wrapped.wrap(LeaseStore.class, store, call -> {
            Object answer = call.proceed();
            if (call.is("look")) {
                LeaseStore.Lease lease = (LeaseStore.Lease) call.arguments()[1];
                return ((Optional<?>) answer)
                        .map(view -> new LeaseView(((LeaseView) view).nowMillis(), true, lease.horizonMillis(), true));
            }
            return call.is("extend") ? true : answer;
        });
    }

    private static void start(Source source, IdSource ids, Path folder) {
        IdLog file = Client.log(folder, source);
        Thread thread = new Thread(() -> generate(ids, file), source.text());
        thread.setDaemon(true);
        thread.start();
    }

    private static void generate(IdSource ids, IdLog file) {
        while (!ending && file.hasRoom()) {
            try {
                for (int i = 0; i < IDS_AT_ONCE; i++) {
                    long before = System.nanoTime();
                    file.append(ids.nextId(), before);
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            } catch (IdGenerationException e) { // an outage: retries, as an application does
                System.err.println(Thread.currentThread().getName() + ": " + e.getMessage());
                LockSupport.parkNanos(AFTER_A_FAILURE.toNanos());
            }
        }
    }
}
