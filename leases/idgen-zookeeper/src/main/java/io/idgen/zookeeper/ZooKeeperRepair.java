package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.zookeeper.Ensemble.Look;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/**
 * Sets worker ids in ZooKeeper above all ids that were generated, after older data were restored to a stand-alone
 * server or nodes were copied from another ensemble. Also lowers horizons that a wrong clock has left far ahead, and
 * ends reservations. Stop all processes that generate ids first; a repair fails while a worker id is leased.
 *
 * <p>Each method changes all that it changes in one step. Immutable and safe for many threads.
 */
public final class ZooKeeperRepair {
    private static final int HOLDERS_NAMED = 3;

    private final Ensemble ensemble;
    private final Paths paths;

    /**
     * What a repair has changed, or would change.
     *
     * @param node the node, or the nodes of a namespace
     * @param before the value before
     * @param after the value after
     */
    public record Change(String node, String before, String after) {
        @Override
        public String toString() {
            return node + ": " + before + " -> " + after;
        }
    }

    /**
     * The result of a repair.
     *
     * @param dryRun whether nothing was changed
     * @param changes the changes; empty if there was nothing to do
     */
    public record Report(boolean dryRun, List<Change> changes) {

        /** Copies the list. */
        public Report {
            changes = List.copyOf(changes);
        }

        /** Returns all changes on one line, for a log. */
        @Override
        public String toString() {
            String all = changes.isEmpty()
                    ? "nothing"
                    : changes.stream().map(Change::toString).collect(Collectors.joining("; "));
            return (dryRun ? "dry run, would repair " : "repaired ") + all;
        }
    }

    /**
     * Creates a repair. Sends nothing.
     *
     * @param client started; may read and change idgen's nodes
     * @param root the path of idgen's nodes
     * @throws IllegalArgumentException if the root is no path of a node
     */
    public ZooKeeperRepair(CuratorFramework client, String root) {
        this.paths = new Paths(root);
        this.ensemble = new Ensemble(client, paths);
    }

    /**
     * Lets no lease begin below what an earlier leader can have granted: the next leases of all namespaces begin a
     * window and the skew of servers ahead of the leader's time, or after that has passed.
     *
     * @return the changes, one for each namespace
     * @throws AllocationException if a worker id is leased, or ZooKeeper does not answer or refuses; no worker id is
     *     changed then
     */
    public Report afterRestore() {
        return afterRestore(true);
    }

    /**
     * Returns what {@link #afterRestore} would change, and changes nothing.
     *
     * @return the changes
     * @throws AllocationException as {@link #afterRestore}
     */
    public Report dryRun() {
        return afterRestore(false);
    }

