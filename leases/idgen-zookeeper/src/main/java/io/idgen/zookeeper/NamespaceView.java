package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseAdmin.Worker;
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
 * @param layout the layout of the ids and the times of leases; null if the namespace's node does not exist
 * @param read that node as it was read
 * @param workers the worker ids whose nodes were read and exist
 */
record NamespaceView(
        Look look, @Nullable String layout, @Nullable Node read, SortedMap<Integer, WorkerView> workers) {

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
        String layout =
                read == null ? null : NodeText.of(read.path(), read.content()).text("layout");
        SortedMap<Integer, WorkerView> workers = new TreeMap<>();
        for (int i = 0; i < workerIds.size(); i++) {
            Node worker = look.nodes().get(i + 1);
            if (worker != null) {
                workers.put(workerIds.get(i), WorkerView.of(look, gapMillis, workerIds.get(i), worker));
            }
        }
        return new NamespaceView(look, layout, read, workers);
    }

    boolean isOf(LeaseTerms terms) {
        return terms.layoutAndTimes().equals(layout);
    }

    /** Returns whether a worker id is as it was seen. */
    boolean hasAsSeen(Worker seen) {
        WorkerView now = workers.get(seen.id());
        return now != null && now.isAsIn(seen.row());
    }
}
