package io.idgen.zookeeper;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
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

    private static final int TRIES = 8;
    private static final int CREATIONS = 3;
    private static final int CANDIDATES = 32;
    private static final Comparator<Row> LOWEST_FIRST =
            Comparator.comparingLong(Row::horizonMillis).thenComparingInt(Row::workerId);

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

    /**
     * Checks a path of idgen's nodes.
     *
     * @param root the path to check
     * @return the same path
     * @throws IllegalArgumentException if it is not the absolute path of a node
     */
    public static String checkRoot(String root) {
        return new Paths(root).root();
    }

    /** Reads the node of a namespace, and those of worker ids. */
    private NamespaceView view(ZooKeeper zooKeeper, LeaseTerms terms, List<Integer> workerIds) throws Exception {
        return NamespaceView.of(ensemble, zooKeeper, terms.namespace(), terms.gapMillis(), workerIds);
    }

    private static List<Integer> workerIds(LeaseTerms terms) {
        return IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers())
                .boxed()
                .toList();
    }

    /** {@inheritDoc} Creates missing nodes. */
    @Override
    public Candidates candidates(LeaseTerms terms, @Nullable String token) {
        return ensemble.call("looking for a free worker id", zooKeeper -> {
            for (int i = 0; ; i++) {
                NamespaceView view = view(zooKeeper, terms, workerIds(terms));
                if (view.layout() == null) {
                    byte[] layout = NodeText.write("layout", terms.layoutAndTimes());
                    ensemble.create(Map.of(paths.namespace(terms.namespace()), layout));
                } else if (!view.isOf(terms)) {
                    throw terms.otherLayout("ZooKeeper at " + ensemble, view.layout());
                } else {
                    List<Row> rows = free(terms, view, token);
                    if (!rows.isEmpty() || i >= CREATIONS || !createMissing(terms, view)) {
                        return new Candidates(view.look().nowMillis(), rows, rows.isEmpty() ? holders(view) : "");
                    }
                }
            }
        });
    }

    private static List<Row> free(LeaseTerms terms, NamespaceView view, @Nullable String token) {
        List<Row> rows = view.workers().values().stream()
                .filter(each -> !terms.excluded().contains(each.workerId()) && each.isFree(token))
                .map(WorkerView::row)
                .sorted(LOWEST_FIRST)
                .toList();
        // some of each kind: rows of earlier eras have the lowest horizons, and would hide the few that are fenced off
        return Stream.of(true, false)
                .flatMap(current ->
                        rows.stream().filter(row -> row.sameServer() == current).limit(CANDIDATES))
                .sorted(LOWEST_FIRST)
                .toList();
    }

    private boolean createMissing(LeaseTerms terms, NamespaceView view) throws Exception {
        Map<String, byte[]> missing = new LinkedHashMap<>();
        for (int workerId : workerIds(terms)) {
            if (!view.workers().containsKey(workerId)) {
                missing.put(paths.worker(terms.namespace(), workerId), WorkerNode.UNUSED.content());
            }
        }
        ensemble.create(missing);
        return !missing.isEmpty();
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return ensemble.call("looking at worker id " + lease.workerId(), zooKeeper -> {
            NamespaceView view = view(zooKeeper, terms, List.of(lease.workerId()));
            return Optional.ofNullable(view.workers().get(lease.workerId()))
                    .filter(each -> view.isOf(terms) && workerIds(terms).contains(each.workerId()))
                    .map(each -> new LeaseView(
                            each.look().nowMillis(),
                            each.isHeldBy(lease),
                            each.node().horizonMillis(),
                            each.isOfEra(),
                            0,
                            false));
        });
    }

    private static String holders(NamespaceView view) {
        return LeaseHolder.text(view.workers().values().stream()
                .filter(each -> each.node().token() != null)
                .map(each -> new LeaseHolder(
                        each.workerId(), String.valueOf(each.node().owner()), each.heldUntilMillis())));
    }

    /**
     * Replaces a worker id's node if a condition holds. The condition's time is that of the look, a little earlier than
     * the change: a lease that was over then is over now, and a horizon that was near enough then is near enough now.
     */
    private boolean update(
            String purpose,
            LeaseTerms terms,
            int workerId,
            Predicate<WorkerView> condition,
            Function<WorkerView, WorkerNode> change) {
        return ensemble.call(purpose + " worker id " + workerId, zooKeeper -> {
            for (int i = 0; i < TRIES; i++) {
                NamespaceView found = view(zooKeeper, terms, List.of(workerId));
                WorkerView view = found.workers().get(workerId);
                if (!found.isOf(terms) || view == null || !condition.test(view)) {
                    return false;
                }
                if (ensemble.change(found.look(), List.of(view.set(change.apply(view))))) {
                    return true;
                }
            }
            throw new StoreUnavailableException(purpose + " worker id " + workerId
                    + ": other processes changed its node each of " + TRIES + " times");
        });
    }

    private static boolean isWithinWindow(WorkerView view, LeaseTerms terms, long horizonMillis) {
        return horizonMillis <= view.look().nowMillis() + terms.window().toMillis();
    }

    @Override
    public boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease) {
        return update(
                "leasing",
                terms,
                row.workerId(),
                view -> view.isAsIn(row)
                        && view.isFree(token)
                        && view.isCurrent()
                        && isWithinWindow(view, terms, lease.horizonMillis()),
                view -> view.granted(lease.horizonMillis(), lease.token(), terms.lease(), LeaseHolder.THIS_PROCESS));
    }

    @Override
    public boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return update(
                "fencing off",
                terms,
                row.workerId(),
                view -> view.isAsIn(row)
                        && !view.isCurrent()
                        && horizonMillis >= view.look().nowMillis() + terms.gapMillis(),
                view -> view.granted(horizonMillis, null, terms.lease(), LeaseHolder.THIS_PROCESS));
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(
                "extending the lease of",
                terms,
                lease.workerId(),
                view -> view.isAsIn(lease) && view.isOfEra() && isWithinWindow(view, terms, horizonMillis),
                view -> view.node()
                        .withHorizon(horizonMillis)
                        .heldBy(lease.token(), terms.lease().toMillis()));
    }

    @Override
    public boolean renew(LeaseTerms terms, Lease lease) {
        return update(
                "renewing the lease of",
                terms,
                lease.workerId(),
                view -> view.isAsIn(lease),
                view -> view.node().heldBy(lease.token(), terms.lease().toMillis()));
    }

    @Override
    public boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(
                "releasing",
                terms,
                lease.workerId(),
                view -> view.isAsIn(lease),
                view -> view.node().withHorizon(horizonMillis).heldBy(null, 0));
    }

    /**
     * Returns access to all nodes, for the doctor and the repairs of the tool.
     *
     * @return all namespaces below the root
     */
    public LeaseAdmin admin() {
        return new ZooKeeperAdmin(ensemble);
    }

    @Override
    public String toString() {
        return "worker ids in ZooKeeper at " + ensemble;
    }
}
