package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A pair of servers, four processes that constantly generate ids from it, and takeovers that lose commits. */
final class TakeoverRun implements AutoCloseable {
    static final int PROCESSES = 4;

    /** Longer than the window of a lease that has not been renewed, and shorter than that of one that has. */
    private static final long FIRST_WINDOWS_MILLIS = 60_000;

    private static final Duration BETWEEN_QUERIES = Duration.ofMillis(50);

    /** Queries for numbers that only increase. */
    private static final List<String> NUMBERS = List.of(
            "SELECT SUM(fence) FROM idgen_worker WHERE namespace = 'default' AND worker_id >= 0",
            "SELECT SUM(horizon) FROM idgen_worker WHERE namespace = 'default' AND worker_id >= 0",
            "SELECT next_id FROM idgen_counter WHERE name = 'segment'",
            "SELECT next_id FROM idgen_counter WHERE name = 'sequence-table'",
            "SELECT next_id FROM idgen_counter WHERE name = 'stepped'");

    /**
     * The measurements of one takeover.
     *
     * @param lostTransactions how many transactions the new primary lacks
     * @param repeatedByControl how many ids the control repeated
     */
    record Takeover(long lostTransactions, Map<TakeoverStrategy, Integer> repeatedByControl) {}

    private final ReplicatedPair servers;
    private final DataSource database;
    private final Path folder;
    private final String granted;
    private final List<TakeoverClient> running = new ArrayList<>();
    private final List<TakeoverClient> all = new ArrayList<>();
    private final List<Takeover> takeovers = new ArrayList<>();
    private TakeoverClient next;

    TakeoverRun(ReplicatedPair servers, Path folder) throws Exception {
        this.servers = servers;
        this.database = new UrlDataSource(servers.url(), "", "", Duration.ofSeconds(5));
        this.folder = folder;
        this.granted = "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'default' AND owner_token IS NOT NULL"
                + " AND server_id = "
                + Dialects.ofUrl(servers.url()).orElseThrow().serverIdentity();
        new IdgenSchema(database).create();
        Sql.execute(
                database,
                "INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon, server_id)"
                        + " SELECT 'control', worker_id, layout, fence, lease_until, horizon, '"
                        + TakeoverProcess.SAME_IDENTITY + "' FROM idgen_worker WHERE namespace = 'default'");
        this.next = TakeoverClient.start(servers.url(), folder);
        for (int i = 0; i < PROCESSES; i++) {
            running.add(started());
        }
        for (TakeoverClient client : running) {
            awaitMore("the first ids", List.of(client.ids(), client.controlIds()));
        }
    }

    /** Returns a process that requests ids. Also starts the next one, so that its JVM is ready when it is needed. */
    private TakeoverClient started() throws IOException {
        TakeoverClient client = next.draw();
        all.add(client);
        next = TakeoverClient.start(servers.url(), folder);
        return client;
    }

