package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseStore;
import io.idgen.test.LeaseAdminContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the requests of the doctor and repairs on a server. */
class ZooKeeperAdminTest extends LeaseAdminContract {
    private static final AtomicInteger ROOTS = new AtomicInteger();

    private static TestingServer server;
    private static CuratorFramework client;

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
        String root = "/tests/admin-" + ROOTS.incrementAndGet();
        try {
            Servers.prepare(client, root, 8);
        } catch (Exception e) {
            throw new IllegalStateException("the nodes cannot be prepared", e);
        }
        return new ZooKeeperWorkerIds(client, root);
    }
}
