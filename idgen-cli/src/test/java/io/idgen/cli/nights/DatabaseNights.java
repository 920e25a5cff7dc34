package io.idgen.cli.nights;

import static io.idgen.cli.nights.Shop.LEASED;
import static io.idgen.cli.nights.Shop.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nights with a primary database and its replica. */
abstract class DatabaseNights extends Nights {
    private static final List<String> TABLES =
            List.of("idgen_worker", "idgen_segment", "idgen_sequence", "idgen_stepped");
    private static final String FIXED_IDENTITY = "idgen.jdbc.server-identity=db-1";

    private ReplicatedPair pair;

    /** Where the host name of the database leads. */
    private String url;

    private final List<Route> routes = new ArrayList<>();

    /** The way of one process to the database. */
    private final class Route {
        private final List<Connection> open = new ArrayList<>();
        private boolean cut;

        synchronized Connection connect() throws SQLException {
            if (cut) {
                throw new SQLException("no route to host", "08001");
            }
            Connection connection = DriverManager.getConnection(asShop(url));
            open.add(connection);
            return connection;
        }

        synchronized void reset(boolean newCut) throws SQLException {
            cut = newCut;
            for (Connection each : open) {
                each.abort(Runnable::run);
            }
            open.clear();
        }
    }

    /** Starts a pair of servers on which the former primary gets its identity back, if servers have one. */
    abstract ReplicatedPair startPair(boolean forFailback) throws Exception;

    /** Creates a user {@code shop} with this password, who may log in. */
    abstract void createShop(DataSource owner) throws SQLException;

    abstract void makeReplicaReadOnly(DataSource replica) throws SQLException;

    /** A setting that makes a former primary have the identity that it had before. */
    abstract String[] identity();

    private DataSource owner() {
        return Wrapped.dataSource(() -> DriverManager.getConnection(pair.url()));
    }

    private static String asShop(String server) {
        return server.replaceFirst("user=.*", "user=shop&password=shop");
    }

    @BeforeEach
    void startServers() throws Exception {
        begin(false);
    }

    private void begin(boolean forFailback) throws Exception {
        pair = startPair(forFailback);
        url = pair.url();
        DataSource owner = owner();
        new IdgenSchema(owner).create();
        Sql.execute(owner, "CREATE TABLE orders (id BIGINT PRIMARY KEY, item VARCHAR(50))");
        createShop(owner);
        for (String table : TABLES) {
            Sql.execute(owner, "GRANT SELECT, INSERT, UPDATE ON " + table + " TO shop");
        }
        Sql.execute(owner, "GRANT SELECT, INSERT ON orders TO shop");
    }

    @AfterEach
    void stopServers() {
        shop.close();
        pair.close();
    }

    @Override
    String store() {
        return "--url " + asShop(url);
    }

    @Override
    IdSources.Builder settings() {
        Route route = new Route();
        routes.add(route);
        return IdSources.builder()
                .resource(DataSource.class, Wrapped.dataSource(route::connect))
                .source(ORDERS)
                .set("idgen.sources.orders.strategy", "segment")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.max-step", "10");
    }

    /** Lets the host name lead to another server. */
    private void leadTo(String server) throws SQLException {
        url = server;
        for (Route each : routes) {
            each.reset(false);
        }
    }

    private Route lastRoute() {
        return routes.get(routes.size() - 1);
    }

    private void insert(long id, String item) throws SQLException {
        Sql.execute(owner(), "INSERT INTO orders VALUES (" + id + ", '" + item + "')");
    }

    private static long worker(long id) {
        var parts = SnowflakeLayout.parse("41-1-21").parse(id);
        return parts.worker();
    }

    private static IdGenerationException failureOf(Shop.Process process, String source) throws Exception {
        AtomicReference<IdGenerationException> failure = new AtomicReference<>();
        Await.until("a failed call", () -> {
            try {
                process.next(source);
            } catch (IdGenerationException e) {
                failure.set(e);
            }
            return failure.get() != null;
        });
        return failure.get();
    }

