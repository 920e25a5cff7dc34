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
 * How Leaf-snowflake assigns worker ids, as published: the number of a persistent sequential node, one for each
 * address; and a local file with the last number, by which a process starts if ZooKeeper does not answer.
 */
final class NaiveAssignment {
    static final int LARGEST = 1023;

    private static final String FOREVER = "/snowflake/leaf/forever";
    private static final int TIMEOUT_MILLIS = 2_000;

    private NaiveAssignment() {}

    /** Assigns a worker id, which may be beyond {@link #LARGEST}; Leaf then refuses to start. */
    static int workerId(String servers, String address, Path file) throws Exception {
        int workerId;
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(servers, 10_000, TIMEOUT_MILLIS, new RetryNTimes(0, 0))) {
            client.start();
            workerId = workerId(client, address);
        } catch (Exception e) { // as published
            return Integer.parseInt(Files.readString(file));
        }
        write(file, workerId);
        return workerId;
    }

    /** Another scheme: the lowest number that no ephemeral node holds. Nobody watches whether the node stays. */
    static int whileConnected(CuratorFramework client) throws Exception {
        for (int number = 0; ; number++) {
            try {
                client.create()
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath("/ephemeral/" + number);
                return number;
            } catch (KeeperException.NodeExistsException e) {
                // another process has it: the next one
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
