package io.idgen.jdbc;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Processes with one source per strategy. One thread per source calls it until the load ends. */
final class MixedLoad implements AutoCloseable {
    static final String LEASED = "leased";
    static final String SEGMENT = "segment";
    static final String SEQUENCE_TABLE = "sequence-table";
    static final List<String> STRATEGIES = List.of(LEASED, SEGMENT, SEQUENCE_TABLE);

    private static final Duration PAUSE = Duration.ofMillis(1);

    /** How many messages a caller keeps: without a server, each call fails at once, and they would fill the memory. */
    private static final int MOST_MESSAGES = 1_000;

    private final List<IdSources> processes = new ArrayList<>();
    private final List<List<Caller>> callers = Stream.<List<Caller>>generate(ArrayList::new)
            .limit(STRATEGIES.size())
            .toList();
    private final String[] settings;

    private MixedLoad(String... settings) {
        this.settings = settings;
    }

    /** Processes with these settings; their threads pause for a millisecond after each call. */
    static MixedLoad of(List<String> urls, String... settings) {
        MixedLoad load = new MixedLoad(settings);
        urls.forEach(load::add);
        return load;
    }

    /** The sources of a process that has just started, with settings of the form {@code key=value}. */
    static IdSources sources(String url, String... settings) {
        IdSources.Builder builder = IdSources.builder()
                .source(LEASED)
                .set("idgen.jdbc.url", url)
                .set("idgen.acquire-timeout", "5s")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.reserve", "0s"); // small segments
        for (String strategy : List.of(SEGMENT, SEQUENCE_TABLE)) {
            builder.set("idgen.sources." + strategy + ".strategy", strategy)
                    .set("idgen.sources." + strategy + ".start", "1");
        }
        for (String setting : settings) {
            builder.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        return builder.build();
    }

    /** One thread. It keeps its ids and the first messages of calls that failed. */
    private static final class Caller {
        private final IdSource source;
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final FutureTask<Boolean> end = new FutureTask<>(this::call, true);
        private long[] ids = new long[1 << 12];
        private volatile int count;
        private volatile boolean ending;

        Caller(IdSource source) {
            this.source = source;
            new Thread(end, "caller").start();
        }

        private void call() {
            while (!ending) {
                try {
                    add(source.nextId());
                } catch (IdGenerationException e) {
                    if (failures.size() < MOST_MESSAGES) {
                        failures.add(String.valueOf(e.getMessage()));
                    }
                }
                LockSupport.parkNanos(PAUSE.toNanos()); // without it, the ids fill the memory
            }
        }

        private void add(long id) {
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, 2 * count);
            }
            ids[count] = id;
            count = count + 1;
        }

        long[] end() throws Exception {
            ending = true;
            end.get();
            return Arrays.copyOf(ids, count);
        }
    }

    /** Starts one more process. */
    void add(String url) {
        IdSources process = sources(url, settings);
        processes.add(process);
        for (int i = 0; i < STRATEGIES.size(); i++) {
            callers.get(i).add(new Caller(process.get(STRATEGIES.get(i))));
        }
    }

    /** Returns the first messages of the calls that failed. */
    List<String> failures(String strategy) {
        return callers.get(STRATEGIES.indexOf(strategy)).stream()
                .flatMap(caller -> caller.failures.stream())
                .toList();
    }

    /** Waits until each thread has generated this many more ids; fails if a thread does not. */
    void awaitEach(int more) throws Exception {
        for (Caller caller : callers.stream().flatMap(Collection::stream).toList()) {
            int before = caller.count;
            Await.until("ids of each thread", () -> caller.count >= before + more);
        }
    }

    /** Ends all threads and prints their counts; fails if two ids of one strategy are equal. */
    void endDistinct() throws Exception {
        for (String strategy : STRATEGIES) {
            List<long[]> ids = new ArrayList<>();
            for (Caller caller : callers.get(STRATEGIES.indexOf(strategy))) {
                ids.add(caller.end());
            }
            System.out.println(
                    strategy + ": " + ids.stream().mapToInt(each -> each.length).sum() + " ids, "
                            + failures(strategy).size() + " messages of failed calls");
            ParallelThreads.assertDistinct(ids);
        }
    }

    @Override
    public void close() {
        callers.stream().flatMap(Collection::stream).forEach(caller -> caller.ending = true);
        processes.forEach(IdSources::close);
    }
}
