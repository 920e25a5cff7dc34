package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseStore;
import io.idgen.test.LeaseAdminContract;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the requests of the doctor and repairs on a server. */
class ZooKeeperAdminTest extends LeaseAdminContract {
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
        return new ZooKeeperWorkerIds(client, Servers.prepare(client, 8));
    }
}
