package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.zookeeper.Ensemble.Look;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;

/**
 * Examines idgen's nodes in ZooKeeper. Changes only the node {@code clock}, to read the leader's time. Reports the
 * leader's epoch, how far this host's clock is from the leader's, which worker ids are leased and how far ahead, and
 * which are reserved. Immutable and safe for many threads.
 */
public final class ZooKeeperDoctor {

    /** With a larger difference, a generator without a lease puts wrong times into its ids. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    private final Ensemble ensemble;
    private final Paths paths;
    private final InstantSource clock;

    /**
     * The result of one examination.
     *
     * @param good whether no action is needed
     * @param subject what was examined, in one or two words
     * @param text what was found; if it is not good, also what to do
     */
    public record Finding(boolean good, String subject, String text) {}

    /**
     * Creates a doctor. Sends nothing.
     *
     * @param client started; may read idgen's nodes, and write the node {@code clock}
     * @param root the path of idgen's nodes
     * @param clock this host's clock
     * @throws IllegalArgumentException if the root is no path of a node
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
            Instant before = clock.instant();
            Look look = ensemble.look(zooKeeper, List.of());
            Duration trip = Duration.between(before, clock.instant());
            List<Finding> findings =
                    new ArrayList<>(List.of(servers(look), clocks(look, before.plus(trip.dividedBy(2)), trip)));
            for (WorkerNodes nodes : WorkerNodes.all(ensemble, paths, zooKeeper)) {
                findings.add(leases(nodes));
                findings.add(horizons(nodes));
                findings.addAll(reserved(nodes));
            }
            return findings;
        });
    }

    private Finding servers(Look look) {
        boolean good = look.era().epoch() > 0;
        return new Finding(
                good,
                "servers",
                good
                        ? ensemble + ", leader epoch " + look.era().epoch() + ", seen since "
                                + Instant.ofEpochMilli(look.era().sinceMillis())
                        : ensemble + " is a stand-alone server: idgen cannot notice that older data were restored;"
                                + " stop all processes and repair after each restore, or run three servers");
    }

    private static Finding clocks(Look look, Instant here, Duration trip) {
        long aheadMillis =
                Duration.between(Instant.ofEpochMilli(look.nowMillis()), here).toMillis();
        boolean good = Math.abs(aheadMillis) - trip.toMillis() <= CLOCK_TOLERANCE.toMillis();
        return new Finding(
                good,
                "clock",
                "this host's clock is " + Math.abs(aheadMillis) + " ms " + (aheadMillis < 0 ? "behind" : "ahead of")
                        + " the leader's, to within " + trip.toMillis() + " ms"
                        + (good ? "" : "; correct one of the clocks before you run generators without a lease here"));
    }

    private static Finding leases(WorkerNodes nodes) {
        long reserved =
                nodes.views().stream().filter(view -> view.node().reserved()).count();
        long all = nodes.views().size() - reserved;
        long leased =
                nodes.alive().stream().filter(view -> !view.node().reserved()).count();
        return new Finding(
                leased < all || all == 0,
                "worker ids",
                nodes.name() + ", " + nodes.namespace().layout() + ": " + leased + " of " + all + " leased"
                        + (leased < all || all == 0
                                ? ""
                                : "; the next process gets none: stop some processes, or choose a layout with more"
                                        + " worker bits"));
    }

    private static Finding horizons(WorkerNodes nodes) {
        WorkerView any = nodes.views().isEmpty() ? null : nodes.views().get(0);
        long aheadMillis = any == null ? 0 : nodes.furthestMillis() - any.look().nowMillis();
        long most = any == null ? 0 : any.gapMillis() + LeaseStore.SERVER_SKEW.toMillis();
        boolean good = aheadMillis <= most;
        return new Finding(
                good,
                "horizons",
                nodes.name() + ": "
                        + (aheadMillis <= 0
                                ? "all in the past"
                                : "ticks are granted up to " + aheadMillis / 1000 + " s ahead")
                        + (good
                                ? ""
                                : ", but a correct clock grants at most " + most / 1000
                                        + " s; correct the clocks of the servers, stop all processes, then lower the"
                                        + " horizons"));
    }

    private static List<Finding> reserved(WorkerNodes nodes) {
        return nodes.views().stream()
                .filter(view -> view.node().reserved())
                .map(view -> new Finding(
                        true,
                        "reserved",
                        nodes.name() + ": worker id " + view.workerId()
                                + (view.node().token() == null
                                        ? ", held by no process"
                                        : (view.isAlive() ? ", held by " : ", last held by ")
                                                + view.node().owner())))
                .toList();
    }
}
