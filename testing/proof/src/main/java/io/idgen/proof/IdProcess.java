package io.idgen.proof;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.Wrapped;
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
    /** The file with what it prints. */
    static final String LOG = "log";

    /** A line of the log for each lease that it loses because another process took the row. */
    static final String ROW_TAKEN = "another process has its row";

    private static final int IDS_AT_ONCE = 4;
    private static final Duration BETWEEN = Duration.ofMillis(2);
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);

    private static volatile boolean ending;

    private final Map<Source, Ids> sources = new EnumMap<>(Source.class);
    private final List<AutoCloseable> closed = new ArrayList<>();
    private final String url;
    private final int processes;

    /** Returns the next id, or fails during an outage. */
    private interface Ids {
        long nextId() throws SQLException;
    }

    private IdProcess(String url, int processes) {
        this.url = url;
        this.processes = processes;
    }

    /** Generates ids. The arguments are the address of a store, a folder for its files, and the number of processes. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        System.setErr(new PrintStream(folder.resolve(LOG).toFile(), StandardCharsets.UTF_8)); // no one reads the pipe
        IdProcess process = new IdProcess(arguments[0], Integer.parseInt(arguments[2]));
        process.open(Source.on(process.url));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ending = true;
            process.closed.forEach(IdProcess::close);
        }));
        process.sources.forEach((source, ids) -> start(source, ids, folder));
        while (System.in.read() >= 0) {
            // until the run ends
        }
        System.exit(0);
    }

    private void open(Set<Source> wanted) {
        if (wanted.contains(Source.COUNTER)) {
            IdSources.Builder builder = builder();
            addCounter(builder, Source.COUNTER);
            add(Source.COUNTER, opened(builder.build()));
            IdSources.Builder sameServer = builder().set("idgen.jdbc.server-identity", "the same");
            addCounter(sameServer, Source.CONTROL_COUNTER);
            add(Source.CONTROL_COUNTER, opened(sameServer.build()));
        }
        Snowflake right = opened(leased(Addresses.leases(url), processes)
                .namespace(Terms.NAMESPACE)
                .listener(event -> {
                    if (event.text().contains(ROW_TAKEN)) {
                        System.err.println(ROW_TAKEN);
                    }
                })
                .build());
        sources.put(Source.SNOWFLAKE, right::nextId);
        Snowflake credulous = opened(leased(credulous(Addresses.leases(url)), processes - 1) // one fewer than processes
                .namespace(Terms.CONTROL)
                .build());
        sources.put(Source.CONTROL_SNOWFLAKE, credulous::nextId);
        if (wanted.contains(Source.FUNCTION)) {
            sources.put(Source.FUNCTION, opened(new SqlFunction(url))::nextId);
        }
    }

    private static Snowflake.Builder leased(LeaseStore store, int workers) {
        return ShortLeases.times(Snowflake.builder(), Terms.LEASE, Terms.WINDOW)
                .leasedFrom(store)
                .datacenterId(0)
                .reserved(Terms.reserved(workers));
    }

    private <T extends AutoCloseable> T opened(T source) {
        closed.add(source);
        return source;
    }

    private void add(Source source, IdSources from) {
        sources.put(source, from.get(source.text())::nextId);
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

    /** Counters take few ids at a time, so that a store that goes back lacks some of their last steps. */
    private IdSources.Builder builder() {
        return IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.timeout", Terms.millis(Terms.TIMEOUT))
                .set("idgen.segment.step", "100")
                .set("idgen.segment.reserve", "0s");
    }

    /** Returns a store that ignores refusals. */
    private static LeaseStore credulous(LeaseStore store) {
        return Wrapped.wrap(LeaseStore.class, store, call -> {
            Object answer = call.proceed();
            if (call.is("look")) {
                LeaseStore.Lease lease = (LeaseStore.Lease) call.arguments()[1];
                return ((Optional<?>) answer)
                        .map(view -> new LeaseView(
                                ((LeaseView) view).nowMillis(), true, lease.horizonMillis(), true, 0, false));
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
            } catch (IdGenerationException | SQLException e) { // an outage: retries, as an application does
                System.err.println(Thread.currentThread().getName() + ": " + e.getMessage());
                LockSupport.parkNanos(AFTER_A_FAILURE.toNanos());
            }
        }
    }
}