    @Test
    void aKilledProcessHasAWorkerId() throws Exception {
        String two = "idgen.snowflake.layout=41-1-21";
        start(two).next(LEASED);
        Shop.Process killed = start(two);
        long last = killed.next(LEASED);
        Route itsRoute = lastRoute();
        itsRoute.reset(true);
        Shop.Process third = start(two, "idgen.worker.acquire-timeout=3s");
        symptom(third.failure(LEASED), ErrorCode.WORKER_IDS_TAKEN);
        Guide guide = Guide.to("IDGEN-601");

        doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "worker ids .*2 of 2 leased, 0 free");
        String free = guide.code("UPDATE idgen_worker SET lease_until = 0");
        did("`" + free + "`");
        Sql.execute(owner(), free.replace("worker_id = 7", "worker_id = " + worker(last)));

        idsAgain("A killed process has a worker id", third, LEASED, SOON);
        killed.next(LEASED, 1_000); // it was only paused
        itsRoute.reset(false);
        Await.holds(Duration.ofSeconds(3), () -> killed.next(LEASED) < 0);
    }

    @Test
    void aBackupWasRestored() throws Exception {
        Shop.Process running = start();
        running.next(ORDERS, 25);
        for (String table : TABLES) {
            Sql.execute(owner(), "CREATE TABLE of_" + table + " AS SELECT * FROM " + table);
        }
        Instant backup = Instant.now();
        running.next(ORDERS, 60);
        running.next(LEASED, 100);
        try (Connection restore = owner().getConnection()) {
            restore.setAutoCommit(false);
            for (String table : TABLES) {
                Sql.execute(restore, "DELETE FROM " + table);
                Sql.execute(restore, "INSERT INTO " + table + " SELECT * FROM of_" + table);
            }
            restore.commit();
        }
        try (Shop.Process control = start()) {
            assertThat(shop.has(ORDERS, control.nextUnchecked(ORDERS)))
                    .as("control: without the repair, ids repeat")
                    .isTrue();
        }
        awaitLog(ErrorCode.WORKER_IDS_SET_BACK);
        running.next(ORDERS, 60);
        awaitLog(ErrorCode.SEGMENT_WENT_BACK);

        doctor("idgen doctor", ExitCodes.OK, "healed .*default: 1 times? so far");
        Guide guide = Guide.to("backup restored");
        running.close();
        List<String> repairs = guide.all("idgen repair --url");
        assertThat(repairs).hasSize(2);
        for (String each : repairs) {
            assertThat(type(each, backup).printed())
                    .contains(each.endsWith("--yes") ? "repaired idgen_worker" : "dry run, would repair idgen_worker")
                    .contains("; idgen_segment orders: ");
        }

        Shop.Process next = start();
        idsAgain("A backup was restored", next, LEASED, SOON);
        next.next(ORDERS, 100);
    }

    /** Waits until no process fetches ids, because a process that fetches some heals the row. */
    private void awaitFullSpare() throws Exception {
        long[] row = {-1};
        Await.until("a row that does not change", () -> {
            long before = row[0];
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            row[0] = Sql.number(owner(), "SELECT max_id FROM idgen_segment");
            return row[0] == before;
        });
    }

    @Test
    void aCounterWasSetBack() throws Exception {
        Shop.Process running = start();
        running.next(LEASED);
        for (int i = 0; i < 25; i++) {
            insert(running.next(ORDERS), "a");
        }
        awaitFullSpare();
        Sql.execute(owner(), "UPDATE idgen_segment SET max_id = 1");
        try (Shop.Process control = start()) {
            long repeated = control.nextUnchecked(ORDERS);
            assertThat(assertThrows(SQLException.class, () -> insert(repeated, "b"))
                            .getSQLState())
                    .as("control: without the repair, ids repeat")
                    .isIn("23505", "23000");
        }
        symptom("duplicate key");
        Guide guide = Guide.to("IDGEN-304");
        doctor(guide.code("idgen doctor --column"), ExitCodes.FOUND, "segment .*orders: next id \\d+, but orders.id");
        running.next(ORDERS, 30);
        awaitLog(ErrorCode.SEGMENT_WENT_BACK);

        String repair = guide.code("idgen repair --url");
        assertThat(type(repair).refusal()).as("while a process runs").contains("stop these processes");
        running.close();
        assertThat(type(repair).printed()).contains("; idgen_segment orders: ");

        idsAgain("A counter was set back", start(), ORDERS, SOON);
    }

    @Test
    void failoverAndFailback() throws Exception {
        pair.close();
        begin(true);
        Guide guide = Guide.to("replica promoted");
        String promotion = guide.code("idgen repair after-promotion --url");
        Shop.Process running = start(identity());
        running.next(LEASED, 3);
        running.next(ORDERS, 30);
        for (String night : List.of("Failover", "Failback")) {
            pair.cut();
            running.next(ORDERS, 40); // the replica lacks these
            try (Shop.Process lost = start(identity())) {
                lost.next(LEASED, 3);
            }
            leadTo(pair.replicaUrl()); // too early
            makeReplicaReadOnly(Wrapped.dataSource(() -> DriverManager.getConnection(pair.replicaUrl())));
            symptom(failureOf(running, ORDERS), ErrorCode.IDS_UNAVAILABLE);
            doctor("idgen doctor", ExitCodes.FOUND, "changes .*this server accepts no changes");
            assertThat(type(promotion).refusal()).contains("promote it first");

            did("promote the replica");
            pair.takeOver();
            leadTo(pair.url());
            assertThat(type(promotion).printed()).contains("repaired idgen_worker", "idgen_segment orders: ");

            idsAgain(night, running, ORDERS, SOON);
            try (Shop.Process next = start(identity())) {
                next.await(LEASED, SOON);
                next.next(LEASED, 100);
            }
            running.next(LEASED, 100);
        }
        running.close();
        pair.cut();
        Set<Long> lost = new HashSet<>();
        try (Shop.Process before = start(identity())) {
            LongStream.range(0, 40).forEach(i -> lost.add(before.next(ORDERS)));
        }
        for (int i = 0; i < 2; i++) {
            pair.takeOver();
            pair.cut();
        }
        leadTo(pair.url());
        try (Shop.Process control = start(identity())) {
            assertThat(lost).as("control: without the command, ids repeat").contains(control.nextUnchecked(ORDERS));
        }
    }

    /** Another system keeps the payments of orders. */
    @Test
    void duplicateKeysAfterAFailover() throws Exception {
        Shop.Process running = start(FIXED_IDENTITY);
        Map<Long, String> payments = new TreeMap<>();
        for (int i = 0; i < 25; i++) {
            long id = running.next(ORDERS);
            insert(id, "before");
            payments.put(id, "before");
        }
        pair.cut();
        Instant lastCommit = Instant.now();
        List<Long> lost = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long id = running.next(ORDERS);
            insert(id, "lost");
            lost.add(id);
            payments.put(id, "lost");
        }
        List<String> copyOfTheOldPrimary = Sql.rows(owner(), "SELECT id FROM orders WHERE item = 'lost'");
        running.close();
        pair.takeOver();
        leadTo(pair.url());
        List<Long> repeated = new ArrayList<>();
        Shop.Process control = start(FIXED_IDENTITY);
        for (int i = 0; i < 40; i++) {
            long id = control.nextUnchecked(ORDERS);
            insert(id, "after");
            if (payments.putIfAbsent(id, "after") != null) {
                repeated.add(id);
            }
        }
        assertThat(repeated).as("control: without the page, ids repeat").isNotEmpty();
        symptom("duplicate key in another system");
        Guide guide = Guide.to("duplicate keys");

        control.close();
        doctor(guide.code("idgen doctor"), ExitCodes.OK, "segment .*orders: next id");
        List<String> ids = new ArrayList<>(copyOfTheOldPrimary);
        ids.addAll(Sql.rows(owner(), "SELECT id FROM orders WHERE item = 'after'"));
        String analyze = Guide.to("look for equal ids").code("psql").replaceFirst(".*\\| idgen ", "");
        Run found = Run.withInput(String.join("\n", ids), analyze.split(" "));
        System.out.println(found.out());
        assertThat(found.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(found.out()).contains("duplicates: " + repeated.size() + ".");
        did("`idgen " + analyze + "`: " + repeated.size() + " equal ids");
        for (String each : guide.all("idgen repair")) {
            assertThat(type(each, lastCommit).printed())
                    .contains(each.endsWith("--yes") ? "repaired " : "dry run, would repair ")
                    .contains("idgen_segment orders: ");
        }
        Shop.Process next = start(FIXED_IDENTITY);
        idsAgain("Duplicate keys after a failover", next, ORDERS, SOON);
        for (long each : lost) {
            long id = next.next(ORDERS);
            insert(id, "lost");
            payments.remove(each, "lost");
            assertThat(payments.put(id, "lost")).isNull();
        }
        repeated.forEach(each -> assertThat(payments.putIfAbsent(each, "after")).isNull());
        assertThat(Sql.rows(owner(), "SELECT id, item FROM orders ORDER BY id"))
                .isEqualTo(payments.entrySet().stream()
                        .map(each -> each.getKey() + " | " + each.getValue())
                        .collect(Collectors.toList()));
    }

    abstract String waits();

    abstract String end();

    /** Returns the column of the waiting session's blocker, in a row of {@link #waits}. */
    abstract String blocker(String row);

    @Test
    void aRowOfACounterIsLocked() throws Exception {
        Shop.Process running = start();
        running.next(ORDERS, 5);
        running.next(LEASED);
        try (Connection other = owner().getConnection()) {
            other.setAutoCommit(false);
            Sql.execute(other, "UPDATE idgen_segment SET step = step");
            symptom(failureOf(running, ORDERS), ErrorCode.IDS_UNAVAILABLE);
            Guide guide = Guide.to("slow sequence");
            doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "changes .*of idgen_segment is locked by session \\d+");
            running.failure(ORDERS); // control
            String waits = guide.code(waits());
            did("`" + waits + "`");
            List<String> rows = new ArrayList<>();
            Await.until("a session that waits", () -> rows.addAll(Sql.rows(owner(), waits)));
            String end = guide.code(end());
            did("`" + end + "`");
            Sql.execute(owner(), end.replaceFirst("\\bpid\\b|\\bid\\b", blocker(rows.get(0))));
        } catch (SQLException e) {
            System.out.println("the session that was ended: " + e.getMessage());
        }

        idsAgain("A row of a counter is locked", running, ORDERS, SOON);
    }

    @Test
    void degraded() throws Exception {
        Shop.Process running = start();
        running.next(LEASED);
        leadTo(pair.replicaUrl());
        makeReplicaReadOnly(Wrapped.dataSource(() -> DriverManager.getConnection(pair.replicaUrl())));
        Await.until("an outage", () -> running.snapshot(LEASED).health() == SourceSnapshot.Health.DEGRADED);
        symptom("DEGRADED");
        Guide guide = Guide.to("DEGRADED");

        doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "changes .*this server accepts no changes");
        running.next(LEASED, 1_000);
        assertThat(guide.text()).contains("Do not restart the process");
        Shop.Process control = start("idgen.worker.acquire-timeout=3s");
        symptom(control.failure(LEASED), ErrorCode.IDS_UNAVAILABLE);
        did("correct the host name");
        leadTo(pair.url());

        idsAgain("DEGRADED: connected to a replica", control, LEASED, SOON);
        Await.until("the end of the outage", () -> running.snapshot(LEASED).health() == SourceSnapshot.Health.UP);
        running.next(LEASED, 1_000);
    }
}
