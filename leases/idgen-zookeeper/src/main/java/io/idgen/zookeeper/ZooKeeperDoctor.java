package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.zookeeper.Ensemble.Look;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;

/**
 * Examines idgen's nodes in ZooKeeper. Reports the leader's epoch, how far this host's clock is from the leader's,
 * which worker ids are leased and how far ahead, and which are reserved.
 *
 * <p>Changes no worker id. Writes the node {@code clock}, to read the leader's time, and the node {@code era} if the
 * servers have another leader. Creates no nodes where there are none. Immutable and safe for many threads.
 */
public final class ZooKeeperDoctor {

    private final Ensemble ensemble;
    private final Paths paths;
    private final InstantSource clock;

    /**
     * Creates a doctor. Sends nothing.
     *
     * @param client a started client, which may read idgen's nodes, and write the nodes {@code clock} and {@code era}
     * @param root the path of idgen's nodes
     * @param clock this host's clock
     * @throws IllegalArgumentException if the root is not the path of a node
     */
    public ZooKeeperDoctor(CuratorFramework client, String root, InstantSource clock) {
        this.paths = new Paths(root);
        this.ensemble = new Ensemble(client, paths);
        this.clock = Objects.requireNonNull(clock);
    }

    /**
     * Runs all examinations. Blocks for a few requests.
     *
     * @return the findings
     * @throws AllocationException if ZooKeeper does not answer or refuses, or a node has an invalid content
     */
    public List<Finding> examine() {
        return ensemble.call("examining " + ensemble, zooKeeper -> {
            if (!ensemble.exists(zooKeeper)) {
                return List.of(new Finding(
                        Level.WARN,
                        "nodes",
                        "no process has leased a worker id below " + ensemble
                                + "; if processes use this ZooKeeper, name the root that their settings have"));
            }
            Instant before = clock.instant();
            Look look = ensemble.look(zooKeeper, List.of());
            List<Finding> findings = new ArrayList<>(List.of(
                    servers(look),
                    Finding.ofClocks("the leader's", Instant.ofEpochMilli(look.nowMillis()), before, clock.instant())));
            for (WorkerNodes nodes : WorkerNodes.all(ensemble, paths, zooKeeper)) {
                findings.addAll(use(nodes));
                findings.addAll(reserved(nodes));
            }
            return findings;
        });
    }

    private Finding servers(Look look) {
        boolean good = look.era().epoch() > 0;
        return new Finding(
                good ? Level.OK : Level.WARN,
                "servers",
                good
                        ? ensemble + ", leader epoch " + look.era().epoch() + ", seen since "
                                + NamespaceUse.time(
                                        Instant.ofEpochMilli(look.era().sinceMillis()))
                        : ensemble + " is a stand-alone server: idgen cannot notice that older data were restored;"
                                + " stop all processes and repair after each restore, or run three servers");
    }

    private static List<Finding> use(WorkerNodes nodes) {
        if (nodes.views().isEmpty()) {
            return List.of(new Finding(Level.OK, "worker ids", nodes.name() + ": none yet"));
        }
        return new NamespaceUse(
                        nodes.name(),
                        nodes.namespace().layout(),
                        nodes.views().size(),
                        nodes.alive().stream()
                                .filter(view -> !view.node().reserved())
                                .count(),
                        nodes.views().stream()
                                .filter(view -> view.node().reserved())
                                .count(),
                        Instant.ofEpochMilli(nodes.furthestMillis()),
                        Duration.ofMillis(nodes.namespace().longestWindowMillis()),
                        Instant.ofEpochMilli(nodes.views().get(0).look().nowMillis()))
                .findings();
    }

    private static List<Finding> reserved(WorkerNodes nodes) {
        return nodes.views().stream()
                .filter(view -> view.node().reserved())
                .map(view -> new Finding(
                        Level.OK,
                        "reserved",
                        nodes.name() + ": worker id " + view.workerId()
                                + (view.node().token() == null
                                        ? ", held by no process"
                                        : (view.isAlive() ? ", held by " : ", last held by ")
                                                + view.node().owner())))
                .toList();
    }
}
