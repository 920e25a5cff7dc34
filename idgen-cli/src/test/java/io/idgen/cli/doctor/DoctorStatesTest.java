package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.testing.DoctorStates;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states of a database in which a process gets no ids, or gets them late, and the doctor's answer to each. The
 * doctor changes nothing in any of them.
 */
@Tag("databases")
@Tag("matrix")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorStatesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String EPOCH = " from 2024-01-01T00:00:00Z";
    private static final List<String> TABLES =
            List.of("idgen_worker", "idgen_segment", "idgen_sequence", "idgen_stepped");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();

    /**
     * A server with idgen's tables.
     *
     * @param owner may change everything
     * @param application the user of processes and of the doctor, with the documented grants
     * @param replica the same user on a replica; the same server if there is none
     * @param now the database's time
     * @param version a column that changes with each version of a row, or with each transaction that changes something
     */
    record Server(
            String name,
            DataSource owner,
            DataSource application,
            DataSource replica,
            String now,
            String version,
            String identity) {

        boolean is(String... names) {
            return List.of(names).contains(name);
        }

        void execute(String... statements) throws SQLException {
            try (Connection connection = owner.getConnection()) {
                for (String each : statements) {
                    Sql.execute(connection, each);
                }
            }
        }

        List<String> data() throws SQLException {
            List<String> all = new ArrayList<>();
            for (String table : TABLES) {
                all.addAll(Sql.rows(owner, "SELECT " + version + "t.* FROM " + table + " t"));
            }
            return all;
        }
    }

    static DataSource of(String url) {
        return new UrlDataSource(url, "", "", TIMEOUT);
    }

    @BeforeAll
    void start() throws SQLException {
        startPostgreSql();
        startMariaDb();
        startH2();
    }

    /** Adds a server to the test, which ends with it. */
    final void add(Server server, AutoCloseable process) {
        servers.add(server);
        opened.add(process);
    }

    private void startPostgreSql() throws SQLException {
        PostgreSqlPair pair = new PostgreSqlPair();
        DataSource superuser = of(pair.superuserUrl());
        new IdgenSchema(superuser).create();
        Sql.execute(superuser, "CREATE ROLE shop LOGIN PASSWORD 'shop'");
        String asShop = "user=shop&password=shop&ApplicationName=shop";
        add(
                new Server(
                        "PostgreSQL",
                        superuser,
                        of(pair.url().replaceFirst("user=.*", asShop)),
                        of(pair.standbyUrl().replaceFirst("user=.*", asShop)),
                        "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
                        "ctid::text, xmin::text, ",
                        "(SELECT system_identifier FROM pg_control_system())::text || '-'"
                                + " || left(pg_walfile_name(pg_current_wal_lsn()), 8)"),
                pair);
    }

    private void startMariaDb() throws SQLException {
        startPair("MariaDB", CrashPair.ofMariaDb(), Dialects.named("mariadb").serverIdentity(), "@@gtid_current_pos");
    }

    /** Starts MariaDB or MySQL. */
    final void startPair(String name, ReplicatedPair pair, String identity, String position) throws SQLException {
        DataSource root = of(pair.url());
        new IdgenSchema(root).create();
        Sql.execute(root, "CREATE USER 'shop'@'%' IDENTIFIED BY 'shop'");
        Sql.execute(root, "GRANT PROCESS ON *.* TO shop"); // to name the session that holds a lock
        add(
                new Server(
                        name,
                        root,
                        of(pair.url().replaceFirst("user=.*", "user=shop&password=shop")),
                        of(pair.replicaUrl().replaceFirst("user=.*", "user=shop&password=shop")),
                        "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
                        position + ", ",
                        identity),
                pair);
        pair.awaitReplica();
        Sql.execute(of(pair.replicaUrl()), "SET GLOBAL read_only = 1");
    }

    private void startH2() throws SQLException {
        var memory = TestDatabase.H2.create();
        new IdgenSchema(memory.dataSource()).create();
        Sql.execute(memory.dataSource(), "CREATE USER shop PASSWORD 'shop'");
        DataSource shop = of(memory.plainUrl().replace(";DB_CLOSE_DELAY=-1", "") + ";USER=SHOP;PASSWORD=shop");
        add(
                new Server(
                        "H2",
                        memory.dataSource(),
                        shop,
                        shop,
                        "DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP)",
                        "",
                        "'-'"),
                memory);
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** Brings a server into a state; the state ends with the result. */
    private interface Fault {
        AutoCloseable on(Server server) throws SQLException;

        /** Whether the fault is a lock, which may block reads, and changes no data. */
        default boolean isLock() {
            return false;
        }
    }

    /** Another session runs a statement, and does not end its transaction. */
    private record Session(String statement) implements Fault {
        @Override
        public AutoCloseable on(Server server) throws SQLException {
            Connection other = server.owner.getConnection();
            other.setAutoCommit(false);
            Sql.execute(other, statement);
            return () -> {
                other.rollback();
                other.close();
            };
        }

        @Override
        public boolean isLock() {
            return true;
        }
    }

    private record State(
            String name,
            Server server,
            Fault fault,
            boolean onReplica,
            UnaryOperator<IdgenTables> tables,
            Level level,
            String pattern) {
        @Override
        public String toString() {
            return server.name + ", " + name;
        }

        State onTheReplica() {
            return new State(name, server, fault, true, tables, level, pattern);
        }

        State with(UnaryOperator<IdgenTables> newTables) {
            return new State(name, server, fault, onReplica, newTables, level, pattern);
        }
    }

    private static State state(String name, Server server, Fault fault, Level level, String pattern) {
        return new State(name, server, fault, false, UnaryOperator.identity(), level, pattern);
    }

    private static Fault statements(String... statements) {
        return server -> {
            server.execute(statements);
            return () -> {};
        };
    }

    private static String workers(Server server, String columns) {
        return "UPDATE idgen_worker SET " + columns.replace("NOW", server.now) + " WHERE worker_id >= 0";
    }

    private Stream<State> ofEach(Server server) {
        String lock = "UPDATE %s SET server_id = server_id WHERE %s";
        String session = server.is("MySQL") ? "session \\d+, whose transaction began .*" : "session \\d+ of .*";
        return Stream.of(
                state(
                        "all is well",
                        server,
                        statements(),
                        Level.OK,
                        "next lease: .*: 1024 worker ids can be leased now"),
                state(
                        "no UPDATE on idgen_worker",
                        server,
                        statements("REVOKE UPDATE ON idgen_worker FROM shop"),
                        Level.WRONG,
                        "(?i)changes: .*(denied|not enough rights).*idgen_worker"),
                state(
                        "no UPDATE on idgen_segment",
                        server,
                        statements("REVOKE UPDATE ON idgen_segment FROM shop"),
                        Level.WRONG,
                        "(?i)changes: .*(denied|not enough rights).*idgen_segment"),
                state(
                        "no INSERT on idgen_segment",
                        server,
                        statements("REVOKE INSERT ON idgen_segment FROM shop"),
                        Level.WARN,
                        "changes: processes can use the rows of idgen_segment, but add none: .*grant INSERT"),
                state(
                        "no SELECT on idgen_worker",
                        server,
                        statements("REVOKE SELECT ON idgen_worker FROM shop"),
                        Level.WRONG,
                        "(?i)tables: .*(denied|not enough rights)"),
                state(
                        "the row of a worker id is locked",
                        server,
                        new Session(lock.formatted("idgen_worker", "worker_id = 7")),
                        Level.WRONG,
                        server.is("H2")
                                ? "changes: .*a row of idgen_worker is locked by a session that the server does not name"
                                : "changes: .*the row \\[default, (7|-1)\\].* of idgen_worker is locked by " + session
                                        + "end it with"),
                state(
                        "the row of a counter is locked",
                        server,
                        new Session(lock.formatted("idgen_segment", "biz_tag = 'orders'")),
                        Level.WRONG,
                        server.is("H2")
                                ? "changes: .*a row of idgen_segment is locked by a session that the server does not name"
                                : "changes: .*the row \\[orders\\] of idgen_segment is locked by " + session
                                        + "end it with"),
                state(
                        "all horizons are five minutes ahead",
                        server,
                        statements(workers(server, "horizon = NOW + 300000, longest_window = 180000")),
                        Level.WRONG,
                        "next lease: .*no worker id can be leased now; the next one in (1 min 5\\d|2 min 0) s, at 20"),
                state(
                        "another server was the last one, or a repair has run",
                        server,
                        statements(workers(server, "server_id = NULL, horizon = NOW - 1000")),
                        Level.OK,
                        "next lease: .*the next one in 6.0 s, at 20\\S+ \\(\\d+\\); a process that starts now waits"),
                state(
                        "healed, so all horizons are three minutes ahead and have no server",
                        server,
                        statements(workers(server, "server_id = NULL, horizon = NOW + 180000, generation = 1")),
                        Level.WRONG,
                        "next lease: .*no worker id can be leased now; the next one in 3 min [3-6] s, at 20"),
                state(
                        "healed",
                        server,
                        statements(workers(server, "generation = 2")),
                        Level.OK,
                        "healed: default: 2 times so far"),
                state(
                        "all worker ids are leased",
                        server,
                        statements(workers(server, "owner_token = 'a-b', lease_until = NOW + 30000")),
                        Level.WRONG,
                        "worker ids: .*1024 of 1024 leased, 0 free; the next process gets none"),
                state(
                        "all worker ids of a layout with two are leased, and rows of an earlier layout exist",
                        server,
                        statements(
                                "UPDATE idgen_worker SET layout = '41-0-1-21" + EPOCH + "'",
                                workers(server, "owner_token = 'a-b', lease_until = NOW + 30000")
                                        + " AND worker_id < 2"),
                        Level.WRONG,
                        "worker ids: .*2 of 2 leased, 0 free; the next process gets none"),
                state(
                        "a name has used up its reach",
                        server,
                        statements("UPDATE idgen_segment SET reach = 1000, used = 1000, win = " + server.now
                                + " + 60000 WHERE biz_tag = 'orders'"),
                        Level.WRONG,
                        "segment: orders: .*has granted its reach of 1000 ids since .*: the next ids at 20"),
                state(
                                "the limit of a name is reached",
                                server,
                                statements("UPDATE idgen_segment SET max_id = 5000 WHERE biz_tag = 'orders'"),
                                Level.WRONG,
                                "segment: orders: next id 5000, but its limit allows 3999 at most")
                        .with(tables -> tables.withLimit("orders", 4000)),
                state(
                                "only segments are expected, and idgen_worker cannot be read",
                                server,
                                statements("REVOKE SELECT, UPDATE ON idgen_worker FROM shop"),
                                Level.OK,
                                "tables: idgen_segment exists")
                        .with(tables -> tables.expecting("segment")),
                state(
                                "only worker ids are expected, and the others cannot be read",
                                server,
                                statements(TABLES.stream()
                                        .skip(1)
                                        .map(each -> "REVOKE SELECT, UPDATE ON " + each + " FROM shop")
                                        .toArray(String[]::new)),
                                Level.OK,
                                "tables: idgen_worker exists")
                        .with(tables -> tables.expecting("snowflake")));
    }

    private Stream<State> states() {
        return servers.stream()
                .flatMap(server -> Stream.of(
                                ofEach(server),
                                server.application == server.replica ? Stream.<State>empty() : ofReplicas(server),
                                server.is("PostgreSQL") ? ofPostgreSql(server) : Stream.<State>empty(),
                                server.is("MariaDB", "MySQL") ? ofMariaDb(server) : Stream.<State>empty())
                        .flatMap(each -> each));
    }

    private static Stream<State> ofReplicas(Server server) {
        return Stream.of(state(
                        "a replica",
                        server,
                        statements(),
                        Level.WRONG,
                        "changes: .*this server accepts no changes; it is a replica, or set to"
                                + " read-only.*name the primary")
                .onTheReplica());
    }

    private static Stream<State> ofMariaDb(Server mariaDb) {
        return Stream.of(state(
                "read_only=1",
                mariaDb,
                server -> {
                    server.execute("SET GLOBAL read_only = 1");
                    return () -> server.execute("SET GLOBAL read_only = 0");
                },
                Level.WRONG,
                "changes: .*this server accepts no changes"));
    }

    private static Stream<State> ofPostgreSql(Server postgreSql) {
        return Stream.of(
                state(
                        "default_transaction_read_only=on",
                        postgreSql,
                        server -> {
                            server.execute("ALTER ROLE shop SET default_transaction_read_only = on");
                            return () -> server.execute("ALTER ROLE shop RESET ALL");
                        },
                        Level.WRONG,
                        "changes: .*this server accepts no changes"),
                state(
                        "no EXECUTE on pg_control_system()",
                        postgreSql,
                        server -> {
                            server.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
                            return () -> server.execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC");
                        },
                        Level.WRONG,
                        "identity: idgen cannot tell this server.*permission denied"),
                state(
                                "no EXECUTE on pg_control_system(), and a configured identity",
                                postgreSql,
                                server -> {
                                    server.execute(
                                            "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM" + " PUBLIC",
                                            "UPDATE idgen_worker SET server_id = 'db-1'");
                                    return () ->
                                            server.execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC");
                                },
                                Level.OK,
                                "next lease: .*: 1024 worker ids can be leased now")
                        .with(tables -> tables.identifiedAs("db-1")),
                state(
                        "the table is locked",
                        postgreSql,
                        new Session("LOCK TABLE idgen_worker IN EXCLUSIVE MODE"),
                        Level.WRONG,
                        "changes: .*the table of idgen_worker is locked by session \\d+ of postgres.*end" + " it"),
                state(
                        "the table is locked, also for reads",
                        postgreSql,
                        new Session("LOCK TABLE idgen_worker IN ACCESS EXCLUSIVE MODE"),
                        Level.WRONG,
                        "tables: .*the table of idgen_worker is locked by session \\d+ of" + " postgres.*end it"));
    }

    /** All rights, rows that this server has granted and that no process holds, and one counter. */
    private void reset(Server server) throws SQLException {
        String all = "GRANT SELECT, INSERT, UPDATE ON %s TO shop";
        for (String table : TABLES) {
            server.execute(all.formatted(table));
        }
        server.execute("DELETE FROM idgen_segment");
        server.execute("INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('orders', 7, 1)");
        server.execute("UPDATE idgen_worker SET horizon = 0, lease_until = 0, owner_token = NULL, generation = 0,"
                + " longest_window = 0, layout = '41-5-5-12" + EPOCH + "', server_id = " + server.identity);
    }

    @ParameterizedTest
    @MethodSource("states")
    void theDoctorAnswersWhetherAProcessGetsIds(State state) throws Exception {
        Server server = state.server;
        reset(server);
        List<String> withoutLock = server.data();
        AutoCloseable end = state.fault.on(server);
        List<String> before = state.fault.isLock() ? withoutLock : server.data();
        List<Finding> answer;
        try {
            answer = Doctor.examine(
                            state.tables.apply(new IdgenTables(state.onReplica ? server.replica : server.application)),
                            InstantSource.system());
        } finally {
            end.close();
        }

        DoctorStates.check(server.name, state.name, answer, state.level, state.pattern);
        assertThat(server.data()).as("the doctor changes nothing").isEqualTo(before);
    }

    @Test
    void anHourBetweenTheClocksIsWrong() throws Exception {
        for (Server server : servers) {
            reset(server);
            InstantSource slow = InstantSource.offset(InstantSource.system(), Duration.ofHours(-1));

            List<Finding> answer =
                    Doctor.examine(new IdgenTables(server.application), slow);

            DoctorStates.check(
                    server.name,
                    "an hour between the clocks",
                    answer,
                    Level.WRONG,
                    "clock: this host's clock is 3(5[4-9]|6[0-5])\\d{4} ms behind the database's.*one of them is"
                            + " wrong");
        }
    }
}
