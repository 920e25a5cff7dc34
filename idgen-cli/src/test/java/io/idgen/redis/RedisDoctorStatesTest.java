package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.doctor.Doctor;
import io.idgen.cli.leases.RedisAdmin;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.testing.DoctorStates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states of Redis in which a process gets no worker id, or gets it late, and the doctor's answer to each. The
 * doctor changes nothing in any of them.
 */
class RedisDoctorStatesTest {
    private static final String KEY = "idgen:{default}:workers";
    private static final String RIGHTS =
            "on >shop ~idgen:* +evalsha +eval +info +time +hget +hmget +hset +hdel +hgetall";

    /** Brings a server into a state. */
    private interface Fault {
        void on(RedisServer server) throws Exception;
    }

    private record State(
            String name, Fault fault, UnaryOperator<String> uri, InstantSource clock, Level level, String pattern) {
        @Override
        public String toString() {
            return name;
        }

        State as(String user) {
            return new State(name, fault, uri -> uri.replace("//", "//" + user + ":shop@"), clock, level, pattern);
        }

        State by(InstantSource newClock) {
            return new State(name, fault, uri, newClock, level, pattern);
        }
    }

    private static State state(String name, Fault fault, Level level, String pattern) {
        return new State(name, fault, UnaryOperator.identity(), InstantSource.system(), level, pattern);
    }

    /** Sets a field of all worker ids, to a time after the server's time if the value begins with a plus sign. */
    private static Fault rows(String... fieldsAndValues) {
        return server -> {
            for (int i = 0; i < fieldsAndValues.length; i += 2) {
                String answer = server.command(
                        "EVAL",
                        "local t = redis.call('TIME') local v = ARGV[2] if string.sub(v, 1, 1) == '+' then v ="
                                + " string.format('%.0f', t[1] * 1000 + tonumber(string.sub(v, 2))) end for id = 0, 1023 do"
                                + " redis.call('HSET', KEYS[1], id .. ':' .. ARGV[1], v) end return 1",
                        "1",
                        KEY,
                        fieldsAndValues[i],
                        fieldsAndValues[i + 1]);
                assertThat(answer).isEqualTo(":1");
            }
        };
    }

    /** Parses lines of name, commands, level and pattern. A user in commands is the doctor's. */
    private static Stream<State> parsed(String lines) {
        return lines.lines().map(line -> line.split(" :: ")).map(cell -> {
            State state = state(
                    cell[0].strip(),
                    server -> {
                        for (String each : cell[1].strip().split("; ")) {
                            if (!each.isEmpty()) {
                                assertThat(server.command(each.split(" ")))
                                        .as(each)
                                        .doesNotStartWith("-");
                            }
                        }
                    },
                    Level.valueOf(cell[2].strip()),
                    cell[3].strip());
            return cell[1].contains("ACL SETUSER") ? state.as("shop") : state;
        });
    }

    static Stream<State> states() {
        return Stream.concat(
                parsed("""
                        all is well ::  :: OK :: next lease: .*: 1024 worker ids can be leased now
                        all is well, with the documented rights :: RIGHTS :: OK :: changes: the store and the rights of this user permit them
                        a replica :: REPLICAOF 127.0.0.1 1 :: WRONG :: changes: .*READONLY
                        too few replicas for min-replicas-to-write :: CONFIG SET min-replicas-to-write 1 :: WRONG :: changes: .*NOREPLICAS
                        memory is full :: CONFIG SET maxmemory 1 :: WRONG :: changes: .*(OOM|used memory > 'maxmemory')
                        no right to HSET :: RIGHTS -hset :: WRONG :: changes: .*the user needs the commands EVAL, EVALSHA, .* HSET
                        no right to HDEL :: RIGHTS -hdel :: WRONG :: changes: .*the user needs the commands
                        no right to INFO :: RIGHTS -info :: WRONG :: rights: .*the user needs the commands
                        no right to EVAL :: RIGHTS -eval -evalsha :: WRONG :: rights: .*the user needs the commands
                        no right to the keys :: RIGHTS resetkeys ~other:* :: WRONG :: rights: .*the user needs the commands
                        no marker :: HDEL idgen:{default}:workers incarnation :: WRONG :: marker: .*no process leases a worker id
                        """.replace("RIGHTS", "ACL SETUSER shop " + RIGHTS)),
                Stream.of(
                        state(
                                "all horizons are five minutes ahead",
                                rows("horizon", "+300000"),
                                Level.WRONG,
                                "next lease: .*no worker id can be leased now; the next one in 1(1\\d|20) s, at"),
                        state(
                                "a restart or a promotion",
                                rows("server", "another", "horizon", "+-1000"),
                                Level.OK,
                                "next lease: .*the next one in 6 s, at 20"),
                        state(
                                "a repair, and horizons that are three minutes ahead",
                                rows("server", "another", "horizon", "+180000"),
                                Level.WRONG,
                                "next lease: .*the next one in 18[3-6] s, at 20"),
                        state(
                                "all worker ids are leased",
                                rows("token", "a-b", "until", "+30000"),
                                Level.WRONG,
                                "worker ids: .*1024 of 1024 leased, 0 free"),
                        state(
                                        "an hour between the clocks",
                                        server -> {},
                                        Level.WRONG,
                                        "clock: this host's clock is 3(5[4-9]|6[0-5])\\d{4} ms behind that of Redis")
                                .by(InstantSource.offset(InstantSource.system(), Duration.ofHours(-1)))));
    }

    @ParameterizedTest
    @MethodSource("states")
    void theDoctorAnswersWhetherAProcessGetsAWorkerId(State state) throws Exception {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--replica-serve-stale-data", "yes")) {
            try (RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
                Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
            }
            state.fault.on(server);
            String before = data(server);

            List<Finding> answer;
            try (RedisScripts scripts = RedisScripts.connectingTo(state.uri.apply(server.uri()))) {
                answer = Doctor.examine(new RedisAdmin(scripts, new RedisWorkerIds(scripts)), "default", state.clock);
            }

            DoctorStates.check("Redis", state.name, answer, state.level, state.pattern);
            assertThat(data(server)).as("the doctor changes nothing").isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"allkeys-lru, WARN", "noeviction, OK", "volatile-lru, OK"})
    void aPolicyThatEvictsKeysWithoutAnExpiryIsAWarning(String policy, Level level) throws Exception {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", policy);
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            assertThat(Doctor.examine(
                            new RedisAdmin(scripts, new RedisWorkerIds(scripts)), "orders", InstantSource.system()))
                    .filteredOn(finding -> finding.subject().equals("eviction"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.level()).isEqualTo(level);
                        assertThat(finding.text()).startsWith("maxmemory-policy is " + policy);
                    });
        }
    }

    /** Returns the data in no order, since Redis has none, and how many changes the server has counted. */
    private static String data(RedisServer server) throws Exception {
        return server.command("HGETALL", KEY).lines().sorted().toList()
                + " "
                + server.command("INFO", "persistence")
                        .lines()
                        .filter(line -> line.startsWith("rdb_changes_since_last_save"))
                        .toList();
    }
}
