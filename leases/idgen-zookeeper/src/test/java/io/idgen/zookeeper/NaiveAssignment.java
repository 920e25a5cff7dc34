package io.idgen.zookeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** Schemes that assign a worker id and never check it again. */
final class NaiveAssignment {
    private static final String FOREVER = "/snowflake/leaf/forever";

    private NaiveAssignment() {}

    /**
     * Assigns a worker id like Leaf-snowflake, as published. Each address has a persistent sequential node, whose number
     * is the worker id.
     */
    static int workerId(CuratorFramework client, String address) throws Exception {
        client.checkExists().creatingParentsIfNeeded().forPath(FOREVER + "/any");
        for (String node : client.getChildren().forPath(FOREVER)) {
            if (node.startsWith(address + "-")) {
                return number(node);
            }
        }
        return number(
                client.create().withMode(CreateMode.PERSISTENT_SEQUENTIAL).forPath(FOREVER + "/" + address + "-"));
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(node.lastIndexOf('-') + 1));
    }

    /** Assigns the lowest number without an ephemeral node. */
    static int whileConnected(CuratorFramework client) throws Exception {
        for (int number = 0; ; number++) {
            try {
                client.create()
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath("/ephemeral/" + number);
                return number;
            } catch (KeeperException.NodeExistsException e) {
                // another process has this number; try the next one
            }
        }
    }
}
