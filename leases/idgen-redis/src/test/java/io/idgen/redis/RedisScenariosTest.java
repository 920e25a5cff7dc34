package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failures of one Redis and of processes. Each test also exposes the published script to the failure, as a control. */
@Tag("nightly")
class RedisScenariosTest {
    private static final SnowflakeLayout LAYOUT = Processes.LAYOUT;
    private static final int FEW = 3;
    private static final String[] FIRST_WORKER = {"worker=0", "datacenter=0", "lease=5s", "window=5s", "timeout=60s"};

    /** Prepares a namespace so that processes can lease from it at once. */
    static void prepare(String uri) {
        try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
            Rows.prepare(scripts, "default", LAYOUT);
        }
    }

    private static void mark(String uri) {
        try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
            new RedisWorkerIds(scripts).mark("default");
        }
    }

    /** Starts processes after a loss of all data. They are refused until an operator writes a new marker. */
    private static void assertRefusedUntilMarked(Processes processes, String uri) throws Exception {
        assertThat(Processes.refused(uri))
                .hasStackTraceContaining(ErrorCode.INCARNATION_MISSING.code())
                .hasMessageContaining("redis-cli HSET");
        mark(uri);
        processes.start(uri, FEW).awaitMore();
        processes.assertNoDuplicates();
    }

    private interface Accident {
        void happen(RedisServer server) throws Exception;
    }

    private static void assertRefusedAfter(Accident accident) throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisScripts scripts = RedisScripts.connectingTo(server.uri());
                Processes processes = new Processes()) {
            prepare(server.uri());
            processes.start(server.uri(), FEW);
            Published published = new Published(LAYOUT).startOn("10.0.0.1", scripts);
            accident.happen(server);

            try (RedisScripts later = RedisScripts.connectingTo(server.uri())) {
                assertThat(published.startOn("10.0.0.2", later).duplicates()).isPositive();
            }
            assertRefusedUntilMarked(processes, server.uri());
        }
    }

    @Test
    void aRestartWithoutPersistence() throws Exception {
        assertRefusedAfter(server -> {
            server.kill();
            server.restart();
        });
    }

    @Test
    void flushAll() throws Exception {
        assertRefusedAfter(server -> server.command("FLUSHALL"));
    }

    @Test
    void aRestartWithAnOldSnapshot() throws Exception {
        try (RedisServer server = RedisServer.start();
                Processes processes = new Processes()) {
            prepare(server.uri());
            server.command("SAVE");
            processes.start(server.uri(), FEW);
            Published published = new Published(LAYOUT);
            try (RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
                published.startOn("10.0.0.1", scripts);
            }
            server.kill();
            server.restart();

            try (RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
                assertThat(published.startOn("10.0.0.2", scripts).duplicates()).isPositive();
            }
            processes.start(server.uri(), FEW).awaitMore();
            processes.assertNoDuplicates();
        }
    }

    @Test
    void aLongPauseOfAProcess() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            prepare(server.uri());
            List<long[]> ids = new ArrayList<>();
            // its window ends with its lease, so no time is left when the other process has its worker id
            try (LeasingProcess paused = LeasingProcess.start(server.uri(), FIRST_WORKER)) {
                paused.awaitReady();
                paused.draw(100);
                Published published = new Published(LAYOUT).startForASecond(scripts);
                paused.pause();
                try (LeasingProcess successor = LeasingProcess.start(server.uri(), FIRST_WORKER)) {
                    successor.awaitReady();
                    successor.draw(1_000);
                    Await.until(
                            "a number that has expired",
                            () -> published.startForASecond(scripts).duplicates() > 0);
                    paused.resume();
                    paused.ask(5_000); // waits at the end of its window: the other process has its worker id
                    ids.add(successor.draw(20_000));
                }
                ids.add(paused.awaitDrawn());
            }
            ParallelThreads.assertDistinct(ids);
        }
    }

    @Test
    void sixteenJvmsOfOneHostThatStartAtOnceHaveDifferentWorkerIds() throws Exception {
        List<LeasingProcess> children = new ArrayList<>();
        try (RedisServer server = RedisServer.start();
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
            Published published = new Published(SnowflakeLayout.IDGEN);
            for (int i = 0; i < 16; i++) {
                children.add(LeasingProcess.start(server.uri(), "idgen.acquire-timeout=170s"));
                published.startOn("10.0.0.1", scripts);
            }
            for (LeasingProcess child : children) {
                child.awaitReady();
            }
            for (LeasingProcess child : children) {
                child.ask(500);
            }
            List<long[]> ids = new ArrayList<>();
            for (LeasingProcess child : children) {
                ids.add(child.awaitDrawn());
            }

            ParallelThreads.assertDistinct(ids);
            assertThat(ids.stream()
                            .map(each -> SnowflakeLayout.IDGEN.parse(each[0]))
                            .map(parts -> parts.datacenter() * 32 + parts.worker()))
                    .doesNotHaveDuplicates();
            assertThat(published.duplicates()).isPositive();
        } finally {
            for (LeasingProcess child : children) {
                child.close();
            }
        }
    }
}
