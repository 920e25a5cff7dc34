package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
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

    private static final int CREATIONS = 3;
    private static final int TRIES = 8;
    private static final int CANDIDATES = 32;
    private static final Comparator<Row> LOWEST_FIRST =
            Comparator.comparingLong(Row::horizonMillis).thenComparingInt(Row::workerId);

    /** A description of this process, for people who read a node. */
    private static final String OWNER = owner();

    private final Paths paths;
    private final Ensemble ensemble;

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
    }

    // ---- reading ----

    /** The nodes of a namespace, as read by one look. */
    private record Found(
            Look look, @Nullable NamespaceNode namespace, int namespaceVersion, List<@Nullable Node> nodes) {

        /** Returns the n-th worker id of the look; null if its node does not exist. */
        @Nullable
        WorkerView view(Terms terms, int n, int workerId) {
            Node node = nodes.get(n);
            return node == null || namespace == null
                    ? null
                    : new WorkerView(
                            look,
                            gapMillis(terms, namespace),
                            workerId,
                            WorkerNode.of(node.path(), node.content()),
                            node.stat());
        }
    }

    private static long gapMillis(Terms terms, NamespaceNode namespace) {
        return Candidates.gapMillis(terms.window(), namespace.longestWindowMillis());
    }

    private Found find(ZooKeeper zooKeeper, Terms terms, IntStream workerIds) throws Exception {
        List<String> wanted = Stream.concat(
                        Stream.of(paths.namespace(terms.namespace())),
                        workerIds.mapToObj(each -> paths.worker(terms.namespace(), each)))
                .toList();
        Look look = ensemble.look(zooKeeper, wanted);
        Node node = look.nodes().get(0);
        List<@Nullable Node> rest = look.nodes().subList(1, look.nodes().size());
        return node == null
                ? new Found(look, null, -1, rest)
                : new Found(
                        look,
                        NamespaceNode.of(node.path(), node.content()),
                        node.stat().getVersion(),
                        rest);
    }

    private static boolean isOf(Terms terms, @Nullable NamespaceNode namespace) {
        return namespace != null && namespace.layout().equals(terms.layout().toString());
    }

    private Optional<WorkerView> view(ZooKeeper zooKeeper, Terms terms, int workerId) throws Exception {
        if (workerId < terms.firstWorkerId() || workerId - terms.firstWorkerId() >= terms.workers()) {
            return Optional.empty();
        }
        Found found = find(zooKeeper, terms, IntStream.of(workerId));
        return isOf(terms, found.namespace) ? Optional.ofNullable(found.view(terms, 0, workerId)) : Optional.empty();
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        return ensemble.call("looking for a free worker id", zooKeeper -> {
            for (int i = 0; ; i++) {
                Found found = find(zooKeeper, terms, workerIds(terms));
                NamespaceNode namespace = found.namespace;
                if (namespace == null) {
                    createNamespace(terms);
                    continue;
                }
                if (!isOf(terms, namespace)) {
                    throw otherLayout(terms, namespace);
                }
                if (namespace.longestWindowMillis() < terms.window().toMillis()) {
                    announceWindow(terms, found, namespace);
                    continue;
                }
                List<Row> rows = free(terms, found, token);
                if (!rows.isEmpty() || i >= CREATIONS || !createMissing(terms, found, namespace)) {
                    return Candidates.of(
                            terms,
                            found.look.nowMillis(),
                            namespace.longestWindowMillis(),
                            namespace.usedWindowMillis(),
                            rows);
                }
            }
        });
    }

    private static IntStream workerIds(Terms terms) {
        return IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers());
    }

    private static List<Row> free(Terms terms, Found found, @Nullable String token) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < terms.workers(); i++) {
            int workerId = terms.firstWorkerId() + i;
            WorkerView view = terms.excluded().contains(workerId) ? null : found.view(terms, i, workerId);
            if (view != null && view.isFree(token)) {
                rows.add(new Row(
                        workerId,
                        view.node().fence(),
                        view.horizonMillis(),
                        view.isCurrent(),
                        view.node().token() != null));
            }
        }
        // some of each kind: rows of earlier eras have the lowest horizons, and would hide the few that are advanced
        return Stream.of(true, false)
                .flatMap(current -> rows.stream()
                        .filter(row -> row.sameServer() == current)
                        .sorted(LOWEST_FIRST)
                        .limit(CANDIDATES))
                .sorted(LOWEST_FIRST)
                .toList();
    }

    private void createNamespace(Terms terms) throws Exception {
        ensemble.create(Map.of(
                paths.namespace(terms.namespace()),
                new NamespaceNode(terms.layout().toString(), terms.window().toMillis(), 0, 0).content()));
    }

    /** Records the window of the terms. If another process changes the node at this moment, changes nothing. */
    private void announceWindow(Terms terms, Found found, NamespaceNode namespace) throws Exception {
        ensemble.change(
                found.look,
                List.of(Op.setData(
                        paths.namespace(terms.namespace()),
                        namespace.withLongest(terms.window().toMillis()).content(),
                        found.namespaceVersion)));
    }

    private boolean createMissing(Terms terms, Found found, NamespaceNode namespace) throws Exception {
        byte[] content = WorkerNode.UNUSED.withHorizon(namespace.lowestMillis()).content();
        Map<String, byte[]> missing = new LinkedHashMap<>();
        for (int i = 0; i < terms.workers(); i++) {
            if (found.nodes.get(i) == null) {
                missing.put(paths.worker(terms.namespace(), terms.firstWorkerId() + i), content);
            }
        }
        ensemble.create(missing);
        return !missing.isEmpty();
    }

    private AllocationException otherLayout(Terms terms, NamespaceNode namespace) {
        return new AllocationException(
                ErrorCode.LAYOUT_MISMATCH,
                "the worker ids of namespace '" + terms.namespace() + "' in ZooKeeper at " + ensemble
                        + " belong to layout " + namespace.layout() + ", and this process has " + terms.layout()
                        + "; set that layout, or change that of the namespace by idgen repair layout, or use another"
                        + " idgen.worker.namespace for other tables");
    }

    @Override
    public Optional<LeaseView> look(Terms terms, Lease lease) {
        return ensemble.call(
                "looking at worker id " + lease.workerId(),
                zooKeeper -> view(zooKeeper, terms, lease.workerId())
                        .map(view -> new LeaseView(
                                view.look().nowMillis(),
                                view.isHeldBy(lease),
                                view.node().horizonMillis(),
                                view.isOfEra())));
    }

    @Override
    public Optional<RowState> state(Terms terms, int workerId) {
        return ensemble.call(
                "looking at worker id " + workerId,
                zooKeeper -> view(zooKeeper, terms, workerId).map(WorkerView::state));
    }

    @Override
    public String holders(Terms terms) {
        return ensemble.call("looking who holds the worker ids", zooKeeper -> {
            Found found = find(zooKeeper, terms, workerIds(terms));
            return LeaseHolder.text(IntStream.range(0, isOf(terms, found.namespace) ? terms.workers() : 0)
                    .mapToObj(i -> Optional.ofNullable(found.view(terms, i, terms.firstWorkerId() + i)))
                    .flatMap(Optional::stream)
                    .filter(view -> view.node().token() != null || view.node().reserved())
                    .map(view -> new LeaseHolder(
                            view.workerId(), view.node().owner(), view.node().reserved(), view.heldUntilMillis())));
        });
    }

    // ---- changes ----

    /**
     * Replaces a worker id's node if a condition holds. The condition's time is that of the look, a little earlier than
     * the change: a lease that was over then is over now, and a horizon that was near enough then is near enough now.
     */
    private boolean update(
            String purpose,
            Terms terms,
            int workerId,
            Predicate<WorkerView> condition,
            Function<WorkerView, WorkerNode> change) {
        return update(purpose, terms, workerId, 0, condition, change);
    }

    private boolean update(
            String purpose,
            Terms terms,
            int workerId,
            long windowMillis,
            Predicate<WorkerView> condition,
            Function<WorkerView, WorkerNode> change) {
        return ensemble.call(purpose + " worker id " + workerId, zooKeeper -> {
            for (int i = 0; i < TRIES; i++) {
                Found found = find(zooKeeper, terms, IntStream.of(workerId));
                NamespaceNode namespace = found.namespace;
                WorkerView view = found.view(terms, 0, workerId);
                if (namespace == null || !isOf(terms, namespace) || view == null || !condition.test(view)) {
                    return false;
                }
                List<Op> changes = new ArrayList<>();
                if (windowMillis > namespace.usedWindowMillis()) {
                    changes.add(Op.setData(
                            paths.namespace(terms.namespace()),
                            namespace.withUsed(windowMillis).content(),
                            found.namespaceVersion));
                }
                changes.add(Op.setData(
                        paths.worker(terms.namespace(), workerId),
                        change.apply(view).content(),
                        view.stat().getVersion()));
                if (ensemble.change(found.look, changes)) {
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
                view -> new WorkerNode(
                        view.node().fence() + 1,
                        lease.horizonMillis(),
                        false,
                        lease.token(),
                        terms.lease().toMillis(),
                        view.look().era().id(),
                        OWNER));
    }

    @Override
    public boolean advance(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return update(
                "advancing",
                terms,
                row.workerId(),
                view -> view.isAsIn(row)
                        && !view.isCurrent()
                        && horizonMillis >= view.look().nowMillis() + gapMillis,
                view -> new WorkerNode(
                        view.node().fence() + 1,
                        horizonMillis,
                        false,
                        null,
                        0,
                        view.look().era().id(),
                        OWNER));
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
                view -> view.isAsIn(lease),
                view -> view.node().heldBy(lease.token(), terms.lease().toMillis()));
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return update(
                "releasing",
                terms,
                lease.workerId(),
                view -> view.isAsIn(lease),
                view -> view.node().withHorizon(horizonMillis).heldBy(null, 0));
    }

    @Override
    public boolean reserve(Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis) {
        return update(
                "reserving",
                terms,
                workerId,
                view -> view.isAsIn(seen)
                        && (view.isCurrent() || view.isReservedFor(token == null ? seen.token() : token)),
                view -> new WorkerNode(
                        view.node().fence() + 1,
                        horizonMillis,
                        true,
                        token,
                        token == null ? 0 : terms.lease().toMillis(),
                        view.look().era().id(),
                        OWNER));
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