    /**
     * Cuts the replication, and then promotes the replica without the last commits. In between, one process is killed
     * and replaced by a new one, whose lease is lost. Another process is killed together with the primary, and a new
     * process starts after the takeover. In every second takeover, this new process reaches the new primary before the
     * older processes, which know the lost ids.
     */
    void takeOver() throws Exception {
        int number = takeovers.size();
        Map<IdLog, Integer> marks = new HashMap<>();
        all.forEach(client -> client.controlIds().values().forEach(log -> marks.put(log, log.count())));
        servers.cut();
        List<Long> replicated = numbers();

        TakeoverClient ofLostLease = replace(number % PROCESSES);
        awaitMore("lost ids of the control", List.of(ofLostLease.controlIds()));
        try (Connection connection = database.getConnection()) {
            await("windows of the control that last until it repeats ids", () -> {
                long nowMillis = System.currentTimeMillis();
                return Sql.rows(
                                connection,
                                "SELECT worker_id FROM idgen_worker WHERE namespace = 'control' AND lease_until > "
                                        + nowMillis + " AND horizon < " + (nowMillis + FIRST_WINDOWS_MILLIS))
                        .isEmpty();
            });
        }
        awaitMoreOfAll("lost ids");
        await("a lost commit of each kind", () -> areAbove(numbers(), replicated));
        running.forEach(client -> client.network.refuse());
        long lastTransaction = servers.transaction();
        List<Long> lost = numbers();

        int dying = (number + 1) % PROCESSES;
        running.get(dying).kill();
        servers.takeOver();
        assertThat(areAbove(lost, numbers()))
                .as("lost: %s, known: %s", lost, numbers())
                .isTrue();
        long lostTransactions = lastTransaction - servers.transaction();

        TakeoverClient fresh = replace(dying);
        if (number % 2 == 0) {
            awaitMore("the control's ids of one that knows nothing", List.of(fresh.controlIds()));
        }
        running.forEach(client -> client.network.pass());
        Await.until(
                "ids of one that knows nothing",
                () -> fresh.ids().get(TakeoverStrategy.SEGMENT).count() > 0);
        try (Connection connection = database.getConnection()) {
            await(
                    "leases of the new primary",
                    () -> Sql.rows(connection, granted).equals(List.of(String.valueOf(PROCESSES))));
        }
        awaitMoreOfAll("ids of the new primary");
        takeovers.add(new Takeover(lostTransactions, repeatedByControl(marks)));
    }

    private TakeoverClient replace(int index) throws IOException {
        running.get(index).kill();
        TakeoverClient client = started();
        running.set(index, client);
        return client;
    }

    private List<Long> numbers() throws SQLException {
        try (Connection connection = database.getConnection()) {
            List<Long> numbers = new ArrayList<>();
            for (String number : NUMBERS) {
                numbers.add(Long.parseLong(Sql.rows(connection, number).get(0)));
            }
            return numbers;
        }
    }

    private static boolean areAbove(List<Long> some, List<Long> others) {
        return IntStream.range(0, some.size()).allMatch(i -> some.get(i) > others.get(i));
    }

    /** Waits with pauses between the queries, to limit the load on the database. */
    private static void await(String what, Callable<Boolean> condition) throws Exception {
        Await.until(what, () -> {
            LockSupport.parkNanos(BETWEEN_QUERIES.toNanos());
            return condition.call();
        });
    }

    private void awaitMoreOfAll(String what) throws Exception {
        awaitMore(what, running.stream().map(TakeoverClient::ids).toList());
    }

    /** Waits for more ids than a process can have fetched in advance. */
    private static void awaitMore(String what, Collection<Map<TakeoverStrategy, IdLog>> logs) throws Exception {
        Map<IdLog, Integer> enough = new HashMap<>();
        logs.forEach(
                each -> each.forEach((strategy, log) -> enough.put(log, log.count() + strategy.moreThanFetched())));
        for (Map.Entry<IdLog, Integer> each : enough.entrySet()) {
            Await.until(what, () -> each.getKey().count() >= each.getValue());
        }
    }

    private Map<TakeoverStrategy, Integer> repeatedByControl(Map<IdLog, Integer> marks) {
        Map<TakeoverStrategy, Integer> repeated = new EnumMap<>(TakeoverStrategy.class);
        for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
            repeated.put(
                    strategy,
                    repeated(all.stream()
                            .map(client -> client.controlIds().get(strategy))
                            .map(log -> log.from(marks.getOrDefault(log, 0)))));
        }
        return repeated;
    }

    private static int repeated(Stream<LongStream> ids) {
        long[] sorted = ids.flatMapToLong(each -> each).sorted().toArray();
        return (int) IntStream.range(1, sorted.length)
                .filter(i -> sorted[i] == sorted[i - 1])
                .count();
    }

    List<Takeover> takeovers() {
        return takeovers;
    }

    /** Returns how many ids of a strategy were generated again. */
    int repeated(TakeoverStrategy strategy) {
        return repeated(all.stream().map(client -> client.ids().get(strategy).from(0)));
    }

    @Override
    public void close() {
        all.forEach(TakeoverClient::close);
        next.close();
        servers.close();
    }
}
