package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.internal.Leases;
import java.util.Optional;
import java.util.OptionalLong;
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
    protected OptionalLong heldUntilMillis(String namespace, int workerId) {
        return new ZooKeeperWorkerIds(client, root)
                .admin().namespaces(namespace).stream()
                        .filter(each -> each.name().equals(namespace))
                        .flatMap(each -> each.workers().stream())
                        .filter(worker -> worker.id() == workerId)
                        .mapToLong(worker -> worker.row().heldUntilMillis())
                        .findFirst();
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
}
