package io.idgen.zookeeper;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;

/**
 * The nodes of worker ids for the doctor and repairs. All changes are one transaction. Reading sets the node {@code
 * clock}, which has no content, to get the leader's time. Only repairs change other nodes. Creates no nodes where there
 * are none.
 */
final class ZooKeeperAdmin implements LeaseAdmin {
    /** Of a node that is never created. {@code ZooDefs} has it too, with annotations that are not on the class path. */
    private static final ACL ALL_RIGHTS = new ACL(31, new Id("world", "anyone"));

    private final Ensemble ensemble;
    private final Paths paths;

    ZooKeeperAdmin(Ensemble ensemble, Paths paths) {
        this.ensemble = ensemble;
        this.paths = paths;
    }

    @Override
    public List<Namespace> namespaces(String known) {
        return ensemble.call("reading " + ensemble, this::namespaces);
    }

    /** Reads all namespaces, each at a different time. */
    private List<Namespace> namespaces(ZooKeeper zooKeeper) throws Exception {
        List<Namespace> all = new ArrayList<>();
        if (ensemble.exists(zooKeeper)) {
            for (String child : Ensemble.children(zooKeeper, paths.namespaces())) {
                all.add(namespace(zooKeeper, Paths.nameOf(child)));
            }
        }
        return all;
    }

