package io.idgen.cli.leases;

import io.idgen.cli.doctor.Repair;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseStore;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * A store that the options name. Opens connections when used.
 *
 * @param name the name of the store, without secrets
 * @param leases the store, with the names of tables, keys or nodes that the options give
 * @param doctor examines the store by a clock, that of this host
 * @param repair the repair of the store
 * @param end closes the connections
 */
public record OpenStore(
        String name, LeaseStore leases, Function<InstantSource, List<Finding>> doctor, Repair repair, Runnable end)
        implements AutoCloseable {

    @Override
    public void close() {
        end.run();
    }
}
