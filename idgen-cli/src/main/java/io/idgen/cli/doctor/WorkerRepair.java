package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseAdmin.Change;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.core.lease.LeaseAdmin.Worker;
import io.idgen.core.lease.LeaseTerms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The rules of repairs of worker ids, the same for each kind of store. A store changes rows only if they are as this
 * class has read them.
 */
record WorkerRepair(LeaseAdmin admin, boolean dryRun) {
    private static final int HOLDERS_NAMED = 3;

    /** Lets the next lease of each row begin above all ticks that can have been granted. */
    List<RepairReport.Change> forgetServers(String known) {
        List<Namespace> seen = read(known);
        refuseIfHeld(seen);
        String marker = UUID.randomUUID().toString();
        if (!dryRun && !admin.forgetServers(seen, marker)) {
            refuseIfHeld(admin.namespaces(known));
            throw changedMeanwhile();
        }
        return seen.stream().map(namespace -> forgotten(namespace, marker)).toList();
    }

    private List<Namespace> read(String known) {
        admin.checkWritable(known);
        List<Namespace> namespaces = admin.namespaces(known);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("there are no worker ids in " + admin
                    + ", so there is nothing to repair; check the address of the store, and the prefix or root that the"
                    + " settings of the processes have");
        }
        return namespaces;
    }

    private RepairReport.Change forgotten(Namespace namespace, String marker) {
        long furthest = NamespaceUse.furthestMillis(namespace.workers());
        boolean hasMarkers = !namespace.marker().isEmpty();
        return report(
                namespace,
                namespace.workers().size() + " worker ids",
                (hasMarkers ? namespace.marker() + ", " : "") + "horizons up to " + NamespaceUse.time(furthest),
                (hasMarkers ? (dryRun ? "a new marker" : "marker " + marker) + ", " : "") + "ids begin at "
                        + NamespaceUse.time(Math.max(
                                furthest, namespace.now().plus(LeaseTerms.GAP).toEpochMilli()))
                        + " or later");
    }

    private static RepairReport.Change report(Namespace namespace, String rows, String before, String after) {
        return new RepairReport.Change(
                namespace.place(), (namespace.isShared() ? namespace.name() + ", " : "") + rows, before, after);
    }

    private void refuseIfHeld(List<Namespace> namespaces) {
        long held = 0;
        StringJoiner holders = new StringJoiner("; ");
        for (Namespace namespace : namespaces) {
            for (Worker worker : namespace.workers()) {
                if (RowRules.isAlive(worker.row()) && held++ < HOLDERS_NAMED) {
                    holders.add("worker id " + worker.id() + " of namespace '" + namespace.name() + "' by "
                            + worker.row().holder() + " until "
                            + NamespaceUse.time(worker.row().heldUntilMillis()));
                }
            }
        }
        if (held > 0) {
            throw new AllocationException(
                    ErrorCode.NAMESPACE_IN_USE,
                    held + " worker ids in " + admin + " are leased or held: " + holders
                            + (held > HOLDERS_NAMED ? "; and " + (held - HOLDERS_NAMED) + " more" : "")
                            + "; stop these processes, or wait until then if they were killed, and repair again;"
                            + " nothing was changed");
        }
    }

    private AllocationException changedMeanwhile() {
        return new AllocationException(
                ErrorCode.WORKER_ID_IN_USE,
                "a process has changed worker ids in " + admin
                        + " meanwhile; stop all processes, and repair again; nothing was changed");
    }

    /** Lowers the horizons of a namespace that no correct clock can have granted. */
    List<RepairReport.Change> lowerHorizons(String name, SnowflakeLayout layout, LargestId largest) {
        Namespace namespace = named(name, layout);
        refuseIfHeld(List.of(namespace));
        largest.refuseIfAfter(namespace.now());
        long most = namespace.now().plus(NamespaceUse.MOST_AHEAD).toEpochMilli();
        List<Worker> far = namespace.workers().stream()
                .filter(worker -> worker.row().horizonMillis() > most)
                .toList();
        if (far.isEmpty()) {
            return List.of();
        }
        List<Change> lowered = far.stream()
                .map(worker -> new Change(name, worker, largest.end().toEpochMilli(), true))
                .toList();
        if (!dryRun && !admin.change(lowered)) {
            throw changedMeanwhile();
        }
        return List.of(report(
                namespace,
                far.size() + " worker ids",
                "horizons up to " + NamespaceUse.time(NamespaceUse.furthestMillis(far)),
                "horizons at " + NamespaceUse.time(largest.end())));
    }

    private Namespace named(String name, SnowflakeLayout layout) {
        List<Namespace> named =
                read(name).stream().filter(each -> each.name().equals(name)).toList();
        return named.stream()
                .filter(each -> new NamespaceUse(each).layout().equals(Optional.of(layout)))
                .findFirst()
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + name + "' in " + admin + " has no worker ids of layout " + layout
                                + ", its layout is "
                                + named.stream()
                                        .map(Namespace::layout)
                                        .filter(each -> !each.isEmpty())
                                        .findFirst()
                                        .orElse("none")
                                + "; name that layout, or the right namespace"));
    }

    /** Gives a namespace that nobody uses another layout, whose ids are larger. */
    List<RepairReport.Change> changeLayout(String name, SnowflakeLayout from, SnowflakeLayout to) {
        Namespace namespace = named(name, from);
        refuseUnlessUnused(List.of(namespace));
        refuseUnlessIdsRise(namespace.now(), from, to);
        long lowest = new RowRules(to).movedMillis(namespace.now().toEpochMilli());
        if (!dryRun && !admin.changeLayout(namespace, to, lowest)) {
            throw changedMeanwhile();
        }
        return List.of(report(
                namespace,
                namespace.workers().size() + " worker ids",
                "layout " + from,
                "layout " + to + ", ids begin at " + NamespaceUse.time(lowest)
                        + " or later; set it in all processes before they start"));
    }

    /** Old ids have times before their horizons, which have passed. New ids have times from now on. */
    private static void refuseUnlessIdsRise(Instant now, SnowflakeLayout from, SnowflakeLayout to) {
        if (to.firstIdAt(now) < from.firstIdAt(now)) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "ids of layout " + to + " begin at " + to.firstIdAt(now) + " now, below those of " + from
                            + ", which are at " + from.firstIdAt(now)
                            + "; choose an earlier epoch or more time bits; nothing was changed");
        }
    }

    /** Removes the rows of a namespace that nobody uses. */
    List<RepairReport.Change> remove(String name) {
        List<Namespace> all = read(name);
        List<Namespace> named =
                all.stream().filter(each -> each.name().equals(name)).toList();
        if (named.stream().allMatch(WorkerRepair::isEmpty)) {
            throw new IllegalArgumentException("there is no namespace '" + name + "' in " + admin
                    + all.stream()
                            .map(Namespace::name)
                            .filter(each -> !each.equals(name))
                            .distinct()
                            .collect(Collectors.collectingAndThen(
                                    Collectors.joining("', '"),
                                    others -> others.isEmpty() ? "" : ", which has '" + others + "'"))
                    + "; correct the name");
        }
        refuseUnlessUnused(named);
        if (!dryRun && !admin.remove(named)) {
            throw changedMeanwhile();
        }
        return named.stream()
                .map(each -> report(
                        each,
                        each.workers().size() + " worker ids",
                        (each.layout().isEmpty() ? each.marker() : "layout " + each.layout())
                                + ", horizons up to "
                                + NamespaceUse.time(NamespaceUse.furthestMillis(each.workers())),
                        "removed"))
                .toList();
    }

    /** Redis shows a namespace of any name. */
    private static boolean isEmpty(Namespace namespace) {
        return namespace.workers().isEmpty()
                && namespace.layout().isEmpty()
                && !namespace.marker().startsWith("marker ");
    }

    /** Without leases and future horizons, no process has or gets an id of these rows. */
    private void refuseUnlessUnused(List<Namespace> namespaces) {
        refuseIfHeld(namespaces);
        for (Namespace namespace : namespaces) {
            List<Worker> ahead = namespace.workers().stream()
                    .filter(worker ->
                            worker.row().horizonMillis() > namespace.now().toEpochMilli())
                    .toList();
            if (!ahead.isEmpty()) {
                throw new AllocationException(
                        ErrorCode.NAMESPACE_IN_USE,
                        ahead.size() + " worker ids of namespace '" + namespace.name() + "' in " + admin
                                + " have a horizon in the future, so a process may still generate their ids; wait until "
                                + NamespaceUse.time(NamespaceUse.furthestMillis(ahead))
                                + ", and repair again; nothing was changed");
            }
        }
    }
}