    private Namespace namespace(ZooKeeper zooKeeper, String name) throws Exception {
        List<Integer> ids = Ensemble.children(zooKeeper, paths.namespace(name)).stream()
                .map(Integer::valueOf)
                .sorted()
                .toList();
        List<String> wanted = new ArrayList<>(List.of(paths.namespace(name)));
        ids.forEach(id -> wanted.add(paths.worker(name, id)));
        Look look = ensemble.peek(zooKeeper, wanted);
        Node first = look.nodes().get(0);
        NamespaceNode namespace =
                first == null ? new NamespaceNode("", 0, 0, 0) : NamespaceNode.of(first.path(), first.content());
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Node node = look.nodes().get(i + 1);
            if (node != null) {
                WorkerView view = view(look, namespace, ids.get(i), node);
                // lower than that of the next lease after a restart
                workers.add(new Worker(ids.get(i), view.state(view.node().horizonMillis())));
            }
        }
        return new Namespace(
                name,
                paths.namespace(name),
                false,
                namespace.layout(),
                "",
                Instant.ofEpochMilli(look.nowMillis()),
                Duration.ofMillis(namespace.longestWindowMillis()),
                workers);
    }

    private static WorkerView view(Look look, NamespaceNode namespace, int workerId, Node node) {
        return new WorkerView(
                look,
                Candidates.gapMillis(Duration.ZERO, namespace.longestWindowMillis()),
                workerId,
                WorkerNode.of(node.path(), node.content()),
                node.stat());
    }

    /** Tries all changes of leases in transactions that fail at their end, so that the servers undo them. */
    @Override
    public void checkWritable(String known) {
        ensemble.call("trying to change nodes of " + ensemble, zooKeeper -> {
            if (!ensemble.exists(zooKeeper)) {
                String missing = ensemble.firstMissing(zooKeeper);
                ensemble.trial(
                        zooKeeper,
                        List.of(creation(missing)),
                        missing.lastIndexOf('/') == 0 ? "/" : missing.substring(0, missing.lastIndexOf('/')));
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

    private static Op creation(String path) {
        return Op.create(path, new byte[0], List.of(ALL_RIGHTS), CreateMode.PERSISTENT);
    }

    /** Begins a new era if a row forgets its server: then no row counts as granted in the present one. */
    @Override
    public boolean change(List<Change> changes) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            Look look = ensemble.look(
                    zooKeeper,
                    changes.stream()
                            .map(each ->
                                    paths.worker(each.namespace(), each.seen().id()))
                            .toList());
            List<Op> all = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                Op op = op(look, changes.get(i), look.nodes().get(i));
                if (op == null) {
                    return false;
                }
                all.add(op);
            }
            if (changes.stream().anyMatch(Change::forgetsServer)) {
                all.add(newEra(look));
            }
            return ensemble.change(look, all);
        });
    }

    /** Returns the change of a node; null if it is not as it was seen. */
    private static @Nullable Op op(Look look, Change change, @Nullable Node node) {
        if (node == null || !isSeen(look, change.seen(), node)) {
            return null;
        }
        WorkerNode now = WorkerNode.of(node.path(), node.content());
        String era = change.forgetsServer() ? null : now.era();
        return node.set(new WorkerNode(now.fence() + 1, change.horizonMillis(), null, 0, era, now.owner()).content());
    }

    @Override
    public boolean changeLayout(Namespace seen, SnowflakeLayout layout, long lowestMillis) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            Seen found = find(zooKeeper, seen);
            if (found == null) {
                return false;
            }
            List<Op> all = new ArrayList<>();
            NamespaceNode namespace = NamespaceNode.of(found.namespace.path(), found.namespace.content());
            all.add(found.namespace.set(
                    namespace.withLayout(layout.toString(), lowestMillis).content()));
            for (Node node : found.workers) {
                WorkerNode now = WorkerNode.of(node.path(), node.content());
                all.add(node.set(
                        now.next(Math.max(now.horizonMillis(), lowestMillis)).content()));
            }
            return ensemble.change(found.look, all);
        });
    }

    @Override
    public boolean remove(List<Namespace> seen) {
        return ensemble.call("repairing " + ensemble, zooKeeper -> {
            for (Namespace each : seen) {
                Seen found = find(zooKeeper, each);
                if (found == null) {
                    return false;
                }
                Node namespace = found.namespace;
                List<Op> all = new ArrayList<>();
                all.add(namespace.set(
                        namespace.content())); // a deletion does not show which leader answered; this does
                found.workers.forEach(
                        node -> all.add(Op.delete(node.path(), node.stat().getVersion())));
                all.add(Op.delete(namespace.path(), namespace.stat().getVersion() + 1));
                if (!ensemble.change(found.look, all)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** The nodes of a namespace, as they were seen before. */
    private record Seen(Look look, Node namespace, List<Node> workers) {}

    /** Returns the nodes of a namespace; null if they are not as they were seen, or if it has others. */
    private @Nullable Seen find(ZooKeeper zooKeeper, Namespace seen) throws Exception {
        if (Ensemble.children(zooKeeper, paths.namespace(seen.name())).size()
                != seen.workers().size()) {
            return null;
        }
        List<String> wanted = new ArrayList<>(List.of(paths.namespace(seen.name())));
        seen.workers().forEach(each -> wanted.add(paths.worker(seen.name(), each.id())));
        Look look = ensemble.look(zooKeeper, wanted);
        Node namespace = look.nodes().get(0);
        List<Node> workers = new ArrayList<>();
        for (int i = 0; i < seen.workers().size(); i++) {
            Node node = look.nodes().get(i + 1);
            if (node == null || !isSeen(look, seen.workers().get(i), node)) {
                return null;
            }
            workers.add(node);
        }
        return namespace == null ? null : new Seen(look, namespace, workers);
    }

    private static boolean isSeen(Look look, Worker worker, Node node) {
        WorkerView view = view(look, new NamespaceNode("", 0, 0, 0), worker.id(), node);
        RowState seen = worker.row();
        return view.node().fence() == seen.fence()
                && view.node().horizonMillis() == seen.horizonMillis()
                && Objects.equals(view.node().token(), seen.token())
                && view.heldUntilMillis() == seen.heldUntilMillis();
    }

    private Op newEra(Look look) {
        return Op.setData(
                paths.era(), Era.begin(look.era().epoch(), look.nowMillis()).content(), look.eraVersion());
    }

    /** Begins a new era. Processes that have read the former one change nothing any more. */
    @Override
    public boolean forgetServers(List<Namespace> seen, String marker, Duration longestWindow) {
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
            if (!ensemble.hasChroot(zooKeeper)) {
                return List.of(new Finding(
                        Level.WRONG,
                        "nodes",
                        "the chroot in the addresses of " + ensemble
                                + " does not exist, so no process can lease a worker id; create its node, or correct the"
                                + " addresses"));
            }
            if (!ensemble.exists(zooKeeper)) {
                return List.of(new Finding(
                        Level.WARN,
                        "nodes",
                        "no process has leased a worker id below " + ensemble
                                + "; if processes use this ZooKeeper, name the root that their settings have"));
            }
            Instant before = clock.instant();
            Look look = ensemble.peek(zooKeeper, List.of());
            return List.of(
                    servers(look),
                    Finding.ofClocks("the leader's", Instant.ofEpochMilli(look.nowMillis()), before, clock.instant()));
        });
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
