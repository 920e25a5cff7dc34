package io.idgen.zookeeper;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Leases worker ids from an ensemble of ZooKeeper. Each worker id has a persistent node, which a process changes only
 * if it has the version that the process has read.
 *
 * <p>Uniqueness depends on these facts:
 * <ul>
 *   <li>ZooKeeper changes a node only if it has the version that was read, and a committed change survives as long as a
 *     majority of the servers keep their disks. Nothing else matters while the servers keep their data.
 *   <li>After a restore of older data, or the loss of all data, the servers have another leader epoch. New leases then
 *     begin at a time that no earlier leader can have granted. This relies on the servers' clocks, which may differ by
 *     {@link LeaseStore#SERVER_SKEW}. An ordinary change of the leader has the same effect, since idgen cannot
 *     distinguish it from a restore. Meanwhile, running processes continue in their windows. A stand-alone server has
 *     no epochs: after a restore, a repair is needed.
 * </ul>
 *
 * <p>Sessions do not matter. idgen creates no ephemeral nodes, so a lost session neither frees a worker id nor stops a
 * process.
 *
 * <p>ZooKeeper has no request for the time. The time is the {@code mtime} in the answer to a write, which the leader
 * sets. It may go back when another server becomes the leader; then ids continue at their horizons, and leases end
 * later.
 *
 * <p>Immutable and safe for many threads. A call takes three round trips; two of them are writes. It blocks for the
 * client's connection timeout, and then for its {@code zookeeper.request.timeout}.
 */
public final class ZooKeeperWorkerIds implements LeaseStore {

    /** The path of idgen's nodes if none is given: {@value}. */
    public static final String DEFAULT_ROOT = "/idgen";

    private static final int TRIES = 8;

    /** A description of this process, for people who read a node. */
    private static final String OWNER = owner();

    private final Paths paths;
    private final Ensemble ensemble;
    private final NamespaceNodes nodes;

    /**
     * Creates a store with nodes below {@value #DEFAULT_ROOT}. Sends nothing.
     *
     * @param client started by the caller, and closed by the caller after all generators. idgen ignores its namespace.
     *     New nodes have the ACLs of its {@code ACLProvider}
     */
    public ZooKeeperWorkerIds(CuratorFramework client) {
        this(client, DEFAULT_ROOT);
    }

    /**
     * Creates a store with nodes below another path. Sends nothing.
     *
     * @param client as in the other constructor
     * @param root an absolute path, not {@code /} itself. idgen creates it if it does not exist
     * @throws IllegalArgumentException if it is not the path of a node
     */
    public ZooKeeperWorkerIds(CuratorFramework client, String root) {
        this.paths = new Paths(root);
        this.ensemble = new Ensemble(client, paths);
        this.nodes = new NamespaceNodes(ensemble, paths);
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        return nodes.candidates(terms, token);
    }

    @Override
    public Optional<LeaseView> look(Terms terms, Lease lease) {
        return ensemble.call(
                "looking at worker id " + lease.workerId(),
                zooKeeper -> nodes.view(zooKeeper, terms, lease.workerId())
                        .map(view -> new LeaseView(
                                view.look().nowMillis(),
                                view.isHeldBy(lease),
                                view.node().horizonMillis(),
                                view.isOfEra())));
    }

    @Override
    public String holders(Terms terms) {
        return nodes.holders(terms);
    }

    /**
     * Replaces a worker id's node if a condition holds. The condition's time is that of the look, a little earlier than
     * the change: a lease that was over then is over now, and a horizon that was near enough then is near enough now.
     *
     * @param windowMillis the window that the change uses; 0 if it uses none
     */
    private boolean update(
            String purpose,
            Terms terms,
            int workerId,
            long windowMillis,
            Predicate<WorkerView> condition,
            Function<WorkerView, WorkerNode> change) {
        return ensemble.call(purpose + " worker id " + workerId, zooKeeper -> {
            for (int i = 0; i < TRIES; i++) {
                NamespaceNodes.Found found = nodes.find(zooKeeper, terms, IntStream.of(workerId));
                NamespaceNode namespace = found.namespace();
                WorkerView view = found.view(terms, 0, workerId);
                if (namespace == null
                        || !NamespaceNodes.isOf(terms, namespace)
                        || view == null
                        || !condition.test(view)) {
                    return false;
                }
                List<Op> changes = new ArrayList<>();
                if (windowMillis > namespace.usedWindowMillis()) {
                    changes.add(Op.setData(
                            paths.namespace(terms.namespace()),
                            namespace.withUsed(windowMillis).content(),
                            found.namespaceVersion()));
                }
                changes.add(Op.setData(
                        paths.worker(terms.namespace(), workerId),
                        change.apply(view).content(),
                        view.stat().getVersion()));
                if (ensemble.change(found.look(), changes)) {
                    return true;
                }
            }
            throw new StoreUnavailableException(purpose + " worker id " + workerId
                    + ": other processes changed its node or the namespace's each of " + TRIES + " times");
        });
    }

    private static boolean isWithinWindow(WorkerView view, Terms terms, long horizonMillis) {
        return horizonMillis <= view.look().nowMillis() + terms.window().toMillis();
    }

    @Override
    public boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return update(
                "leasing",
                terms,
                row.workerId(),
                terms.window().toMillis(),
                view -> view.isAsIn(row)
                        && view.isFree(token)
                        && view.isCurrent()
                        && isWithinWindow(view, terms, lease.horizonMillis()),
                view -> view.granted(lease.horizonMillis(), lease.token(), terms.lease(), OWNER));
    }

    @Override
    public boolean fenceOff(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return update(
                "fencing off",
                terms,
                row.workerId(),
                0,
                view -> view.isAsIn(row)
                        && !view.isCurrent()
                        && horizonMillis >= view.look().nowMillis() + gapMillis,
                view -> view.granted(horizonMillis, null, terms.lease(), OWNER));
    }

    @Override
    public boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return update(
                "extending the lease of",
                terms,
                lease.workerId(),
                terms.window().toMillis(),
                view -> view.isAsIn(lease) && view.isOfEra() && isWithinWindow(view, terms, horizonMillis),
                view -> view.node()
                        .withHorizon(horizonMillis)
                        .heldBy(lease.token(), terms.lease().toMillis()));
    }

    @Override
    public boolean renew(Terms terms, Lease lease) {
        return update(
                "renewing the lease of",
                terms,
                lease.workerId(),
                0,
                view -> view.isAsIn(lease),
                view -> view.node().heldBy(lease.token(), terms.lease().toMillis()));
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return update(
                "releasing",
                terms,
                lease.workerId(),
                0,
                view -> view.isAsIn(lease),
                view -> view.node().withHorizon(horizonMillis).heldBy(null, 0));
    }

    @Override
    public Optional<LeaseAdmin> admin() {
        return Optional.of(new ZooKeeperAdmin(ensemble, paths));
    }

    private static String owner() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "a host without a name";
        }
        return (ProcessHandle.current().pid() + "@" + host).replaceAll("\\s+", " ");
    }

    @Override
    public String toString() {
        return "worker ids in ZooKeeper at " + ensemble;
    }
}
