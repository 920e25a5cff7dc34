package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.internal.Leases;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the scripts of the lease on a server: the contract of every store, and the behaviour specific to Redis. */
class RedisWorkerIdsTest extends LeaseStoreContract {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    @AutoClose
    private static RedisServer server;

    @AutoClose
    private RedisScripts scripts;

    private RedisWorkerIds store;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @Override
    protected LeaseStore open() {
        scripts = Rows.on(server);
        store = new RedisWorkerIds(scripts);
        for (String namespace : List.of("it's a shop", "new", "elsewhere")) {
            store.mark(namespace);
        }
        return store;
    }

    @Override
    protected OptionalLong heldUntilMillis(String namespace, int workerId) {
        String until = scripts.run(
                        "return {redis.call('HGET', KEYS[1], ARGV[1])}",
                        store.key(namespace),
                        List.of(workerId + ":until"))
                .get(0);
        return OptionalLong.of(Long.parseLong(until));
    }

    @Override
    protected void expire(Lease lease) {
        Rows.expire(scripts, "default", lease.workerId());
    }

    @Override
    protected Optional<LeaseStore> failOver() {
        store.mark("default");
        return Optional.of(store);
    }

    private Lease acquired(int workerId) {
        Candidates candidates = store.candidates(Leases.terms("default", workerId, 1), null);
        Row row = candidates.rows().get(0);
        Lease lease = Leases.after(row, "token-" + workerId, candidates.nowMillis() + 15_000);
        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        return lease;
    }

    @Test
    void aNamespaceWithoutAMarkerIsRefusedWithTheCommandThatWritesIt() throws IOException {
        Lease lease = acquired(3);
        server.command("FLUSHALL");

        assertThat(store.look(TERMS, lease)).isEmpty();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        AllocationException e = assertThrows(AllocationException.class, () -> store.candidates(TERMS, null));
        assertThat(e).isNotInstanceOf(StoreUnavailableException.class);
        assertThat(e.code()).isEqualTo(ErrorCode.INCARNATION_MISSING);
        String message = String.valueOf(e.getMessage());
        String[] words = message.replaceAll(".*redis-cli (HSET .*)", "$1")
                .replace("'", "")
                .split(" ");
        assertThat(words).hasSize(4);
        assertThat(server.command(words)).isEqualTo(":1");
        assertThat(store.candidates(TERMS, null).rows()).hasSize(100).noneMatch(Row::sameServer);
    }

