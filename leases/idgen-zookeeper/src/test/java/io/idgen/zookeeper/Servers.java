package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;

/** Clients for tests, and nodes like those of an ensemble that has run for a long time. */
final class Servers {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final AtomicInteger ROOTS = new AtomicInteger();

    private Servers() {}

    /** Starts a client like idgen's own, which sends no request twice. */
    static CuratorFramework client(String servers) {
        return client(servers, new DefaultZookeeperFactory());
    }

    /** Starts such a client, whose sessions are of a factory. */
    static CuratorFramework client(String servers, ZookeeperFactory sessions) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .zookeeperFactory(sessions)
                .connectionTimeoutMs(TIMEOUT_MILLIS)
                .sessionTimeoutMs(2 * TIMEOUT_MILLIS)
                .retryPolicy(new RetryNTimes(0, 0))
                .ensembleTracker(false)
                .build();
        client.start();
        return client;
    }

    /**
     * Creates the worker ids of namespace {@code default}, as if the current leader had granted their horizons. So no
     * test waits until a window has passed since the nodes were created.
     */
    static void prepare(CuratorFramework client, String root, int workers) throws Exception {
        prepare(client, root, Leases.terms(workers));
    }

    /** Creates them for processes with these times of leases. */
    static void prepare(CuratorFramework client, String root, LeaseTerms terms) throws Exception {
        LeaseStore store = new ZooKeeperWorkerIds(client, root);
        store.candidates(terms, null);
        int workers = terms.workers();
        Paths paths = new Paths(root);
        Era era = Era.of(paths.era(), client.getData().forPath(paths.era()));
        WorkerNode granted = new WorkerNode(0, 0, null, 0, era.id(), null);
        for (int from = 0; from < workers; from += 500) {
            List<CuratorOp> changes = new ArrayList<>();
            for (int i = from; i < Math.min(workers, from + 500); i++) {
                changes.add(client.transactionOp().setData().forPath(paths.worker("default", i), granted.content()));
            }
            client.transaction().forOperations(changes);
        }
    }

    /** Creates such worker ids under a root of their own, and returns the root. */
    static String prepare(CuratorFramework client, int workers) {
        String root = "/tests/idgen-" + ROOTS.incrementAndGet();
        try {
            prepare(client, root, workers);
        } catch (Exception e) {
            throw new IllegalStateException("the nodes cannot be prepared", e);
        }
        return root;
    }

    /** Returns the leased worker ids of namespace {@code default}, with their nodes. */
    static Map<Integer, WorkerNode> leased(CuratorFramework client, String root) throws Exception {
        Paths paths = new Paths(root);
        Map<Integer, WorkerNode> leased = new TreeMap<>();
        for (String child : client.getChildren().forPath(paths.namespace("default"))) {
            String path = paths.worker("default", Integer.parseInt(child));
            WorkerNode node = WorkerNode.of(path, client.getData().forPath(path));
            if (node.token() != null) {
                leased.put(Integer.parseInt(child), node);
            }
        }
        return leased;
    }
}
