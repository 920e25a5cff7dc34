package io.idgen.cli.oncall;

import java.io.IOException;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class ZooKeeperOnCallTest extends OnCallContract {
    private TestingServer zooKeeper;

    @BeforeEach
    void startServer() throws Exception {
        zooKeeper = new TestingServer();
    }

    @AfterEach
    void stopServer() throws IOException {
        shop.close();
        zooKeeper.close();
    }

    @Override
    String store() {
        return "--zookeeper " + zooKeeper.getConnectString();
    }

    @Override
    String[] address() {
        return new String[] {"idgen.zookeeper.connect=" + zooKeeper.getConnectString()};
    }
}
