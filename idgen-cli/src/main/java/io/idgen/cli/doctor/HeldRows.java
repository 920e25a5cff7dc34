package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.core.lease.LeaseAdmin.Worker;
import java.util.List;
import java.util.StringJoiner;

/** Refuses to repair rows whose ids a process may still generate. */
final class HeldRows {
    private static final int HOLDERS_NAMED = 3;

    private HeldRows() {}

    static void refuseIfHeld(LeaseAdmin admin, List<Namespace> namespaces) {
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

    /** Without leases and future horizons, no process has or gets an id of these rows. */
    static void refuseUnlessUnused(LeaseAdmin admin, List<Namespace> namespaces) {
        refuseIfHeld(admin, namespaces);
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
