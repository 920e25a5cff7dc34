package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Tests {@code doctor} and {@code repair} with Redis. */
class RedisLeasesTest {
    private static final int WORKER_ID = 7;
    private static final long FOR_EVER = 4_000_000_000_000L;
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

    private static Run run(String command) {
        return Run.of((command + " --redis=redis://127.0.0.1:" + port).split(" "));
    }

    private static void createWorkerIds() {
        RedisWorkerIds store = new RedisWorkerIds(scripts);
        store.mark("default");
        store.candidates(
                new LeaseTerms(
                        "default",
                        SnowflakeLayout.IDGEN,
                        0,
                        1024,
                        Set.of(),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(3)),
                null);
    }

    private static void set(String... fields) {
        List<String> named = new ArrayList<>();
        for (String field : fields) {
            named.addAll(List.of((WORKER_ID + ":" + field).split("=")));
        }
        scripts.run("redis.call('HSET', KEYS[1], unpack(ARGV)) return {}", KEY, named);
    }

    private static void lease() {
        set("token=x", "owner=17@web-3", "until=" + FOR_EVER);
    }

    private static void setHorizon(long millis) {
        set("horizon=" + millis);
    }

    private static String content() {
        return scripts.run("local all = redis.call('HGETALL', KEYS[1]) table.sort(all) return all", KEY, List.of())
                .toString();
    }

    @Test
    void theDoctorFindsWorkerIdsAndIdsAreGeneratedUnderALease() {
        createWorkerIds();
        lease();
        String before = content();

        Run run = run("doctor");

        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.OK);
        assertThat(run.out())
                .startsWith("Redis at 127.0.0.1:" + port + "\n")
                .containsPattern("ok +worker ids +default, 41-5-5-12 from .*: 1 of 1024 leased, 1023 free")
                .doesNotContain("wrong ");
        assertThat(run("doctor --json").printed())
                .startsWith(
                        "{\"store\":\"Redis at 127.0.0.1:" + port + "\",\"level\":\"WARN\",\"findings\":[{\"level\":");
        assertThat(content()).isEqualTo(before);
        assertThat(run("generate --count 2").printed().lines()).hasSize(2);
        assertThat(run("doctor").out()).as("the lease has ended").contains(": 1 of 1024 leased, 1023 free");
        assertThat(run("generate --layout twitter").refusal()).contains("layout");
        assertThat(run("repair").refusal()).contains("stop every process", "check that all of them use", "--yes");
        assertThat(run("repair --yes").refusal())
                .contains(
                        "worker id 7 of namespace 'default' by 17@web-3 until 2096-10-02T07:0", "stop these processes");
    }

    @Test
    void allIsRepaired() {
        createWorkerIds();
        setHorizon(FOR_EVER);
        assertThat(run("doctor").exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run("repair horizons --yes").refusal()).contains("SELECT MAX(id) FROM orders", "--largest-id");
        assertThat(run("repair horizons --largest-id 4194304 --yes --layout discord")
                        .refusal())
                .contains("no worker ids of layout");
        assertThat(run("repair horizons --largest-id 4194304 --yes").printed())
                .contains(
                        "repaired " + KEY + " 1 worker ids: horizons up to 2096-10-02T07:06:40Z",
                        " -> horizons at 2024-01-01T00:00:00.002Z");

        String before = content();
        assertThat(run("repair --dry-run --json").printed())
                .startsWith("{\"dryRun\":true,\"changes\":[{\"place\":\"" + KEY + "\",\"row\":\"1024 worker ids\"");
        assertThat(content()).isEqualTo(before);
        assertThat(run("repair --yes").printed()).startsWith("repaired " + KEY + " 1024 worker ids: ");
        assertThat(run("repair after-promotion").refusal()).contains("only databases need a repair after a promotion");
        setHorizon(1);
        assertThat(run("repair layout --to tsid --to-epoch 2000-01-01T00:00:00Z --yes")
                        .printed())
                .contains(KEY + " 1024 worker ids: layout 41-5-5-12 from ", " -> layout ");
        assertThat(run("repair namespace default --namespace x --yes").refusal())
                .contains("without --namespace");
        assertThat(run("repair namespace default --yes").printed())
                .contains("repaired " + KEY + " 1024 worker ids: layout ", " -> removed");
        assertThat(content()).doesNotContain("41-5-5-12", "horizon", "fence");
    }

    @Test
    void anOptionOfAnotherStoreIsRefused() {
        assertThat(run("doctor --url jdbc:h2:mem:x").refusal()).contains("--url is an option with --url");
        assertThat(run("repair --column orders=orders.id --yes").refusal()).contains("--column is an option with");
        assertThat(Run.of("doctor", "--url", "jdbc:h2:mem:x", "--root", "/x").refusal())
                .contains("--root is an option with --zookeeper, and not with --url");
    }

    @Test
    void aRedisWithoutMarkerIsWrongUntilARepairWritesIt() {
        Run run = run("doctor");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out()).containsPattern("wrong +marker +namespace 'default' has no incarnation marker");

        assertThat(run("repair --yes").printed())
                .startsWith("repaired " + KEY + " 0 worker ids: no marker, horizons up to 1970")
                .containsPattern(" -> marker [-0-9a-f]{36}, ids begin at ");
        assertThat(run("doctor").printed()).contains("has its incarnation marker", "none yet");
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
