package io.idgen.cli.oncall;

import static io.idgen.cli.oncall.Shop.LEASED;
import static io.idgen.cli.oncall.Shop.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** OnCallContract with a database. */
abstract class DatabaseOnCallContract extends OnCallContract {
    private static final List<String> TABLES = List.of("idgen_worker", "idgen_counter");

    ReplicatedPair pair;

    /** Where the host name of the database leads. */
    String url;

    private final List<ProcessConnections> processes = new ArrayList<>();

    /** The connections of one process to the database. */
    private final class ProcessConnections {
        private final List<Connection> open = new ArrayList<>();

        synchronized Connection connect() throws SQLException {
            Connection connection = DriverManager.getConnection(asShop(url));
            open.add(connection);
            return connection;
        }

        synchronized void reset() throws SQLException {
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

    final DataSource owner() {
        return Wrapped.dataSource(() -> DriverManager.getConnection(pair.url()));
    }

    private static String asShop(String server) {
        return server.replaceFirst("user=.*", "user=shop&password=shop");
    }

    @BeforeEach
    void startServers() throws Exception {
        begin(false);
    }

    final void begin(boolean forFailback) throws Exception {
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
    String[] address() {
        return new String[] {"idgen.jdbc.url=" + asShop(url)};
    }

    /** A process in this JVM has a data source, so that a test can lead it to another server. */
    @Override
    IdSources.Builder settings() {
        ProcessConnections connections = new ProcessConnections();
        processes.add(connections);
        return IdSources.builder()
                .resource(DataSource.class, Wrapped.dataSource(connections::connect))
                .source(ORDERS)
                .set("idgen.sources.orders.strategy", "segment")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.reserve", "0s");
    }

    /** Lets the host name lead to another server. */
    final void leadTo(String server) throws SQLException {
        url = server;
        for (ProcessConnections each : processes) {
            each.reset();
        }
    }

    final void insert(long id, String item) throws SQLException {
        Sql.execute(owner(), "INSERT INTO orders VALUES (" + id + ", '" + item + "')");
    }

    private static long worker(long id) {
        return SnowflakeLayout.parse("41-1-21").parse(id).worker();
    }

    static IdGenerationException failureOf(Shop.Process process, String source) throws Exception {
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
        ShopJvm paused = startJvm(TWO_WORKERS);
        long itsId = paused.next(LEASED);
        ShopJvm killed = startJvm(TWO_WORKERS);
        long last = killed.next(LEASED);
        paused.pause();
        killed.kill();
        Shop.Process third = start(TWO_WORKERS, "idgen.acquire-timeout=3s");
        symptom(third.failure(LEASED), ErrorCode.WORKER_IDS_TAKEN);
        Guide guide = Guide.to("IDGEN-601");

        doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "worker ids .*2 of 2 leased, 0 free");
        String free = guide.code("UPDATE idgen_worker SET lease_until = 0");
        Sql.execute(owner(), free.replace("worker_id = 7", "worker_id = " + worker(last)));

        idsAgain(third, LEASED);
        Sql.execute(owner(), free.replace("worker_id = 7", "worker_id = " + worker(itsId)));
        start(TWO_WORKERS).await(LEASED, SOON);
        paused.resume();
        for (int i = 0; i < 1_000; i++) {
            paused.next(LEASED);
        }
    }

    @Test
    void someoneEditedTheRowOfAWorkerId() throws Exception {
        Shop.Process process = start();
        process.next(LEASED);
        Sql.execute(owner(), "UPDATE idgen_worker SET horizon = horizon + 1 WHERE owner_token IS NOT NULL");
        awaitLog(ErrorCode.LEASE_COPIED);
        symptom(failureOf(process, LEASED), ErrorCode.LEASE_COPIED);
        Guide guide = Guide.to("IDGEN-603");

        assertThat(guide.text()).contains("Stop the process").contains("find out who edited `idgen_worker`");
        process.close();

        idsAgain(start(), LEASED);
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
        // the next refill notices; how many ids are in memory until then depends on how slow refills were
        awaitLog(ErrorCode.SEGMENT_WENT_BACK, () -> running.next(ORDERS, 10));

        doctor("idgen doctor", ExitCodes.OK, "healed .*default: 1 times? so far");
        Guide guide = Guide.to("backup restored");
        running.close();
        List<String> repairs = guide.all("idgen repair --url");
        assertThat(repairs).hasSize(2);
        for (String each : repairs) {
            assertThat(type(each, backup).printed())
                    .contains(each.endsWith("--yes") ? "repaired idgen_worker" : "dry run, would repair idgen_worker")
                    .contains("; idgen_counter orders: ");
        }

        Shop.Process next = start();
        idsAgain(next, LEASED);
        next.next(ORDERS, 100);
    }

    /** Waits until no process fetches ids, because a process that fetches some heals the row. */
    private void awaitFullSpare() throws Exception {
        long[] row = {-1};
        Await.until("a row that does not change", () -> {
            long before = row[0];
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            row[0] = Sql.number(owner(), "SELECT next_id FROM idgen_counter");
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
        Sql.execute(owner(), "UPDATE idgen_counter SET next_id = 1");
        try (Shop.Process control = start()) {
            long repeated = control.nextUnchecked(ORDERS);
            assertThat(assertThrows(SQLException.class, () -> insert(repeated, "b"))
                            .getSQLState())
                    .as("control: without the repair, ids repeat")
                    .isIn("23505", "23000");
        }
        Guide guide = Guide.to("IDGEN-304");
        doctor(guide.code("idgen doctor --column"), ExitCodes.FOUND, "counter .*orders: next id \\d+, but orders.id");
        running.next(ORDERS, 30);
        awaitLog(ErrorCode.SEGMENT_WENT_BACK);

        String repair = guide.code("idgen repair --url");
        assertThat(type(repair).refusal()).as("while a process runs").contains("stop these processes");
        running.close();
        assertThat(type(repair).printed()).contains("; idgen_counter orders: ");

        idsAgain(start(), ORDERS);
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
            Sql.execute(other, "UPDATE idgen_counter SET step = step");
            symptom(failureOf(running, ORDERS), ErrorCode.IDS_UNAVAILABLE);
            Guide guide = Guide.to("slow sequence");
            doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "changes .*of idgen_counter is locked by session \\d+");
            running.failure(ORDERS); // control
            String waits = guide.code(waits());
            List<String> rows = new ArrayList<>();
            Await.until("a session that waits", () -> rows.addAll(Sql.rows(owner(), waits)));
            String end = guide.code(end());
            Sql.execute(owner(), end.replaceFirst("\\bpid\\b|\\bid\\b", blocker(rows.get(0))));
        } catch (SQLException e) {
            System.out.println("the session that was ended: " + e.getMessage());
        }

        idsAgain(running, ORDERS);
    }
}
