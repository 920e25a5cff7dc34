package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.internal.Leases;
import java.time.Duration;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract on one server, and tests the behaviour specific to ZooKeeper. Each test has its own root. */
class ZooKeeperWorkerIdsTest extends LeaseStoreContract {
    private static TestingServer server;
    private static CuratorFramework client;

    private String root = "";

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString());
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    @Override
    protected LeaseStore open() {
        root = Servers.prepare(client, 1024);
        return new ZooKeeperWorkerIds(client, root);
    }

    @Override
    protected void expire(Lease lease) {
        String path = new Paths(root).worker("default", lease.workerId());
        try {
            WorkerNode node = WorkerNode.of(path, client.getData().forPath(path));
            client.setData().forPath(path, node.heldBy(node.token(), -1_000).content());
        } catch (Exception e) {
            throw new IllegalStateException("the node cannot be changed", e);
        }
    }

    /** Begins another era, as a new leader does. */
    @Override
    protected Optional<LeaseStore> failOver() {
        String path = new Paths(root).era();
        try {
            Era era = Era.of(path, client.getData().forPath(path));
            client.setData()
                    .forPath(
                            path,
                            Era.begin(era.epoch(), System.currentTimeMillis()).content());
        } catch (Exception e) {
            throw new IllegalStateException("the era cannot be ended", e);
        }
        return Optional.of(new ZooKeeperWorkerIds(client, root));
    }

    @Test
    void theWorkerIdsOfOtherTermsAreOutOfReach() {
        LeaseStore store = new ZooKeeperWorkerIds(client, root);
        Lease lease = Leases.acquire(store, Leases.terms("default", 32, 1), "token");

        assertThat(store.look(Leases.terms("default", 30, 2), lease)).isEmpty();
        assertThat(store.look(Leases.terms("default", 33, 2), lease)).isEmpty();
        assertThat(store.look(Leases.terms("default", 32, 1), lease)).isPresent();
        assertThat(store.look(Leases.terms("default", 31, 2), lease)).isPresent();
    }

    /** A leader that is elected now may not know it. */
    @Test
    void aLongerWindowIsNotUsedAtOnce() {
        LeaseStore store = new ZooKeeperWorkerIds(client, root);
        Terms terms = Leases.terms("default", 0, 4);
        Leases.acquire(store, terms, "token");

        assertThat(store.candidates(terms.withWindow(Duration.ofHours(1)), null).windowMillis())
                .isEqualTo(180_000);
    }

    @Test
    void theOldestLeasesAreNamedFirst() {
        LeaseStore store = new ZooKeeperWorkerIds(client, root);
        Terms terms = Leases.terms("default", 2, 4);
        assertThat(store.holders(terms)).isEqualTo("the oldest leases are ");
        LeaseStore.Candidates candidates = store.candidates(terms, null);
        for (LeaseStore.Row row : candidates.rows().subList(0, 2)) {
            Lease lease = Leases.after(row, "token", candidates.nowMillis() + 15_000);
            assertThat(store.acquire(terms, row, null, lease)).isTrue();
            if (row.workerId() == 3) {
                expire(lease);
            }
        }

        assertThat(store.holders(terms))
                .matches("the oldest leases are worker id 3, by \\S+ until \\S+; worker id 2, by \\S+ until \\S+");
    }
}
