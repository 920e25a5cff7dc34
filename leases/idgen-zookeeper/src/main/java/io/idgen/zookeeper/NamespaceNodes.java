package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** The nodes of namespaces and their worker ids: reads and creates them. */
final class NamespaceNodes {
    private static final int CREATIONS = 3;
    private static final int CANDIDATES = 32;
    private static final Comparator<Row> LOWEST_FIRST =
            Comparator.comparingLong(Row::horizonMillis).thenComparingInt(Row::workerId);

    private final Ensemble ensemble;
    private final Paths paths;

    NamespaceNodes(Ensemble ensemble, Paths paths) {
        this.ensemble = ensemble;
        this.paths = paths;
    }

    /** The nodes of a namespace, as read by one look. */
    record Found(Look look, @Nullable NamespaceNode namespace, int namespaceVersion, List<@Nullable Node> nodes) {

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

    Found find(ZooKeeper zooKeeper, Terms terms, IntStream workerIds) throws Exception {
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

    static boolean isOf(Terms terms, @Nullable NamespaceNode namespace) {
        return namespace != null && namespace.layout().equals(terms.layout().toString());
    }

    Optional<WorkerView> view(ZooKeeper zooKeeper, Terms terms, int workerId) throws Exception {
        if (workerId < terms.firstWorkerId() || workerId - terms.firstWorkerId() >= terms.workers()) {
            return Optional.empty();
        }
        Found found = find(zooKeeper, terms, IntStream.of(workerId));
        return isOf(terms, found.namespace) ? Optional.ofNullable(found.view(terms, 0, workerId)) : Optional.empty();
    }

    /** Returns the worker ids that may be leased; creates missing nodes. */
    Candidates candidates(Terms terms, @Nullable String token) {
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
        // some of each kind: rows of earlier eras have the lowest horizons, and would hide the few that are fenced off
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

    /** Returns the processes that hold the worker ids of the terms, for a message. */
    String holders(Terms terms) {
        return ensemble.call("looking who holds the worker ids", zooKeeper -> {
            Found found = find(zooKeeper, terms, workerIds(terms));
            return LeaseHolder.text(IntStream.range(0, isOf(terms, found.namespace) ? terms.workers() : 0)
                    .mapToObj(i -> Optional.ofNullable(found.view(terms, i, terms.firstWorkerId() + i)))
                    .flatMap(Optional::stream)
                    .filter(view -> view.node().token() != null)
                    .map(view -> new LeaseHolder(
                            view.workerId(), String.valueOf(view.node().owner()), view.heldUntilMillis())));
        });
    }
}
