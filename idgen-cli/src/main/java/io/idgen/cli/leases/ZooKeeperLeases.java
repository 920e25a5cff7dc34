package io.idgen.cli.leases;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.RepairReport;
import io.idgen.zookeeper.ZooKeeperDoctor;
import io.idgen.zookeeper.ZooKeeperRepair;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** The worker ids below one root in ZooKeeper. */
final class ZooKeeperLeases implements Leases {
    private final CuratorFramework client;
    private final String servers;
    private final String root;
    private final String namespace;

    /** Connects in the background. */
    ZooKeeperLeases(String servers, String root, String namespace, Duration timeout, @Nullable String auth) {
        this.servers = servers;
        this.root = root;
        this.namespace = namespace;
        this.client = ZooKeeperLeaseStoreProvider.start(servers, timeout, auth);
    }

    @Override
    public List<Finding> examine(InstantSource clock) {
        return new ZooKeeperDoctor(client, root, clock).examine();
    }

    private ZooKeeperRepair repair(boolean dryRun) {
        ZooKeeperRepair repair = new ZooKeeperRepair(client, root);
        return dryRun ? repair.dryRun() : repair;
    }

    /** Repairs all namespaces. Ignores {@code longestWindow}, because the nodes contain it. */
    @Override
    public RepairReport afterRestore(Duration longestWindow, boolean dryRun) {
        return repair(dryRun).afterRestore();
    }

    @Override
    public RepairReport lowerHorizons(SnowflakeLayout layout, long largestId, boolean dryRun) {
        return repair(dryRun).lowerHorizons(namespace, layout, largestId);
    }

    @Override
    public RepairReport unreserve(int[] workerIds, boolean dryRun) {
        return repair(dryRun).unreserve(namespace, workerIds);
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "ZooKeeper at " + servers + root;
    }
}
