package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes nodes, and never relies on outdated answers.
 *
 * <p>A server of ZooKeeper answers reads from its own memory, which may be behind the others. {@code sync} does not
 * help if a leader has lost its followers and does not know it yet. So each look begins with a write to the node
 * {@code clock}. A majority commits that write, and its answer has the leader's time. Later reads on the same
 * connection are at least as new. The leader's epoch, in the write's zxid, shows whether the servers were restarted
 * since: see {@link Era}.
 *
 * <p>Changes are sent once. After a lost answer, the client does not know whether its change took effect. If it sent
 * the change again, it could not distinguish its own change from another process's.
 */
final class Ensemble {
    private static final byte[] NOTHING = {};
    private static final int TRIES = 5;

    /** No node has this version. */
    private static final int NO_VERSION = Integer.MAX_VALUE;

    /**
     * The most reads or creations in one request. Such a request is far below the one megabyte that a server accepts.
     */
    private static final int NODES_AT_ONCE = 500;

    private final CuratorFramework client;
    private final Paths paths;

    Ensemble(CuratorFramework client, Paths paths) {
        this.client = client;
        this.paths = paths;
    }

    Paths paths() {
        return paths;
    }

    /** A node as it was read. */
    record Node(String path, byte[] content, Stat stat) {
        /** Returns a change of the content, which fails if the node has changed since. */
        Op set(byte[] newContent) {
            return Op.setData(path, newContent, stat.getVersion());
        }

        /** Returns a deletion, which fails if the node has changed more often than {@code changes} times since. */
        Op delete(int changes) {
            return Op.delete(path, stat.getVersion() + changes);
        }
    }

    /**
     * The result of one look.
     *
     * @param zooKeeper the session of the look; changes that depend on the look use the same session
     * @param nowMillis the leader's time, a moment before the nodes were read
     * @param nodes in the order of their paths; null for those that do not exist
     */
    record Look(ZooKeeper zooKeeper, long nowMillis, Era era, int eraVersion, List<@Nullable Node> nodes) {}

    /** Requests in one session. */
    interface Requests<T> {
        T in(ZooKeeper zooKeeper) throws Exception;
    }

