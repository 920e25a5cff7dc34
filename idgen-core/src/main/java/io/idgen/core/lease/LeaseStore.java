package io.idgen.core.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores the leases of worker ids, for example in a database. Implement it to keep leases in another kind of store.
 *
 * <p>A <em>namespace</em> is the scope within which worker ids are unique. The store keeps one row per worker id of a
 * namespace:
 * <ul>
 *   <li>its <em>horizon</em>, a time in milliseconds. Ticks before the horizon may have been granted to a process. No
 *       tick at or after it is granted to any process.
 *   <li>its <em>fence</em>, a counter that rises by one each time the row changes hands.
 *   <li>the <em>token</em> of the process that holds the lease, and the time until which the lease runs.
 *   <li>the server that granted the horizon, so that idgen detects when another server takes over.
 *   <li>the horizon before the last grant, and the row's <em>generation</em>: how often the rows of the namespace were
 *       healed after somebody set rows back, for example by a restore. A store whose rows nobody can set back needs
 *       neither.
 *   <li>the layout of the ids and the times of leases, as {@link LeaseTerms#layoutAndTimes} writes them. A process with
 *       others reads and changes nothing.
 * </ul>
 *
 * <p>To use a worker id, a process first moves the row's horizon forward. It then generates ids only for ticks between
 * the old horizon and the new one. All changes are compare-and-set, so no tick of a worker id is granted twice. Clock
 * errors, pauses and stolen leases cannot change that. The end of a lease only decides when another process
 * <em>may</em> acquire the row.
 *
 * <p>The store executes single statements; idgen decides which one is next. A store must keep these rules:
 * <ul>
 *   <li>Each call is one transaction. It is committed, and survives a crash of the store, before the call returns.
 *   <li>Each conditional change checks its conditions and changes the row in one atomic step.
 *   <li>Time is the store's own clock, in milliseconds since 1970-01-01T00:00Z; never the clock of the calling host.
 *       The conditions read that clock in the same atomic step, or before the row, which then changes only at the
 *       version that was read.
 * </ul>
 *
 * <p>Each method may throw {@link StoreUnavailableException}: the store did not answer, or the outcome of the call is
 * unknown. idgen calls the store again, with growing pauses. Exceptions that do not come from idgen, such as those of a
 * driver, count as the same. Any other {@link IdGenerationException}, usually an {@link AllocationException}, says that
 * the store refused and changed nothing. Callers that need a lease get it at once.
 *
 * <p>Calls may block. While one blocks, idgen does not renew the lease, so a store needs a timeout. idgen calls a store
 * from one thread at a time for each generator. A store that several generators share must be safe for many threads.
 *
 * <p>A test that extends {@code LeaseStoreContract} of the module idgen-test checks an implementation, statement by
 * statement. The values of the statements are nested here, so that an implementation needs this type alone.
 */
public interface LeaseStore {

    /** The largest allowed clock difference between a server and the one that takes over from it. */
    Duration SERVER_SKEW = Duration.ofSeconds(5);

    /**
     * A row that may be acquired.
     *
     * @param workerId the worker id, with the datacenter id in the upper bits
     * @param fence the row's fence
     * @param horizonMillis the row's horizon: no tick at or after it is granted to any process
     * @param sameServer whether the server that granted the horizon is the one that answers now; false if the store
     *     cannot know
     * @param held whether the row has the token of a process whose lease has expired; false if no process has leased
     *     it since it was created, released or fenced off
     * @param generation the row's generation; 0 in a store whose rows nobody can set back
     * @param server the server that granted the horizon, in words of the store; null if it is unknown, or if nobody can
     *     set rows of this store back
     */
    record Row(
            int workerId,
            long fence,
            long horizonMillis,
            boolean sameServer,
            boolean held,
            long generation,
            @Nullable String server) {}

    /**
     * The rows that may be acquired.
     *
     * @param nowMillis the store's time
     * @param rows some of the rows, lowest horizons first; copied
     * @param holders without rows, names the leases that were renewed least recently, for a message: {@code the oldest
     *     leases are worker id 3, by 4711@host-a until 2026-11-20T08:00:00Z}; otherwise empty
     */
    record Candidates(long nowMillis, List<Row> rows, String holders) {

        /** Copies the list. */
        public Candidates {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A lease that this process holds.
     *
     * @param workerId the worker id, with the datacenter id in the upper bits
     * @param fence the fence of this acquisition
     * @param token a random text that only this acquisition has
     * @param horizonMillis the last horizon that the store confirmed to this process
     * @param generation that of the row that was acquired
     * @param server that of the row that was acquired
     */
    record Lease(
            int workerId,
            long fence,
            String token,
            long horizonMillis,
            long generation,
            @Nullable String server) {

        /**
         * Returns the lease after an extension.
         *
         * @param newHorizonMillis the horizon that the store confirmed
         * @return the same lease with this horizon
         */
        public Lease withHorizon(long newHorizonMillis) {
            return new Lease(workerId, fence, token, newHorizonMillis, generation, server);
        }
    }

    /**
     * The state of a row that this process holds or has held.
     *
     * @param nowMillis the store's time
     * @param held whether the row has the token and the fence of the lease
     * @param horizonMillis the row's horizon
     * @param sameServer whether the server that granted the horizon is the one that answers now; false if the store
     *     cannot know
     * @param generation the row's generation; 0 in a store whose rows nobody can set back
     * @param setBack whether the row meets the conditions of {@link #heal}: it was set back, or the read is out of date
     */
    record LeaseView(
            long nowMillis, boolean held, long horizonMillis, boolean sameServer, long generation, boolean setBack) {}

    /**
     * Finds rows that may be acquired: rows whose lease has expired, and the row with the given token. Rows that the
     * terms exclude are left out. If it finds none, creates the rows of the terms that are missing: those of a new
     * namespace, and those that a first process with a worker id of its own has left out.
     *
     * <p>A row that the store creates counts as granted by another server: an earlier row may have been lost together
     * with ticks that it had granted. Only a store that is certain that there was none, such as a new one in memory,
     * may set itself as its server.
     *
     * @param terms the parameters of the generator
     * @param token the token of a lease whose extension may have taken effect unseen, or null
     * @return the candidates; without rows if all worker ids are leased
     * @throws AllocationException if the namespace has another layout or other times
     *     ({@link ErrorCode#LAYOUT_MISMATCH})
     */
    Candidates candidates(LeaseTerms terms, @Nullable String token);

    /**
     * Acquires a row. Sets token, fence and horizon of the lease, and lets the lease run for {@code terms.lease()} from
     * the store's time. Records the old horizon as that before the grant. Changes the row only if all of these hold:
     * <ul>
     *   <li>its fence and its horizon are those of {@code row};
     *   <li>its lease has expired, or its token is {@code token};
     *   <li>the new horizon is at most {@code terms.window()} ahead of the store's time;
     *   <li>the server that granted the old horizon is the one that answers.
     * </ul>
     *
     * @param terms the parameters of the generator
     * @param row a row of {@link #candidates}
     * @param token the token that was passed to {@link #candidates}
     * @param lease the new lease; its fence is the row's plus 1
     * @return whether the row was changed
     */
    boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease);

    /**
     * Fences off a row that another server granted: advances its horizon beyond all ticks that this other server may
     * have granted and lost. Grants nothing. Afterwards the row has no token and no lease, and its fence is one higher.
     * The new horizon also counts as the one before its last grant, and the server that answers as its server. Changes
     * the row only if all of these hold:
     * <ul>
     *   <li>its fence and its horizon are those of {@code row};
     *   <li>the server that granted the old horizon is not the one that answers, or is unknown;
     *   <li>the new horizon is at least {@code terms.gapMillis()} ahead of the store's time.
     * </ul>
     *
     * @param terms the parameters of the generator
     * @param row a row of {@link #candidates}
     * @param horizonMillis the new horizon
     * @return whether the row was changed
     */
    boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis);

    /**
     * Reads the row of a lease. A stale read, for example from a replica, is not allowed.
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @return the row's state, or empty if the row does not exist any more
     */
    Optional<LeaseView> look(LeaseTerms terms, Lease lease);

    /**
     * Raises the horizon of a held row, and renews its lease for {@code terms.lease()} from the store's time. Changes
     * the row only if all of these hold:
     * <ul>
     *   <li>its token, fence and horizon are those of {@code lease};
     *   <li>the new horizon is at most {@code terms.window()} ahead of the store's time;
     *   <li>the server that granted the old horizon is the one that answers.
     * </ul>
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @param horizonMillis the new horizon, above that of the lease
     * @return whether the row was changed
     */
    boolean extend(LeaseTerms terms, Lease lease, long horizonMillis);

    /**
     * Renews the lease of a held row for {@code terms.lease()} from the store's time. Does not change its horizon.
     * Changes the row only if its token, fence and horizon are those of {@code lease}.
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @return whether the row was changed
     */
    boolean renew(LeaseTerms terms, Lease lease);

    /**
     * Releases a row: removes its token, ends its lease, and sets its horizon. Changes the row only if its token, fence
     * and horizon are those of {@code lease}.
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @param horizonMillis the new horizon: above all ticks that this process has used, and at most that of the lease
     * @return whether the row was changed
     */
    boolean release(LeaseTerms terms, Lease lease, long horizonMillis);

    /**
     * Raises the horizon of a held row to that of the lease again, after somebody set the row back, and renews its
     * lease. Changes the row only if its token and fence are those of {@code lease}, its horizon is {@code seenMillis},
     * and the server that granted it is the one that answers. Overridden by a store that overrides {@link #heal}.
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @param seenMillis the row's horizon as it was read, below that of the lease
     * @return whether the row was changed; false if not overridden
     */
    default boolean raise(LeaseTerms terms, Lease lease, long seenMillis) {
        return false;
    }

    /**
     * Heals the namespace after somebody set the row of a lease back: ticks of the lease may have been granted again.
     * In one transaction, gives every row of the namespace a generation above that of the lease. Each row also loses
     * its token and lease, and gets a fence that is one higher, and a horizon that is at least {@code
     * terms.gapMillis()} ahead of the store's time. Processes that see the higher generation discard their windows.
     *
     * <p>The row proves that it was set back if all of these hold. The store reads the row again in this transaction,
     * and changes it only if it is as it was read, because an earlier read may be out of date.
     * <ul>
     *   <li>the server that granted its horizon is that of the lease, and the one that answers;
     *   <li>its generation is not higher than that of the lease;
     *   <li>its generation, fence or horizon is lower than that of the lease. Or its token differs from that of the
     *       lease, and either its fence is that of the lease, or the horizon before its last grant is below that of the
     *       lease.
     * </ul>
     *
     * <p>A store whose rows nobody can set back need not override this.
     *
     * @param terms the parameters of the generator
     * @param lease the lease
     * @return whether the rows were changed; false if the row proves nothing, and if not overridden
     */
    default boolean heal(LeaseTerms terms, Lease lease) {
        return false;
    }
}