    private Report afterRestore(boolean write) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            // first, so that a process that acquires a worker id now is refused: its look was at the former era
            Look look = ensemble.look(zooKeeper, List.of());
            List<WorkerNodes> all = WorkerNodes.all(ensemble, paths, zooKeeper);
            refuseIfHeld(all);
            if (write
                    && !ensemble.change(
                            look,
                            List.of(Op.setData(
                                    paths.era(),
                                    Era.begin(look.era().epoch(), look.nowMillis())
                                            .content(),
                                    look.eraVersion())))) {
                throw changedMeanwhile();
            }
            if (write) {
                refuseIfHeld(WorkerNodes.all(ensemble, paths, zooKeeper));
            }
            return new Report(
                    !write, all.stream().map(ZooKeeperRepair::restored).toList());
        });
    }

    private static Change restored(WorkerNodes nodes) {
        WorkerView any = nodes.views().isEmpty() ? null : nodes.views().get(0);
        long beginMillis = any == null ? 0 : any.look().nowMillis() + any.gapMillis();
        return new Change(
                nodes.name() + ", " + nodes.views().size() + " worker ids",
                "horizons up to " + Instant.ofEpochMilli(nodes.furthestMillis()),
                "ids begin at " + Instant.ofEpochMilli(Math.max(nodes.furthestMillis(), beginMillis)) + " or later");
    }

    /**
     * Sets the horizons of a namespace just above the largest id that exists, after a wrong clock has left them far
     * ahead. The next lease of each worker id also begins above all that a correct clock can have granted. Reserved
     * worker ids stay reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param largestId the largest id of the namespace in all tables
     * @return the change
     * @throws AllocationException if a worker id is leased, the namespace has another layout, or ZooKeeper does not
     *     answer or refuses
     */
    public Report lowerHorizons(String namespace, SnowflakeLayout layout, long largestId) {
        long horizonMillis = largestId <= 0
                ? layout.epoch().toEpochMilli()
                : layout.parse(largestId).time().plus(layout.tick()).toEpochMilli();
        return ensemble.call("lowering the horizons of '" + namespace + "' in " + ensemble, zooKeeper -> {
            WorkerNodes nodes = WorkerNodes.of(ensemble, paths, zooKeeper, namespace);
            if (!nodes.namespace().layout().equals(layout.toString())) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + namespace + "' has no worker ids of layout " + layout + " at " + ensemble
                                + "; name the layout that the node " + paths.namespace(namespace) + " shows");
            }
            refuseIfHeld(List.of(nodes));
            Look look = ensemble.look(zooKeeper, List.of());
            List<Op> changes = new ArrayList<>();
            for (WorkerView view : nodes.views()) {
                changes.add(Op.setData(
                        paths.worker(namespace, view.workerId()),
                        free(view, horizonMillis).content(),
                        view.stat().getVersion()));
            }
            changes.add(Op.setData(
                    paths.era(), Era.begin(look.era().epoch(), look.nowMillis()).content(), look.eraVersion()));
            if (!ensemble.change(look, changes)) {
                throw changedMeanwhile();
            }
            return new Report(
                    false,
                    List.of(new Change(
                            namespace,
                            "horizons up to " + Instant.ofEpochMilli(nodes.furthestMillis()),
                            "horizons at " + Instant.ofEpochMilli(horizonMillis))));
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
     * @param workerIds the worker ids as the nodes are named, with the datacenter in the upper bits
     * @return the changes, one for each worker id that was reserved
     * @throws AllocationException if a process holds one of them, or ZooKeeper does not answer or refuses; then nothing
     *     is changed
     */
    public Report unreserve(String namespace, int... workerIds) {
        return ensemble.call("ending reservations in " + ensemble, zooKeeper -> {
            List<Integer> wanted = Arrays.stream(workerIds).boxed().toList();
            List<WorkerView> reserved = WorkerNodes.of(ensemble, paths, zooKeeper, namespace).views().stream()
                    .filter(view -> view.node().reserved() && wanted.contains(view.workerId()))
                    .toList();
            refuseIfHeld(
                    namespace, reserved.stream().filter(WorkerView::isAlive).toList());
            return unreserve(zooKeeper, namespace, reserved);
        });
    }

    private Report unreserve(ZooKeeper zooKeeper, String namespace, List<WorkerView> reserved) throws Exception {
        List<Change> report = new ArrayList<>();
        List<Op> changes = new ArrayList<>();
        for (WorkerView view : reserved) {
            WorkerNode node = view.node();
            // the holder's clock may be ahead of the leader's by as much as its horizon was at the last renewal
            long ahead = node.token() == null ? 0 : Math.max(0, node.horizonMillis() - view.heldUntilMillis());
            long horizon = Math.max(node.horizonMillis(), view.look().nowMillis() + view.gapMillis() + ahead);
            changes.add(Op.setData(
                    paths.worker(namespace, view.workerId()),
                    new WorkerNode(node.fence() + 1, horizon, false, null, 0, node.era(), node.owner()).content(),
                    view.stat().getVersion()));
            report.add(new Change(
                    namespace + ", worker id " + view.workerId(),
                    "reserved, horizon at " + Instant.ofEpochMilli(node.horizonMillis()),
                    "free to lease, horizon at " + Instant.ofEpochMilli(horizon)));
        }
        if (!changes.isEmpty() && !ensemble.change(ensemble.look(zooKeeper, List.of()), changes)) {
            throw changedMeanwhile();
        }
        return new Report(false, report);
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
                                            + Instant.ofEpochMilli(view.heldUntilMillis()))
                                    .collect(Collectors.joining("; "))
                            + "; stop these processes, or wait until then if they were killed, and repair again");
        }
    }

    private StoreUnavailableException changedMeanwhile() {
        return new StoreUnavailableException(
                "a process has changed nodes at " + ensemble + " meanwhile; stop all processes, and repair again");
    }
}