    @Test
    void aNewMarkerMakesEveryRowAnotherServers() {
        Lease lease = acquired(3);
        assertThat(store.mark("default")).isTrue();

        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isFalse();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.candidates(TERMS, null).rows()).noneMatch(Row::sameServer);
        assertThat(store.mark("another")).isFalse();
    }

    /** A restart changes the run id, a promotion the replication id, and an operator the marker. */
    @Test
    void theServerOfARowIsTheMarkerTheRunAndTheReplicationHistory() throws IOException {
        store.mark("default");
        Candidates candidates = store.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        assertThat(store.fenceOff(TERMS, row, candidates.nowMillis() + 200_000)).isTrue();

        assertThat(server.command("HGET", store.key("default"), row.workerId() + ":server"))
                .isEqualTo(server.command("HGET", store.key("default"), "incarnation") + " " + info("server", "run_id")
                        + " " + info("replication", "master_replid"));
    }

    private static String info(String section, String name) throws IOException {
        return server.command("INFO", section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aRowThatWasAdvancedIsACandidateBesideManyThatWereNot() {
        store.mark("default");
        Candidates before = store.candidates(TERMS, null);
        Row row = before.rows().get(0);
        assertThat(store.fenceOff(TERMS, row, before.nowMillis() + 200_000)).isTrue();

        List<Row> rows = store.candidates(TERMS, null).rows();
        assertThat(rows)
                .hasSize(100)
                .filteredOn(Row::sameServer)
                .extracting(Row::workerId)
                .containsExactly(row.workerId());
        assertThat(rows.get(99).workerId()).isEqualTo(row.workerId());
    }

    /** Redis runs nothing else meanwhile: with 1,024 rows read by each, 1,000 starts at once never ended. */
    @Test
    void aSearchReadsNoMoreFreeRowsThanItReturns() throws IOException {
        store.mark("default");
        long before = rowsRead();

        assertThat(store.candidates(TERMS, null).rows()).hasSize(100);

        assertThat(rowsRead() - before).isEqualTo(100);
    }

    @Test
    void aSearchDoesNotReadTheRowsThatOthersHold() throws IOException {
        for (int workerId = 0; workerId < 1_000; workerId++) {
            scripts.run(
                    "return {redis.call('HSET', KEYS[1], ARGV[1] .. ':until', ARGV[2])}",
                    store.key("default"),
                    List.of(Integer.toString(workerId), Long.toString(Long.MAX_VALUE)));
        }
        long before = rowsRead();

        assertThat(store.candidates(TERMS, null).rows()).hasSize(24);

        assertThat(rowsRead() - before).isEqualTo(24);
    }

    @Test
    void searchesOfDifferentProcessesBeginAtDifferentRows() {
        assertThat(IntStream.range(0, 20)
                        .map(i -> new RedisWorkerIds(scripts)
                                .candidates(TERMS, null)
                                .rows()
                                .get(0)
                                .workerId()))
                .as("chance makes all 20 equal once in 10 to the power of 24")
                .anyMatch(workerId -> workerId != 0);
    }

    private static long rowsRead() throws IOException {
        return server.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_hmget:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void aRestartOfTheServerIsAnotherServerThoughItKeepsItsData() throws Exception {
        try (RedisServer persistent = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisScripts connection = RedisScripts.connectingTo(persistent.uri())) {
            RedisWorkerIds ids = new RedisWorkerIds(connection);
            Rows.prepare(connection, "default", SnowflakeLayout.IDGEN);
            assertThat(ids.candidates(TERMS, null).rows()).hasSize(100).allMatch(Row::sameServer);
            persistent.kill();
            assertThrows(StoreUnavailableException.class, () -> ids.candidates(TERMS, null));
            persistent.restart();

            assertThat(ids.candidates(TERMS, null).rows()).hasSize(100).noneMatch(Row::sameServer);
        }
    }

    /** The same process grants, is a replica, and grants again. Meanwhile another server granted ticks. */
    @Test
    void aServerThatIsPromotedAgainIsAnotherServer() throws Exception {
        try (RedisServer first = RedisServer.start();
                RedisServer second = RedisServer.replicaOf(first);
                RedisScripts ofFirst = RedisScripts.connectingTo(first.uri());
                RedisScripts ofSecond = RedisScripts.connectingTo(second.uri())) {
            Rows.prepare(ofFirst, "default", SnowflakeLayout.IDGEN);
            RedisWorkerIds before = new RedisWorkerIds(ofFirst);
            assertThat(before.candidates(TERMS, null).rows()).hasSize(100).allMatch(Row::sameServer);
            second.awaitInStepWith(first);

            second.command("REPLICAOF", "NO", "ONE");
            first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
            Await.until(
                    "the first server as a replica in step",
                    () -> first.command("INFO", "replication").contains("master_link_status:up"));
            first.awaitInStepWith(second);
            first.command("REPLICAOF", "NO", "ONE");
            RedisWorkerIds between = new RedisWorkerIds(ofSecond);
            Candidates candidates = between.candidates(TERMS, null);
            Row row = candidates.rows().get(0);
            long granted = candidates.nowMillis() + TERMS.gapMillis() + 60_000;
            assertThat(between.fenceOff(TERMS, row, granted)).isTrue();

            RedisWorkerIds after = new RedisWorkerIds(ofFirst);
            assertThat(after.candidates(Leases.terms("default", row.workerId(), 1), null)
                            .rows()
                            .get(0)
                            .horizonMillis())
                    .as("control: what the other server wrote is lost")
                    .isLessThan(granted);
            assertThat(after.candidates(TERMS, null).rows()).hasSize(100).noneMatch(Row::sameServer);
        }
    }

    @Test
    void allKeysBeginWithThePrefixAndHaveTheNamespaceAsTheirHashTag() throws IOException {
        RedisWorkerIds other = store.withKeyPrefix("shop-idgen");
        other.mark("orders");
        other.candidates(new LeaseTerms("orders", TERMS.layout(), 0, 4), null);

        assertThat(server.command("KEYS", "shop*")).isEqualTo("shop-idgen:{orders}:workers");
        for (String wrong : List.of(" ", "a{b", "a}b")) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> store.withKeyPrefix(wrong)))
                    .hasMessageContaining("'" + wrong + "'");
        }
    }

    @Test
    void aScriptWhoseAnswerIsLostIsNotSentAgain() throws Exception {
        String count = "redis.call('INCR', KEYS[1]) return {'1'}";
        try (LosingProxy proxy = LosingProxy.before(server);
                RedisScripts connection = RedisScripts.connectingTo("redis://127.0.0.1:" + proxy.port())) {
            connection.run(count, "count", List.of());
            proxy.loseAnswerTo("count");
            assertThrows(StoreUnavailableException.class, () -> connection.run(count, "count", List.of()));
            assertThat(proxy.hasLost()).isTrue();

            connection.run(count, "count", List.of());

            assertThat(server.command("GET", "count")).isEqualTo("3");
        }
    }

    @Test
    void anAdvancedRowIsOfNoUseToItsFormerHolder() {
        Lease lease = acquired(7);
        store.mark("default");
        Candidates candidates = store.candidates(TERMS, null);
        long horizon = candidates.nowMillis() + TERMS.gapMillis() + 60_000;
        Row stale = new Row(7, lease.fence(), lease.horizonMillis() - 1, false, true, 0, null);
        Row row = new Row(7, lease.fence(), lease.horizonMillis(), false, true, 0, null);

        assertThat(store.fenceOff(TERMS, stale, horizon)).isFalse();
        assertThat(store.fenceOff(TERMS, row, horizon)).isTrue();

        Row advanced =
                store.candidates(Leases.terms("default", 7, 1), null).rows().get(0);
        assertThat(advanced).isEqualTo(new Row(7, lease.fence() + 1, horizon, true, false, 0, null));
        assertThat(store.renew(TERMS, lease)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"min-replicas-to-write, 9, NOREPLICAS", "maxmemory, 1, OOM"})
    void aServerThatCannotWriteNowIsUnavailableAndDoesNotRefuse(String setting, String value, String word)
            throws Exception {
        Lease lease = acquired(7);
        server.command("CONFIG", "SET", setting, value);
        try {
            assertThat(assertThrows(StoreUnavailableException.class, () -> store.renew(TERMS, lease)))
                    .hasMessageContaining(word);
        } finally {
            server.command("CONFIG", "SET", setting, "0");
        }
        assertThat(store.renew(TERMS, lease)).isTrue();
    }

    @Test
    void aReplicaIsNeverAsked() throws Exception {
        try (RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts connection = RedisScripts.connectingTo(replica.uri())) {
            assertThat(assertThrows(
                            StoreUnavailableException.class,
                            () -> new RedisWorkerIds(connection).candidates(TERMS, null)))
                    .hasMessageContaining("READONLY");
        }
    }
}
