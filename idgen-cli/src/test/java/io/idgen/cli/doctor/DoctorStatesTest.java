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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states of a database in which a process gets no ids, or gets them late, and the doctor's answer to each. The
 * doctor changes nothing in any of them.
 */
@Tag("databases")
@Tag("matrix")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorStatesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String EPOCH = " from 2024-01-01T00:00:00Z";
    private static final List<String> TABLES = List.of("idgen_worker", "idgen_counter");

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
            UnaryOperator<KnownTables> tables,
            Level level,
            String pattern) {
        @Override
        public String toString() {
            return server.name + ", " + name;
        }

        State onTheReplica() {
            return new State(name, server, fault, true, tables, level, pattern);
        }

        State with(UnaryOperator<KnownTables> newTables) {
            return new State(name, server, fault, onReplica, newTables, level, pattern);
        }
    }

    private static State state(String name, Server server, Fault fault, Level level, String pattern) {
        return new State(name, server, fault, false, UnaryOperator.identity(), level, pattern);
    }

    /** Parses lines of name, statements, level and pattern; NOW is the database's time in milliseconds. */
    private static Stream<State> rows(Server server, String lines) {
        return lines.lines().map(line -> line.split(" :: ")).map(cell -> {
            String[] statements = cell[1].isBlank()
                    ? new String[0]
                    : cell[1].replace("NOW", server.now).strip().split("; ");
            Fault fault = database -> {
                database.execute(statements);
                return () -> {};
            };
            return state(cell[0].strip(), server, fault, Level.valueOf(cell[2].strip()), cell[3].strip());
        });
    }

    private static Fault during(String statement, String end) {
        return server -> {
            server.execute(statement.split("; "));
            return () -> server.execute(end);
        };
    }

    private static final String OF_EACH =
            """
            all is well ::  :: OK :: next lease: .*: 1024 worker ids can be leased now
            no UPDATE on idgen_worker :: REVOKE UPDATE ON idgen_worker FROM shop :: WRONG :: (?i)changes: .*(denied|not enough rights).*idgen_worker
            no UPDATE on idgen_counter :: REVOKE UPDATE ON idgen_counter FROM shop :: WRONG :: (?i)changes: .*(denied|not enough rights).*idgen_counter
            no INSERT on idgen_counter :: REVOKE INSERT ON idgen_counter FROM shop :: WRONG :: (?i)changes: .*(denied|not enough rights).*idgen_counter
            no SELECT on idgen_worker :: REVOKE SELECT ON idgen_worker FROM shop :: WRONG :: (?i)tables: .*(denied|not enough rights)
            all horizons are five minutes ahead :: WORKERS horizon = NOW + 300000 :: WRONG :: next lease: .*no worker id can be leased now; the next one in 1(1\\d|20) s, at 20
            another server was the last one, or a repair has run :: WORKERS server_id = NULL, horizon = NOW - 1000 :: OK :: next lease: .*the next one in 6 s, at 20\\S+ \\(\\d+\\); a process that starts now waits
            healed, so all horizons are three minutes ahead and have no server :: WORKERS server_id = NULL, horizon = NOW + 180000, generation = 1 :: WRONG :: next lease: .*no worker id can be leased now; the next one in 18[3-6] s, at 20
            healed :: WORKERS generation = 2 :: OK :: healed: default: 2 times so far
            all worker ids are leased :: WORKERS owner_token = 'a-b', lease_until = NOW + 30000 :: WRONG :: worker ids: .*1024 of 1024 leased, 0 free; the next process gets none
            all worker ids of a layout with two are leased, and rows of an earlier layout exist :: UPDATE idgen_worker SET layout = '41-0-1-21 from 2024-01-01T00:00:00Z'; WORKERS owner_token = CASE WHEN worker_id < 2 THEN 'a-b' END, lease_until = NOW + 30000 :: WRONG :: worker ids: .*2 of 2 leased, 0 free; the next process gets none
            a name has used up its reach :: UPDATE idgen_counter SET reach = 1000, used = 1000, win = NOW + 60000 WHERE name = 'orders' :: WRONG :: counter: orders: .*has granted its reach of 1000 ids since .*: the next ids at 20
            the clock was far ahead when a name used up its reach :: UPDATE idgen_counter SET reach = 1000, used = 1000, win = NOW + 9000000000 WHERE name = 'orders' :: OK :: counter: orders: next id
            """.replaceAll("WORKERS ([^:;]*)(?= ::)", "UPDATE idgen_worker SET $1 WHERE worker_id >= 0");

    private static Stream<State> ofEach(Server server) {
        String lock = "UPDATE %s SET server_id = server_id WHERE %s";
        String session = server.is("MySQL") ? "session \\d+, whose transaction began .*" : "session \\d+ of .*";
        String locked = server.is("H2")
                ? "changes: .*a row of %2$s is locked by a session that the server does not name"
                : "changes: .*the row \\[%1$s\\].* of %2$s is locked by " + session + "end it with";
        return Stream.concat(
                rows(server, OF_EACH),
                Stream.of(
                        state(
                                "the row of a worker id is locked",
                                server,
                                new Session(lock.formatted("idgen_worker", "worker_id = 7")),
                                Level.WRONG,
                                locked.formatted("default, (7|-1)", "idgen_worker")),
                        state(
                                "the row of a counter is locked",
                                server,
                                new Session(lock.formatted("idgen_counter", "name = 'orders'")),
                                Level.WRONG,
                                locked.formatted("orders", "idgen_counter"))));
    }

    private Stream<State> states() {
        return servers.stream()
                .flatMap(server -> Stream.of(
                                ofEach(server),
                                server.application == server.replica ? Stream.<State>empty() : ofReplicas(server),
                                server.is("PostgreSQL") ? ofPostgreSql(server) : Stream.<State>empty(),
                                server.is("MariaDB", "MySQL") ? ofRestarts(server) : Stream.<State>empty())
                        .flatMap(each -> each));
    }

    private static Stream<State> ofReplicas(Server server) {
        return rows(
                        server,
                        "a replica ::  :: WRONG :: changes: .*this server accepts no changes; it is a replica, or"
                                + " set to read-only.*name the primary")
                .map(State::onTheReplica);
    }

    private static Stream<State> ofRestarts(Server server) {
        String skips = "restarts: each restart skips twice the reach of each counter, because ";
        State durable = state(
                "commits are durable, and the history is known",
                server,
                database -> () -> {},
                Level.OK,
                "restarts: a restart skips no ids of counters");
        State notDurable = state(
                "a crash can lose commits",
                server,
                during(
                        "SET GLOBAL innodb_flush_log_at_trx_commit = 0",
                        "SET GLOBAL innodb_flush_log_at_trx_commit = 1"),
                Level.WARN,
                skips + "a crash can lose commits");
        State withoutGtids = state(
                "MySQL without GTIDs",
                server,
                during("SET GLOBAL gtid_mode = ON_PERMISSIVE", "SET GLOBAL gtid_mode = ON"),
                Level.WARN,
                skips + "the binary log has no GTIDs, .*; set gtid_mode=ON and");
        return server.is("MySQL") ? Stream.of(durable, notDurable, withoutGtids) : Stream.of(durable, notDurable);
    }

    private static Stream<State> ofPostgreSql(Server postgreSql) {
        String revoke = "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC";
        String grant = "GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC";
        return Stream.of(
                state(
                        "default_transaction_read_only=on",
                        postgreSql,
                        during("ALTER ROLE shop SET default_transaction_read_only = on", "ALTER ROLE shop RESET ALL"),
                        Level.WRONG,
                        "changes: .*this server accepts no changes"),
                state(
                        "no EXECUTE on pg_control_system()",
                        postgreSql,
                        during(revoke, grant),
                        Level.WRONG,
                        "identity: idgen cannot tell this server.*permission denied"),
                state(
                                "no EXECUTE on pg_control_system(), and a configured identity",
                                postgreSql,
                                during(revoke + "; UPDATE idgen_worker SET server_id = 'db-1'", grant),
                                Level.OK,
                                "next lease: .*: 1024 worker ids can be leased now")
                        .with(tables -> tables.identifiedAs("db-1")),
                state(
                        "the table is locked, also for reads",
                        postgreSql,
                        new Session("LOCK TABLE idgen_worker IN ACCESS EXCLUSIVE MODE"),
                        Level.WRONG,
                        "tables: .*the table of idgen_worker is locked by session \\d+ of postgres.*end it"));
    }

    /** All rights, rows that this server has granted and that no process holds, and one counter. */
    private void reset(Server server) throws SQLException {
        String all = "GRANT SELECT, INSERT, UPDATE ON %s TO shop";
        for (String table : TABLES) {
            server.execute(all.formatted(table));
        }
        server.execute("DELETE FROM idgen_counter");
        server.execute("INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 7)");
        server.execute("UPDATE idgen_worker SET horizon = 0, lease_until = 0, owner_token = NULL, generation = 0,"
                + " layout = '41-5-5-12" + EPOCH + "', server_id = " + server.identity);
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
                    state.tables.apply(new KnownTables(state.onReplica ? server.replica : server.application)),
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

            List<Finding> answer = Doctor.examine(new KnownTables(server.application), slow);

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
