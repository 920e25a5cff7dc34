package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Tests {@code doctor} and {@code repair} with Redis. */
class RedisLeasesTest extends LeasesTest {
    private static final String KEY = "idgen:{default}:workers";

    private static RedisServer server;
    private static RedisScripts scripts;
    private static int port;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        port = FreePort.find();
        server = new RedisServer(port);
        server.start();
        scripts = RedisScripts.connectingTo("redis://127.0.0.1:" + port);
    }

    @AfterAll
    static void stop() throws IOException {
        scripts.close();
        server.stop();
    }

    @BeforeEach
    void empty() {
        scripts.run("redis.call('FLUSHALL') return {}", KEY, List.of());
    }

    @Override
    String option() {
        return "--redis=redis://127.0.0.1:" + port;
    }

    @Override
    String shown() {
        return "Redis at 127.0.0.1:" + port;
    }

    @Override
    String place() {
        return KEY;
    }

    @Override
    void createWorkerIds() {
        RedisWorkerIds store = new RedisWorkerIds(scripts);
        store.mark("default", Duration.ofMinutes(3));
        store.candidates(
                new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, Duration.ofSeconds(30), Duration.ofMinutes(3)),
                null);
    }

    private static void set(String... fields) {
        List<String> named = new ArrayList<>();
        for (String field : fields) {
            named.addAll(List.of((WORKER_ID + ":" + field).split("=")));
        }
        scripts.run("redis.call('HSET', KEYS[1], unpack(ARGV)) return {}", KEY, named);
    }

    @Override
    void lease() {
        set("token=x", "owner=17@web-3", "until=" + FOR_EVER);
    }

    @Override
    void setHorizon(long millis) {
        set("horizon=" + millis);
    }

    @Override
    String content() {
        return scripts.run("local all = redis.call('HGETALL', KEYS[1]) table.sort(all) return all", KEY, List.of())
                .toString();
    }

    @Test
    void aRedisWithoutMarkerIsWrongUntilARepairWritesIt() {
        Run run = run("doctor");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out()).containsPattern("wrong +marker +namespace 'default' has no incarnation marker");

        assertThat(run("repair --window 10min --yes").printed())
                .startsWith("repaired " + KEY + " 0 worker ids: no marker, horizons up to 1970")
                .containsPattern(" -> marker [-0-9a-f]{36}, ids begin at ");
        assertThat(run("doctor").printed()).contains("has its incarnation marker", "none yet");
        assertThat(content()).contains("600000");
        assertThat(run("repair --window x --yes").refusal()).contains("--window");
    }

    @Test
    void aRedisThatDoesNotAnswerIsReportedInALineWithoutItsPassword() throws Exception {
        Path file = Files.writeString(
                folder.resolve("options"), "--redis=redis://shop:hidden@127.0.0.1:" + FreePort.find() + "\n");

        assertThat(Run.of("doctor", "@" + file).refusal())
                .contains("refuses a connection", "check that it runs", "--redis")
                .doesNotContain("hidden", "--url");
        assertThat(Run.of("doctor", "--redis", "redis://:hidden@").refusal())
                .contains("the address of Redis is redis://host:6379")
                .doesNotContain("hidden");
    }
}
