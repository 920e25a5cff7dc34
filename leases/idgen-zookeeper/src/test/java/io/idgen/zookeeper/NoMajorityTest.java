package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Await;
import io.idgen.zookeeper.ThreeServers.Recovery;
import java.util.HashSet;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two of three servers are down. The layout has one sequence bit, so a window has few ids and a test can use them up.
 */
@Tag("nightly")
@Timeout(600)
class NoMajorityTest {
    private static IdSources.Builder sources(ThreeServers servers) {
        return IdSources.builder()
                .source("orders")
                .set("idgen.snowflake.layout", "52-5-5-1")
                .set("idgen.worker.assigner", "zookeeper")
                .set("idgen.zookeeper.connect", servers.connect())
                .set("idgen.worker.lease", "2s")
                .set("idgen.worker.window", "8s")
                .set("idgen.acquire-timeout", "10s");
    }

    @Test
    void aProcessUsesUpItsWindowAndThenRefusesAndNoneStarts() throws Exception {
        try (ThreeServers servers = new ThreeServers();
                IdSources sources = sources(servers).build()) {
            IdSource source = sources.get("orders");
            Set<Long> ids = new HashSet<>();
            long all = 0;
            assertThat(ids.add(source.nextId())).isTrue();
            all++;
            awaitReserve(servers);
            Recovery recovery = servers.killMajority();

            IdUnavailableException refusal = null;
            while (refusal == null || !refusal.getMessage().contains("ZooKeeper")) { // until a request has failed
                try {
                    ids.add(source.nextId());
                    all++;
                } catch (IdUnavailableException e) {
                    refusal = e;
                }
            }
            assertThat(refusal.code()).isEqualTo(ErrorCode.WINDOW_USED_UP);
            assertThat(refusal).hasMessageContaining("ZooKeeper");
            assertThat(all).as("ids of the reserve").isGreaterThan(1_000);

            try (IdSources late =
                    sources(servers).set("idgen.acquire-timeout", "2s").build()) {
                IdUnavailableException e = catchThrowableOfType(
                        IdUnavailableException.class, () -> late.get("orders").nextId());
                assertThat(e).hasMessageContaining("no worker id of namespace 'default' was granted");
            }

            recovery.run();
            Await.until("ids again", () -> canDraw(source, ids));
            all++;
            assertThat(ids).as("different ids").hasSize((int) all);
        }
    }

    /** Waits until renewals have reserved three more seconds of ids. */
    private static void awaitReserve(ThreeServers servers) throws Exception {
        try (CuratorFramework client = Servers.client(servers.connect())) {
            long enoughMillis = System.currentTimeMillis() + 8_000 + 3_000; // a window, and three seconds
            Await.until("three seconds of ids", () -> horizonMillis(client) >= enoughMillis);
        }
    }

    /** Returns the highest horizon of the leased worker ids: a lost answer may leave one that no process uses. */
    private static long horizonMillis(CuratorFramework client) {
        try {
            return Servers.leased(client, ZooKeeperWorkerIds.DEFAULT_ROOT).values().stream()
                    .mapToLong(WorkerNode::horizonMillis)
                    .max()
                    .orElseThrow();
        } catch (Exception e) {
            return 0; // there is no leader at the moment
        }
    }

    private static boolean canDraw(IdSource source, Set<Long> ids) {
        try {
            ids.add(source.nextId());
            return true;
        } catch (IdUnavailableException e) {
            return false;
        }
    }
}
