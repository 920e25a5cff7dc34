package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseTerms;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a namespace at the leader's time.
 *
 * @param node the content of the namespace's node; null if it does not exist
 * @param read the same node as it was read
 * @param workers the worker ids whose nodes were read and exist
 */
record NamespaceView(
        Look look, @Nullable NamespaceNode node, @Nullable Node read, SortedMap<Integer, WorkerView> workers) {

    /**
     * Reads the node of a namespace and those of some worker ids.
     *
     * @param gapMillis the window, plus the skew
     */
    static NamespaceView of(
            Ensemble ensemble, ZooKeeper zooKeeper, String name, long gapMillis, List<Integer> workerIds)
            throws Exception {
        List<String> wanted = new ArrayList<>(List.of(ensemble.paths().namespace(name)));
        workerIds.forEach(id -> wanted.add(ensemble.paths().worker(name, id)));
        Look look = ensemble.look(zooKeeper, wanted);
        Node read = look.nodes().get(0);
        NamespaceNode node = read == null ? null : NamespaceNode.of(read.path(), read.content());
        SortedMap<Integer, WorkerView> workers = new TreeMap<>();
        for (int i = 0; i < workerIds.size(); i++) {
            Node worker = look.nodes().get(i + 1);
            if (worker != null) {
                workers.put(workerIds.get(i), WorkerView.of(look, gapMillis, workerIds.get(i), worker));
            }
        }
        return new NamespaceView(look, node, read, workers);
    }

    boolean isOf(LeaseTerms terms) {
        return node != null && node.layout().equals(terms.layoutAndTimes());
    }

    /** Returns a change of the namespace's node, which fails if it has changed since. */
    Op set(NamespaceNode content) {
        if (read == null) {
            throw new IllegalStateException("the node does not exist");
        }
        return read.set(content.content());
    }
}
