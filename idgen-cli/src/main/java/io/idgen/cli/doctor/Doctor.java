package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Examines idgen's tables on a database, or the worker ids in another store, and changes no row. Reports whether a
 * process can get ids now: whether the store accepts its changes, and when it can lease a worker id. Also reports which
 * worker ids are leased and how far ahead, when layouts end, how far this host's clock is from the store's, and whether
 * the store keeps its data. On a database, reports which tables exist, how full counters are, whether they skip ids at
 * a restart, and whether the connections that idgen needs can be opened. {@link Repair} repairs the data. Immutable and
 * safe for many threads.
 */
public final class Doctor {

    private Doctor() {}

    /**
     * Examines one database. Blocks for several short requests of at most 5 s each.
     *
     * @param tables idgen's tables
     * @param clock this host's clock, as generators without a lease read it
     * @return the findings
     * @throws AllocationException if a column that was named cannot be read
     * @throws io.idgen.core.ConfigurationException if idgen has no dialect for the database
     */
    public static List<Finding> examine(KnownTables tables, InstantSource clock) {
        return new DatabaseCheck(tables, clock).findings();
    }

    /**
     * Examines the worker ids in a store.
     *
     * @param admin the rows of the store
     * @param namespace the namespace to examine if the store cannot list its namespaces, as Redis cannot
     * @param clock this host's clock, as generators without a lease read it
     * @return the findings
     * @throws AllocationException if the store does not answer
     */
    public static List<Finding> examine(LeaseAdmin admin, String namespace, InstantSource clock) {
        try {
            List<Finding> all = new ArrayList<>(admin.findings(namespace, clock));
            all.add(changes(admin, namespace));
            all.addAll(workers(admin.namespaces(namespace), true));
            return all;
        } catch (AllocationException e) {
            if (e.code() != ErrorCode.STATEMENT_REFUSED) {
                throw e;
            }
            return List.of(wrong("rights", String.valueOf(e.getMessage())));
        }
    }

    private static Finding changes(LeaseAdmin admin, String namespace) {
        try {
            admin.checkWritable(namespace);
            return ok("changes", "the store and the rights of this user permit them");
        } catch (AllocationException e) {
            return wrong("changes", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Evaluates the worker ids of all namespaces.
     *
     * @param knowsServer whether the rows show which of them another server has granted
     */
    static List<Finding> workers(List<Namespace> namespaces, boolean knowsServer) {
        return namespaces.stream()
                .flatMap(each -> new NamespaceUse(each).findings(knowsServer).stream())
                .toList();
    }

    static Finding ok(String subject, String text) {
        return new Finding(Finding.Level.OK, subject, text);
    }

    static Finding warn(String subject, String text) {
        return new Finding(Finding.Level.WARN, subject, text);
    }

    static Finding wrong(String subject, String text) {
        return new Finding(Finding.Level.WRONG, subject, text);
    }
}
