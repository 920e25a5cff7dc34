package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import io.idgen.zookeeper.ThreeServers.Recovery;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two of three servers are down. The layout has one sequence bit, so a window has few ids and a test can use them up.
 */
@Tag("nightly")
class NoMajorityTest {
    private static Snowflake source(CuratorFramework client, String timeout) {
        return ShortLeases.builder(List.of("layout=52-5-5-1", "lease=2s", "window=8s", "timeout=" + timeout))
                .leasedFrom(new ZooKeeperWorkerIds(client))
                .build();
    }

    @Test
    void aProcessUsesUpItsWindowAndThenRefusesAndNoneStarts() throws Exception {
        try (ThreeServers servers = new ThreeServers();
                CuratorFramework client = Servers.client(servers.connect());
                Snowflake source = source(client, "10s")) {
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

            try (Snowflake late = source(client, "2s")) {
                IdUnavailableException e = catchThrowableOfType(IdUnavailableException.class, late::nextId);
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
