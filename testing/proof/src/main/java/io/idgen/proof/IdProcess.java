package io.idgen.proof;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.Wrapped;
import jakarta.persistence.PersistenceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A child process that generates ids of each {@link Source} until it ends. SIGTERM closes its sources. */
final class IdProcess {
    static final String READY = "ready";

    private static final int IDS_AT_ONCE = 4;
    private static final Duration BETWEEN = Duration.ofMillis(2);
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);
    private static final String STEP = "100";

    private static volatile boolean ending;

    /** Returns the next id, or fails during an outage. */
    private interface Ids {
        long nextId() throws SQLException;
    }

    private IdProcess() {}

    /** Generates ids. The arguments are a JDBC URL, a folder for the files of ids, and the number of processes. */
    public static void main(String[] arguments) throws IOException {
        String url = arguments[0];
        Path folder = Path.of(arguments[1]);
        int processes = Integer.parseInt(arguments[2]);
        System.setErr(new PrintStream(folder.resolve("log").toFile(), StandardCharsets.UTF_8)); // no one reads the pipe
        Map<Source, Ids> sources = new EnumMap<>(Source.class);
        List<AutoCloseable> closed = new ArrayList<>();
        Map<String, String> settings = settings(processes);
        Set<Source> wanted = Source.on(url);
        IdSources.Builder builder = builder(url, settings).source(Source.SNOWFLAKE.text());
        if (wanted.contains(Source.COUNTER)) {
            addCounter(builder, Source.COUNTER);
            IdSources.Builder sameServer = builder(url, settings).set("idgen.jdbc.server-identity", "the same");
            addCounter(sameServer, Source.CONTROL_COUNTER);
            IdSources counters = sameServer.build();
            closed.add(counters);
            sources.put(Source.CONTROL_COUNTER, counters.get(Source.CONTROL_COUNTER.text())::nextId);
        }
        IdSources right = builder.build();
        closed.add(right);
        sources.put(Source.SNOWFLAKE, right.get(Source.SNOWFLAKE.text())::nextId);
        if (wanted.contains(Source.COUNTER)) {
            sources.put(Source.COUNTER, right.get(Source.COUNTER.text())::nextId);
        }
        Snowflake credulous = Snowflake.builder()
                .namespace(Terms.CONTROL)
                .leasedFrom(credulous(Addresses.leases(url)))
                .datacenterId(0)
                .reserved(Terms.reserved(processes - 1)) // one fewer than processes
                .lease(Terms.LEASE, Terms.WINDOW)
                .build();
        closed.add(credulous);
        sources.put(Source.CONTROL_SNOWFLAKE, credulous::nextId);
        if (wanted.contains(Source.FUNCTION)) {
            SqlFunction function = new SqlFunction(url);
            closed.add(function);
            sources.put(Source.FUNCTION, function::nextId);
        }
        if (wanted.contains(Source.HIBERNATE)) {
            HibernateIds hibernate = new HibernateIds(url, settings);
            closed.add(hibernate);
            sources.put(Source.HIBERNATE, hibernate::nextId);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ending = true;
            closed.forEach(IdProcess::close);
        }));
        sources.forEach((source, ids) -> start(source, ids, folder));
        System.out.println(READY);
        while (System.in.read() >= 0) {
            // until the run ends
        }
        System.exit(0);
    }

    private static void close(AutoCloseable source) {
        try {
            source.close();
        } catch (Exception e) {
            throw new IllegalStateException("a source does not close", e);
        }
    }

    private static void addCounter(IdSources.Builder builder, Source source) {
        builder.set("idgen.sources." + source.text() + ".strategy", "segment")
                .set("idgen.sources." + source.text() + ".start", "1");
    }

    private static IdSources.Builder builder(String url, Map<String, String> settings) {
        IdSources.Builder builder = IdSources.builder();
        Addresses.settings(url).forEach(builder::set);
        settings.forEach(builder::set);
        return builder;
    }

    private static Map<String, String> settings(int processes) {
        return Map.of(
                "idgen.segment.step",
                STEP,
                "idgen.segment.max-step",
                STEP,
                "idgen.worker.datacenter-id",
                "0",
                "idgen.worker.reserved",
                Terms.reserved(processes),
                "idgen.worker.lease",
                Terms.LEASE.toMillis() + "ms",
                "idgen.worker.window",
                Terms.WINDOW.toMillis() + "ms");
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

    private static void start(Source source, Ids ids, Path folder) {
        IdLog file = Client.log(folder, source);
        Thread thread = new Thread(() -> generate(ids, file), source.text());
        thread.setDaemon(true);
        thread.start();
    }

    private static void generate(Ids ids, IdLog file) {
        while (!ending && file.hasRoom()) {
            try {
                for (int i = 0; i < IDS_AT_ONCE; i++) {
                    long before = System.nanoTime();
                    file.append(ids.nextId(), before);
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            } catch (IdGenerationException
                    | SQLException
                    | PersistenceException e) { // an outage: retries, as an application does
                System.err.println(Thread.currentThread().getName() + ": " + e.getMessage());
                LockSupport.parkNanos(AFTER_A_FAILURE.toNanos());
            }
        }
    }
}
