package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.test.LeaseStoreContract;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract on one server. Each test has its own root. */
class ZooKeeperWorkerIdsTest extends LeaseStoreContract {
    private static final AtomicInteger ROOTS = new AtomicInteger();

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
        root = "/tests/idgen-" + ROOTS.incrementAndGet();
        try {
            Servers.prepare(client, root, 1024);
        } catch (Exception e) {
            throw new IllegalStateException("the nodes cannot be prepared", e);
        }
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
}
