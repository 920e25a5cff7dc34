package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseTerms;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a namespace at the leader's time.
 *
 * @param read the node of the namespace; null if it does not exist
 * @param layout the layout of its ids and the times of leases; empty if it does not exist
 * @param lowestMillis the horizon of nodes that are created later; 0 if the namespace never had another layout
 * @param workers the worker ids whose nodes were read and exist
 */
record NamespaceView(
        Look look,
        @Nullable Node read,
        String layout,
        long lowestMillis,
        SortedMap<Integer, WorkerView> workers) {

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
        SortedMap<Integer, WorkerView> workers = new TreeMap<>();
        for (int i = 0; i < workerIds.size(); i++) {
            Node worker = look.nodes().get(i + 1);
            if (worker != null) {
                workers.put(workerIds.get(i), WorkerView.of(look, gapMillis, workerIds.get(i), worker));
            }
        }
        Node read = look.nodes().get(0);
        if (read == null) {
            return new NamespaceView(look, null, "", 0, workers);
        }
        NodeText text = NodeText.of(read.path(), read.content());
        return new NamespaceView(look, read, text.text("layout"), text.number("lowest-horizon"), workers);
    }

    /** Returns the content of the namespace's node. */
    static byte[] content(String layout, long lowestMillis) {
        return NodeText.write("layout", layout, "lowest-horizon", lowestMillis);
    }

    boolean isOf(LeaseTerms terms) {
        return layout.equals(terms.layoutAndTimes());
    }
}