    /**
     * Runs requests, and translates their errors.
     *
     * @throws StoreUnavailableException if no server answers, or the outcome is unknown
     * @throws AllocationException if ZooKeeper refuses
     */
    <T> T call(String purpose, Requests<T> work) {
        try {
            if (!client.getZookeeperClient().blockUntilConnectedOrTimedOut()) {
                throw new StoreUnavailableException(purpose + ": no server at " + servers()
                        + " accepts a session; ZooKeeper needs a majority of its servers");
            }
            return work.in(client.getZookeeperClient().getZooKeeper());
        } catch (IdGenerationException | IllegalArgumentException e) {
            throw e;
        } catch (KeeperException.NoAuthException
                | KeeperException.AuthFailedException
                | KeeperException.InvalidACLException
                | KeeperException.SessionClosedRequireAuthException e) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    purpose + ": ZooKeeper refuses: " + e.getMessage() + "; check the credentials of this process and"
                            + " the ACLs of the nodes below " + paths.root(),
                    e);
        } catch (KeeperException.NotReadOnlyException e) {
            throw new StoreUnavailableException(
                    purpose + ": the server at " + servers()
                            + " is in read-only mode; ZooKeeper needs a majority of its servers",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(purpose + " was interrupted", e);
        } catch (Exception e) { // Curator declares Exception
            throw new StoreUnavailableException(purpose + ": ZooKeeper at " + servers() + " does not answer: " + e, e);
        }
    }

    private String servers() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }

    /**
     * Reads nodes, the leader's time, and the era. Creates the nodes {@code clock} and {@code era} if they are missing.
     */
    Look look(ZooKeeper zooKeeper, List<String> wanted) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            Stat touched;
            try {
                touched = zooKeeper.setData(paths.clock(), NOTHING, -1);
            } catch (KeeperException.NoNodeException e) {
                create(Map.of(paths.clock(), NOTHING));
                continue;
            }
            List<@Nullable Node> nodes = read(zooKeeper, with(paths.era(), wanted));
            Node node = nodes.get(0);
            if (node != null && epoch(node.stat) == epoch(touched)) {
                Era era = Era.of(node.path, node.content);
                if (era.epoch() == epoch(touched)) {
                    return new Look(
                            zooKeeper, touched.getMtime(), era, node.stat.getVersion(), nodes.subList(1, nodes.size()));
                }
            }
            if (node == null || epoch(node.stat) <= epoch(touched)) { // it may have been written for an earlier leader
                begin(zooKeeper, Era.begin(epoch(touched), touched.getMtime()), node);
            }
        }
        throw new StoreUnavailableException("ZooKeeper has had another leader for each of " + TRIES + " requests");
    }

    /**
     * Tries changes in transactions whose last operation fails, so that the servers undo them.
     *
     * @param existing a node that exists
     * @throws KeeperException if a change fails
     */
    void trial(ZooKeeper zooKeeper, List<Op> changes, String existing) throws Exception {
        for (List<Op> some : requests(changes)) {
            List<Op> all = new ArrayList<>(some);
            all.add(Op.check(existing, NO_VERSION));
            try {
                zooKeeper.multi(all);
            } catch (KeeperException.BadVersionException e) {
                continue; // all changes are possible, and were undone
            }
        }
    }

    private void begin(ZooKeeper zooKeeper, Era era, @Nullable Node former) throws Exception {
        if (former == null) {
            create(Map.of(paths.era(), era.content()));
            return;
        }
        try {
            zooKeeper.setData(paths.era(), era.content(), former.stat.getVersion());
        } catch (KeeperException.BadVersionException e) {
            return; // another process was first
        }
    }

    private static List<String> with(String first, List<String> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    /** Splits operations into requests. */
    private static <T> List<List<T>> requests(List<T> all) {
        List<List<T>> requests = new ArrayList<>();
        for (int from = 0; from < all.size(); from += NODES_AT_ONCE) {
            requests.add(all.subList(from, Math.min(all.size(), from + NODES_AT_ONCE)));
        }
        return requests;
    }

    private static long epoch(Stat stat) {
        return stat.getMzxid() >>> 32;
    }

    /** Reads nodes. They are at least as new as the last answer of the same session. */
    List<@Nullable Node> read(ZooKeeper zooKeeper, List<String> wanted) throws Exception {
        List<@Nullable Node> nodes = new ArrayList<>();
        for (List<String> some : requests(wanted)) {
            List<OpResult> results =
                    zooKeeper.multi(some.stream().map(Op::getData).toList());
            for (int i = 0; i < some.size(); i++) {
                nodes.add(node(some.get(i), results.get(i)));
            }
        }
        return nodes;
    }

    private static @Nullable Node node(String path, OpResult result) throws KeeperException {
        if (result instanceof OpResult.GetDataResult found) {
            return new Node(path, found.getData(), found.getStat());
        }
        int code = ((OpResult.ErrorResult) result).getErr();
        if (code == KeeperException.Code.NONODE.intValue()) {
            return null;
        }
        throw KeeperException.create(KeeperException.Code.get(code), path);
    }

    /**
     * Changes nodes in one transaction, if the era is still that of the look.
     *
     * @return false if one of them has another version, one to delete has children, or the era has ended
     * @throws StoreUnavailableException if another leader has answered. It is unknown what its servers have lost, so do
     *     not rely on the change
     */
    boolean change(Look look, List<Op> changes) throws Exception {
        List<Op> all = new ArrayList<>(List.of(Op.check(paths.era(), look.eraVersion)));
        all.addAll(changes);
        List<OpResult> results;
        try {
            results = look.zooKeeper.multi(all);
        } catch (KeeperException.BadVersionException
                | KeeperException.NoNodeException
                | KeeperException.NotEmptyException e) {
            return false;
        }
        for (OpResult result : results) {
            if (result instanceof OpResult.SetDataResult set && epoch(set.getStat()) != look.era.epoch()) {
                throw new StoreUnavailableException("another server of ZooKeeper became the leader meanwhile");
            }
        }
        return true;
    }

    /** Creates nodes of one parent, and that parent, with the ACLs of the client. Does not change existing nodes. */
    void create(Map<String, byte[]> contents) throws Exception {
        CuratorFramework absolute = client.usingNamespace(null);
        List<CuratorOp> all = new ArrayList<>();
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            all.add(absolute.transactionOp().create().forPath(each.getKey(), each.getValue()));
            if (all.size() == 1) {
                absolute.checkExists().creatingParentsIfNeeded().forPath(each.getKey());
            }
        }
        for (List<CuratorOp> some : requests(all)) {
            try {
                absolute.transaction().forOperations(some);
            } catch (KeeperException.NodeExistsException e) {
                return; // another process creates them
            }
        }
    }

    /** Returns the names of a node's children; none if it does not exist. */
    static List<String> children(ZooKeeper zooKeeper, String path) throws Exception {
        try {
            return zooKeeper.getChildren(path, false).stream().sorted().toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    @Override
    public String toString() {
        return servers() + paths.root();
    }
}
