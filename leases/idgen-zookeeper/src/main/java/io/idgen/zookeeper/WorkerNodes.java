package io.idgen.zookeeper;

import io.idgen.core.lease.NamespaceUse;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;

/**
 * All worker ids of one namespace, for examination and repair.
 *
 * @param name the name of the namespace
 */
record WorkerNodes(String name, NamespaceNode namespace, List<WorkerView> views) {

    /** Reads all namespaces, each at a different time. */
    static List<WorkerNodes> all(Ensemble ensemble, Paths paths, ZooKeeper zooKeeper) throws Exception {
        List<WorkerNodes> all = new ArrayList<>();
        for (String child : Ensemble.children(zooKeeper, paths.namespaces())) {
            all.add(of(ensemble, paths, zooKeeper, Paths.nameOf(child)));
        }
        return all;
    }

    static WorkerNodes of(Ensemble ensemble, Paths paths, ZooKeeper zooKeeper, String name) throws Exception {
        List<String> wanted = new ArrayList<>(List.of(paths.namespace(name)));
        Ensemble.children(zooKeeper, paths.namespace(name)).stream()
                .mapToInt(Integer::parseInt)
                .sorted()
                .forEach(id -> wanted.add(paths.worker(name, id)));
        Look look = ensemble.look(zooKeeper, wanted);
        Node first = look.nodes().get(0);
        NamespaceNode namespace =
                first == null ? new NamespaceNode("", 0, 0) : NamespaceNode.of(first.path(), first.content());
        long gapMillis = NamespaceUse.gap(Duration.ofMillis(namespace.longestWindowMillis()))
                .toMillis();
        List<WorkerView> views = new ArrayList<>();
        for (Node node : look.nodes().subList(1, look.nodes().size())) {
            if (node != null) {
                views.add(new WorkerView(
                        look,
                        gapMillis,
                        Integer.parseInt(node.path().substring(node.path().lastIndexOf('/') + 1)),
                        WorkerNode.of(node.path(), node.content()),
                        node.stat()));
            }
        }
        return new WorkerNodes(name, namespace, views);
    }

    List<WorkerView> alive() {
        return views.stream().filter(WorkerView::isAlive).toList();
    }

    long furthestMillis() {
        return views.stream()
                .mapToLong(view -> view.node().horizonMillis())
                .max()
                .orElse(0);
    }
}
