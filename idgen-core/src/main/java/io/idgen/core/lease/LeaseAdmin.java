package io.idgen.core.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a {@link LeaseStore} for a person on call: all of them, whichever process holds them. The tool examines
 * and repairs stores by it; no application needs it.
 *
 * <p>A store only reads, compares and sets. Which rows a repair changes, and to what, is decided in Java. Each method
 * may block, and may throw the exceptions of the methods of {@link LeaseStore}.
 */
public interface LeaseAdmin {

    /**
     * The worker ids of a namespace that have the same layout, as read at one time.
     *
     * @param name the name of the namespace
     * @param place the table, the key or the node that contains the rows
     * @param isShared whether the place has rows of several namespaces
     * @param layout the layout of the ids and the times of leases, as {@link LeaseTerms#layoutAndTimes} writes them;
     *     empty if there is none yet
     * @param marker the incarnation marker for reports, for example {@code marker 7f3a} or {@code no marker}; empty if
     *     the store has no markers
     * @param now the store's time
     * @param workers the rows, in the order of their worker ids; copied
     */
    record Namespace(
            String name,
            String place,
            boolean isShared,
            String layout,
            String marker,
            Instant now,
            List<Worker> workers) {

        /** Copies the list. */
        public Namespace {
            workers = List.copyOf(workers);
        }
    }

    /**
     * The state of a row, whichever process holds it.
     *
     * @param nowMillis the store's time
     * @param fence the row's fence
     * @param horizonMillis the row's horizon
     * @param sameServer whether the server that wrote the row is the one that answers now; false if the store cannot
     *     know
     * @param token the token of the process that holds the row, or null if none does
     * @param heldUntilMillis the time until which that process counts as alive, by the store's clock
     * @param holder a description of that process, for messages
     */
    record RowState(
            long nowMillis,
            long fence,
            long horizonMillis,
            boolean sameServer,
            @Nullable String token,
            long heldUntilMillis,
            String holder) {}

    /**
     * The row of a worker id.
     *
     * @param id the worker id, with the datacenter id in the upper bits
     * @param row the state of the row. Its horizon is the one in the store
     */
    record Worker(int id, RowState row) {}

    /**
     * A new state of a row. Afterwards no process holds the row, and its fence is one higher.
     *
     * @param seen the row as it was read
     * @param horizonMillis the new horizon
     * @param forgetsServer whether the row counts as granted by another server afterwards, so that it is fenced off
     *     before it is leased
     */
    record Change(Worker seen, long horizonMillis, boolean forgetsServer) {}

    /**
     * Reads the rows of all namespaces. A stale read is allowed: {@link #change} then fails.
     *
     * @param known the namespace to read if the store cannot list its namespaces
     * @return the namespaces; empty if there is nothing of idgen in the store
     * @throws StoreUnavailableException if the store does not answer
     */
    List<Namespace> namespaces(String known);

    /**
     * Fails if a process could not lease a worker id now, because the store or this user accepts no changes: the server
     * is a replica or has no majority, a right is missing, memory is full, or another session has locked a row. Tries
     * changes that have no effect, with all checks of the store, and changes nothing.
     *
     * @param known the namespace to examine if the store cannot list its namespaces
     * @throws StoreUnavailableException if the store does not answer, or accepts no changes at the moment
     * @throws AllocationException if the store refuses the changes of this user
     */
    default void checkWritable(String known) {}

    /**
     * Lets the next lease of each row begin above all ticks that can have been granted. Each row counts as granted by
     * another server, and keeps its horizon. A store whose rows processes heal may raise horizons that lie in the
     * future instead, because a row of another server waits until its horizon has passed. Does nothing unless each
     * row is as it was seen; a store that cannot check this in the same step checks afterwards that no process holds a
     * row.
     *
     * @param seen all namespaces, as {@link #namespaces} returned them
     * @param marker a new incarnation marker, for a store that has markers
     * @return whether all rows begin above what can have been granted; false if a process has changed one of them
     * @throws StoreUnavailableException if the store does not answer; the outcome is then unknown
     */
    boolean forgetServers(List<Namespace> seen, String marker);

    /**
     * Changes a namespace, or removes it with all that the store keeps for it. Does nothing unless it has exactly the
     * rows that were seen, and each that is changed or removed has the fence, the horizon, the token and the end of the
     * lease that were seen. Rows that processes create later count as granted by another server. The changes survive a
     * crash of the store.
     *
     * @param seen the namespace, as {@link #namespaces} returned it
     * @param layout the layout of all rows afterwards, as {@link LeaseTerms#layoutAndTimes} writes it; empty to remove
     *     the namespace
     * @param changes the rows that change
     * @return whether the namespace was changed; false if a process has changed it meanwhile
     * @throws StoreUnavailableException if the store does not answer; the outcome is then unknown
     */
    boolean change(Namespace seen, String layout, List<Change> changes);

    /**
     * Examines the server: whether it is the primary, keeps its data, and what its clock shows.
     *
     * @param known the namespace to examine if the store cannot list its namespaces
     * @param clock this host's clock
     * @return the findings
     * @throws StoreUnavailableException if the store does not answer
     * @throws AllocationException if the store refuses
     */
    List<Finding> findings(String known, InstantSource clock);
}
