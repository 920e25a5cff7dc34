package io.idgen.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/**
 * Assigns worker ids like Leaf-snowflake, as published. Each address has a persistent sequential node, whose number is
 * the worker id. A local file has the last number. A process uses it if ZooKeeper does not answer.
 */
final class NaiveAssignment {
    static final int LARGEST = 1023;

    private static final String FOREVER = "/snowflake/leaf/forever";
    private static final int TIMEOUT_MILLIS = 60_000;

    private NaiveAssignment() {}

    /** Assigns a worker id. It may be above {@link #LARGEST}; Leaf then refuses to start. */
    static int workerId(String servers, String address, Path file) throws Exception {
        return workerId(servers, address, file, TIMEOUT_MILLIS);
    }

    /** Assigns a worker id as above, from the file if ZooKeeper does not answer within this timeout. */
    static int workerId(String servers, String address, Path file, int timeoutMillis) throws Exception {
        int workerId;
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(servers, 5 * timeoutMillis, timeoutMillis, new RetryNTimes(0, 0))) {
            client.start();
            workerId = workerId(client, address);
        } catch (Exception e) { // as in the published code
            return Integer.parseInt(Files.readString(file));
        }
        write(file, workerId);
        return workerId;
    }

    /**
     * Another scheme: assigns the lowest number without an ephemeral node. No process checks later whether its node
     * still exists.
     */
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

    private static int workerId(CuratorFramework client, String address) throws Exception {
        if (client.checkExists().creatingParentsIfNeeded().forPath(FOREVER) == null) {
            create(client, address);
            return 0;
        }
        List<String> nodes = client.getChildren().forPath(FOREVER);
        for (String node : nodes) {
            if (node.startsWith(address + "-")) {
                return number(node);
            }
        }
        return number(create(client, address));
    }

    private static String create(CuratorFramework client, String address) throws Exception {
        return client.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                .forPath(
                        FOREVER + "/" + address + "-",
                        Long.toString(System.currentTimeMillis()).getBytes("UTF-8"));
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(node.lastIndexOf('-') + 1));
    }

    private static void write(Path file, int workerId) throws IOException {
        Files.writeString(file, Integer.toString(workerId));
    }
}
