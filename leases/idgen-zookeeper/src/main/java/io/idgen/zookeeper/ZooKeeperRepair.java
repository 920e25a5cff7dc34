package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.LargestId;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.core.lease.RepairReport;
import io.idgen.core.lease.RepairReport.Change;
import io.idgen.zookeeper.Ensemble.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/**
 * Sets worker ids in ZooKeeper above all ids that were generated, after older data was restored to a stand-alone server
 * or nodes were copied from another ensemble. Also lowers horizons that a wrong clock has left far ahead, and ends
 * reservations. Stop all processes that generate ids first; a repair fails while a worker id is leased.
 *
 * <p>Each method makes all its changes in one step. Immutable and safe for many threads.
 */
public final class ZooKeeperRepair {
    private static final int HOLDERS_NAMED = 3;

    private final Ensemble ensemble;
    private final Paths paths;
    private final boolean dryRun;

    /**
     * Creates a repair. Sends nothing.
     *
     * @param client a started client, which may read and change idgen's nodes
     * @param root the path of idgen's nodes
     * @throws IllegalArgumentException if the root is not the path of a node
     */
    public ZooKeeperRepair(CuratorFramework client, String root) {
        this(client, new Paths(root));
    }

    private ZooKeeperRepair(CuratorFramework client, Paths paths) {
        this(new Ensemble(client, paths), paths, false);
    }

    private ZooKeeperRepair(Ensemble ensemble, Paths paths, boolean dryRun) {
        this.ensemble = ensemble;
        this.paths = paths;
        this.dryRun = dryRun;
    }

    /**
     * Returns a copy whose methods change no worker id, and report what they would change. They fail in the same cases
     * as without a dry run.
     *
     * @return a new repair
     */
    public ZooKeeperRepair dryRun() {
        return new ZooKeeperRepair(ensemble, paths, true);
    }

    /** Runs a repair if processes have used the root. Otherwise a look would create nodes there. */
    private RepairReport repair(String purpose, Ensemble.Work<RepairReport> work) {
        return ensemble.call(purpose + ensemble, zooKeeper -> {
            if (!ensemble.exists(zooKeeper)) {
                throw new IllegalArgumentException("there are no nodes of idgen below " + ensemble
                        + ", so there is nothing to repair; check the servers, and the root that the settings of the"
                        + " processes have");
            }
            return work.in(zooKeeper);
        });
    }

    /**
     * Makes all new leases begin above everything that an earlier leader can have granted. The next leases of all
     * namespaces begin a window and the skew of servers ahead of the leader's time, or after that time has passed.
     *
     * @return the changes, one for each namespace
     * @throws AllocationException if a worker id is leased, or ZooKeeper does not answer or refuses; no worker id is
     *     changed then
     * @throws IllegalArgumentException if there are no nodes below the root
     */
    public RepairReport afterRestore() {
        return repair("repairing ", zooKeeper -> {
            // first, so that a process that acquires a worker id now is refused: it has read the former era
            Look look = ensemble.look(zooKeeper, List.of());
            List<WorkerNodes> all = WorkerNodes.all(ensemble, paths, zooKeeper);
            refuseIfHeld(all);
            if (!dryRun) {
                Era era = Era.begin(look.era().epoch(), look.nowMillis());
                change(look, List.of(Op.setData(paths.era(), era.content(), look.eraVersion())));
                refuseIfHeld(WorkerNodes.all(ensemble, paths, zooKeeper));
            }
            return new RepairReport(dryRun, all.stream().map(this::restored).toList());
        });
    }

    private void change(Look look, List<Op> changes) throws Exception {
        if (!dryRun && !ensemble.change(look, changes)) {
            throw new StoreUnavailableException(
                    "a process has changed nodes at " + ensemble + " meanwhile; stop all processes, and repair again");
        }
    }

    private Change restored(WorkerNodes nodes) {
        WorkerView any = nodes.views().isEmpty() ? null : nodes.views().get(0);
        long beginMillis = any == null ? 0 : any.look().nowMillis() + any.gapMillis();
        return new Change(
                paths.namespace(nodes.name()),
                nodes.views().size() + " worker ids",
                "horizons up to " + time(nodes.furthestMillis()),
                "ids begin at " + time(Math.max(nodes.furthestMillis(), beginMillis)) + " or later");
    }

    private static String time(long millis) {
        return NamespaceUse.time(Instant.ofEpochMilli(millis));
    }

