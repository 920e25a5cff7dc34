package io.idgen.zookeeper;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The nodes of worker ids for the doctor and repairs. All changes are one transaction. Reading sets the node {@code
 * clock}, and begins the era of a new leader, as a process does. Only repairs change other nodes. Creates no nodes
 * where there are none.
 */
final class ZooKeeperAdmin implements LeaseAdmin {
    /** Of a node that is never created. {@code ZooDefs} has it too, with annotations that are not on the class path. */
    private static final ACL ALL_RIGHTS = new ACL(31, new Id("world", "anyone"));

    private final Ensemble ensemble;
    private final Paths paths;

    ZooKeeperAdmin(Ensemble ensemble) {
        this.ensemble = ensemble;
        this.paths = ensemble.paths();
    }

    @Override
    public List<Namespace> namespaces(String known) {
        return ensemble.call("reading " + ensemble, this::namespaces);
    }

    /** Reads all namespaces, each at a different time. */
    private List<Namespace> namespaces(ZooKeeper zooKeeper) throws Exception {
        List<Namespace> all = new ArrayList<>();
        if (exists(zooKeeper)) {
            for (String child : Ensemble.children(zooKeeper, paths.namespaces())) {
                all.add(namespace(zooKeeper, Paths.nameOf(child)));
            }
        }
        return all;
    }

    private Namespace namespace(ZooKeeper zooKeeper, String name) throws Exception {
        List<Integer> ids = Ensemble.children(zooKeeper, paths.namespace(name)).stream()
                .map(Integer::valueOf)
                .toList();
        NamespaceView view = NamespaceView.of(ensemble, zooKeeper, name, LeaseTerms.GAP.toMillis(), ids);
        return new Namespace(
                name,
                paths.namespace(name),
                false,
                Objects.requireNonNullElse(view.layout(), ""),
                "",
                Instant.ofEpochMilli(view.look().nowMillis()),
                view.workers().values().stream().map(WorkerView::worker).toList());
    }

    /** Tries all changes of leases in transactions that fail at their end, so that the servers undo them. */
    @Override
    public void checkWritable(String known) {
        ensemble.call("trying to change nodes of " + ensemble, zooKeeper -> {
            if (!exists(zooKeeper)) {
                String missing = paths.era(); // or the highest of its parents that does not exist
                while (missing.lastIndexOf('/') > 0 && zooKeeper.exists(parent(missing), false) == null) {
                    missing = parent(missing);
                }
                ensemble.trial(zooKeeper, List.of(creation(missing)), parent(missing));
                return true;
            }
            List<String> changed = new ArrayList<>(List.of(paths.clock(), paths.era()));
            List<Op> changes = new ArrayList<>();
            for (String child : Ensemble.children(zooKeeper, paths.namespaces())) {
                String namespace = paths.namespaces() + "/" + child;
                changed.add(namespace);
                Ensemble.children(zooKeeper, namespace).forEach(id -> changed.add(namespace + "/" + id));
                changes.add(creation(namespace + "/no-worker-id"));
            }
            for (Node node : ensemble.read(zooKeeper, changed)) {
                if (node != null) {
                    changes.add(Op.setData(node.path(), node.content(), -1));
                }
            }
            ensemble.trial(zooKeeper, changes, paths.era());
            return true;
        });
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(1, path.lastIndexOf('/')));
    }

    private static Op creation(String path) {
        return Op.create(path, new byte[0], List.of(ALL_RIGHTS), CreateMode.PERSISTENT);
    }

    /** Begins a new era if a row forgets its server: then no row counts as granted in the present one. */
    @Override
    public boolean change(Namespace seen, String layout, List<Change> changes) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            List<Integer> ids = seen.workers().stream().map(Worker::id).toList();
            if (Ensemble.children(zooKeeper, paths.namespace(seen.name())).size() != ids.size()) {
                return false;
            }
            NamespaceView view = NamespaceView.of(ensemble, zooKeeper, seen.name(), LeaseTerms.GAP.toMillis(), ids);
            Node read = view.read();
            if (read == null || !seen.workers().stream().allMatch(view::hasAsSeen)) {
                return false;
            }
            List<Op> all = new ArrayList<>();
            // a deletion does not show which leader answered; this does
            all.add(read.set(NodeText.write("layout", layout.isEmpty() ? seen.layout() : layout)));
            if (layout.isEmpty()) {
                view.workers().values().forEach(worker -> all.add(worker.read().delete(0)));
                all.add(read.delete(1));
            }
            for (Change each : changes) {
                WorkerView now =
                        Objects.requireNonNull(view.workers().get(each.seen().id()));
                all.add(now.set(new WorkerNode(
                        now.node().fence() + 1,
                        each.horizonMillis(),
                        null,
                        0,
                        each.forgetsServer() ? null : now.node().era(),
                        now.node().owner())));
            }
            if (changes.stream().anyMatch(Change::forgetsServer)) {
                all.add(newEra(view.look()));
            }
            return ensemble.change(view.look(), all);
        });
    }

    private Op newEra(Look look) {
        return Op.setData(
                paths.era(), Era.begin(look.era().epoch(), look.nowMillis()).content(), look.eraVersion());
    }

    /** Begins a new era. Processes that have read the former one change nothing any more. */
    @Override
    public boolean forgetServers(List<Namespace> seen, String marker) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            Look look = ensemble.look(zooKeeper, List.of());
            return ensemble.change(look, List.of(newEra(look)))
                    && namespaces(zooKeeper).stream()
                            .flatMap(each -> each.workers().stream())
                            .noneMatch(each -> RowRules.isAlive(each.row()));
        });
    }

    @Override
    public List<Finding> findings(String known, InstantSource clock) {
        return ensemble.call("examining " + ensemble, zooKeeper -> {
            if (zooKeeper.exists("/", false) == null) {
                return List.of(new Finding(
                        Level.WRONG,
                        "nodes",
                        "the chroot in the addresses of " + ensemble
                                + " does not exist, so no process can lease a worker id; create its node, or correct the"
                                + " addresses"));
            }
            if (!exists(zooKeeper)) {
                return List.of(new Finding(
                        Level.WARN,
                        "nodes",
                        "no process has leased a worker id below " + ensemble
                                + "; if processes use this ZooKeeper, name the root that their settings have"));
            }
            Instant before = clock.instant();
            Look look = ensemble.look(zooKeeper, List.of());
            return List.of(
                    servers(look),
                    Finding.ofClocks("the leader's", Instant.ofEpochMilli(look.nowMillis()), before, clock.instant()));
        });
    }

    /** Returns whether a process has used the root. Unlike a look, this creates nothing. */
    private boolean exists(ZooKeeper zooKeeper) throws Exception {
        return zooKeeper.exists(paths.era(), false) != null;
    }

    private Finding servers(Look look) {
        boolean good = look.era().epoch() > 0;
        return new Finding(
                good ? Level.OK : Level.WARN,
                "servers",
                good
                        ? ensemble + ", leader epoch " + look.era().epoch() + ", seen since "
                                + Instant.ofEpochMilli(look.era().sinceMillis()) + " ("
                                + look.era().sinceMillis() + ")"
                        : ensemble + " is a stand-alone server: idgen cannot notice that older data were restored;"
                                + " stop all processes and repair after each restore, or run three servers");
    }

    @Override
    public String toString() {
        return "ZooKeeper at " + ensemble;
    }
}
