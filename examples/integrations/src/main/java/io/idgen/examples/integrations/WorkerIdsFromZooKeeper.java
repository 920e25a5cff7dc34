package io.idgen.examples.integrations;

import io.idgen.core.config.IdSources;
import io.idgen.core.lease.Finding;
import io.idgen.ops.Doctor;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import java.time.InstantSource;
import org.apache.curator.framework.CuratorFramework;

/** Worker ids leased from ZooKeeper, for processes that share no database. */
public final class WorkerIdsFromZooKeeper {
    private WorkerIdsFromZooKeeper() {}

    /**
     * Opens a source that leases its worker id, and generates an id. The first id of a new namespace takes about six
     * seconds.
     *
     * @param servers like {@code zk1:2181,zk2:2181,zk3:2181}
     * @return an id
     */
    public static long firstId(String servers) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "zookeeper")
                .set("idgen.zookeeper.connect", servers)
                .source("orders")
                .build()) {
            return sources.get("orders").nextId();
        }
    }

    /**
     * Does the same with a client of the application, which has its own credentials, ACLs and retries.
     *
     * @param client started; the application closes it
     * @return an id
     */
    public static long firstId(CuratorFramework client) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "zookeeper")
                .resource(CuratorFramework.class, client)
                .source("orders")
                .build()) {
            return sources.get("orders").nextId();
        }
    }

    /**
     * Prints what an operator wants to know.
     *
     * @param client started
     */
    public static void examine(CuratorFramework client) {
        ZooKeeperWorkerIds store = new ZooKeeperWorkerIds(client, "/idgen");
        for (Finding finding :
                Doctor.of(store, "default", InstantSource.system()).examine()) {
            System.out.println(finding.level() + " " + finding.subject() + ": " + finding.text());
        }
    }
}