    /**
     * Lowers the horizons that a wrong clock has left further ahead than a correct one can have granted, to just above
     * the largest id that exists. The next leases begin above all ticks that a correct clock can have granted. The
     * nodes of all other worker ids stay as they are. Reserved worker ids stay reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param largestId the largest id of the namespace in all tables
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, the largest id is not above 0 or has a time in the future,
     *     the namespace has another layout, or ZooKeeper does not answer or refuses; then nothing is changed
     * @throws IllegalArgumentException if there are no nodes below the root
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, long largestId) {
        LargestId largest = LargestId.of(layout, largestId);
        return repair("lowering the horizons of '" + namespace + "' in ", zooKeeper -> {
            WorkerNodes nodes = WorkerNodes.of(ensemble, paths, zooKeeper, namespace);
            if (!nodes.namespace().layout().equals(layout.toString())) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + namespace + "' has no worker ids of layout " + layout + " at " + ensemble
                                + "; name the layout that the node " + paths.namespace(namespace) + " shows");
            }
            refuseIfHeld(List.of(nodes));
            Look look = ensemble.look(zooKeeper, List.of());
            largest.refuseIfAfter(Instant.ofEpochMilli(look.nowMillis()));
            List<WorkerView> far = nodes.views().stream()
                    .filter(view -> view.node().horizonMillis() > look.nowMillis() + view.gapMillis())
                    .toList();
            if (far.isEmpty()) {
                return new RepairReport(dryRun, List.of());
            }
            List<Op> changes = new ArrayList<>();
            for (WorkerView view : far) {
                changes.add(Op.setData(
                        paths.worker(namespace, view.workerId()),
                        free(view, largest.end().toEpochMilli()).content(),
                        view.stat().getVersion()));
            }
            changes.add(Op.setData(
                    paths.era(), Era.begin(look.era().epoch(), look.nowMillis()).content(), look.eraVersion()));
            change(look, changes);
            return new RepairReport(
                    dryRun,
                    List.of(new Change(
                            paths.namespace(namespace),
                            far.size() + " worker ids",
                            "horizons up to " + time(nodes.furthestMillis()),
                            "horizons at " + NamespaceUse.time(largest.end()))));
        });
    }

    private static WorkerNode free(WorkerView view, long horizonMillis) {
        WorkerNode node = view.node();
        return new WorkerNode(node.fence() + 1, horizonMillis, node.reserved(), null, 0, null, node.owner());
    }

    /**
     * Ends the reservation of worker ids, so that processes lease them again. Raises their horizons above all ids that
     * a process with such a worker id can have generated. Ignores worker ids that are not reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param workerIds the worker ids as in the names of the nodes, with the datacenter id in the upper bits
     * @return the changes, one for each worker id that was reserved
     * @throws AllocationException if a process holds one of them, or ZooKeeper does not answer or refuses; then nothing
     *     is changed
     * @throws IllegalArgumentException if there are no nodes below the root
     */
    public RepairReport unreserve(String namespace, int... workerIds) {
        return repair("ending reservations in ", zooKeeper -> {
            List<Integer> wanted = Arrays.stream(workerIds).boxed().toList();
            List<WorkerView> reserved = WorkerNodes.of(ensemble, paths, zooKeeper, namespace).views().stream()
                    .filter(view -> view.node().reserved() && wanted.contains(view.workerId()))
                    .toList();
            refuseIfHeld(
                    namespace, reserved.stream().filter(WorkerView::isAlive).toList());
            return unreserve(zooKeeper, namespace, reserved);
        });
    }

    private RepairReport unreserve(ZooKeeper zooKeeper, String namespace, List<WorkerView> reserved) throws Exception {
        List<Change> report = new ArrayList<>();
        List<Op> changes = new ArrayList<>();
        for (WorkerView view : reserved) {
            WorkerNode node = view.node();
            long horizon = RowRules.freedMillis(view.state(), Duration.ofMillis(view.gapMillis()));
            changes.add(Op.setData(
                    paths.worker(namespace, view.workerId()),
                    new WorkerNode(node.fence() + 1, horizon, false, null, 0, node.era(), node.owner()).content(),
                    view.stat().getVersion()));
            report.add(new Change(
                    paths.namespace(namespace),
                    "worker id " + view.workerId(),
                    "reserved, horizon at " + time(node.horizonMillis()),
                    "free to lease, horizon at " + time(horizon)));
        }
        if (!changes.isEmpty()) {
            change(ensemble.look(zooKeeper, List.of()), changes);
        }
        return new RepairReport(dryRun, report);
    }

    private void refuseIfHeld(List<WorkerNodes> all) {
        all.forEach(nodes -> refuseIfHeld(nodes.name(), nodes.alive()));
    }

    private void refuseIfHeld(String namespace, List<WorkerView> held) {
        if (!held.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.NAMESPACE_IN_USE,
                    held.size() + " worker ids of namespace '" + namespace + "' at " + ensemble
                            + " are leased or held: "
                            + held.stream()
                                    .limit(HOLDERS_NAMED)
                                    .map(view -> "worker id " + view.workerId() + " by "
                                            + view.node().owner() + " until "
                                            + time(view.heldUntilMillis()))
                                    .collect(Collectors.joining("; "))
                            + "; stop these processes, or wait until then if they were killed, and repair again");
        }
    }
}
