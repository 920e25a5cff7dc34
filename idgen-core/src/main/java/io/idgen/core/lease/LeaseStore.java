package io.idgen.core.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where leases of worker ids are written down: one row for each worker id of a namespace, with a horizon. A process may only
 * make ids of ticks below the horizon that a committed statement of its own has set, and above the one that it replaced; so
 * no tick of a worker id is ever granted twice, whatever clocks, pauses and stolen leases do. When a lease ends decides only
 * when another process <em>may</em> take the row over.
 *
 * <p>A store has statements, the protocol is idgen's. Each call is one transaction, committed before it returns. Time is the
 * store's own, in milliseconds since 1970, never that of the calling host.
 *
 * <p>The type of an exception decides what happens next:
 * <ul>
 *   <li>{@link StoreUnavailableException}: the store did not answer, or it is not known what it did. idgen asks again with
 *       growing pauses. Exceptions that are not of idgen, such as those of a driver, count as the same.
 *   <li>Any other {@link IdGenerationException}: the store refuses. Callers that need a lease get the refusal at once.
 * </ul>
 *
 * <p>Each method may throw both, with {@link AllocationException} as the usual type of a refusal.
 *
 * <p>Called by one thread at a time for each generator.
 */
public interface LeaseStore {

    /** How far clocks of two servers may be apart, one of which takes over from the other. */
    Duration SERVER_SKEW = Duration.ofSeconds(5);

    /**
     * What all statements of a generator agree on. A row of another layout is out of reach.
     *
     * @param namespace within what worker ids differ
     * @param layout how ids are laid out
     * @param firstWorkerId the first worker id that may be leased; the datacenter is in its upper bits
     * @param workers how many from there on
     * @param lease how long a process may be silent before its worker id is another's to take
     * @param window how far a horizon may be ahead of the store's time
     * @param excluded worker ids in this range that are never candidates
     */
    record Terms(
            String namespace,
            SnowflakeLayout layout,
            int firstWorkerId,
            int workers,
            Duration lease,
            Duration window,
            Set<Integer> excluded) {

        /** Checks that nothing is missing. */
        public Terms {
            Objects.requireNonNull(namespace);
            Objects.requireNonNull(layout);
            Objects.requireNonNull(lease);
            Objects.requireNonNull(window);
            excluded = Set.copyOf(excluded);
        }

        /**
         * Terms that exclude no worker id.
         *
         * @param namespace within what worker ids differ
         * @param layout how ids are laid out
         * @param firstWorkerId the first worker id that may be leased; the datacenter is in its upper bits
         * @param workers how many from there on
         * @param lease how long a process may be silent before its worker id is another's to take
         * @param window how far a horizon may be ahead of the store's time
         */
        public Terms(
                String namespace,
                SnowflakeLayout layout,
                int firstWorkerId,
                int workers,
                Duration lease,
                Duration window) {
            this(namespace, layout, firstWorkerId, workers, lease, window, Set.of());
        }

        /**
         * The same terms without some worker ids.
         *
         * @param newExcluded worker ids that are never candidates
         * @return terms
         */
        public Terms without(Set<Integer> newExcluded) {
            return new Terms(namespace, layout, firstWorkerId, workers, lease, window, newExcluded);
        }
    }

    /**
     * A row that may be taken over.
     *
     * @param workerId its worker id, with the datacenter in the upper bits
     * @param fence how often it was taken
     * @param horizonMillis no tick from there on was ever granted
     * @param sameServer whether the server that granted it is the one that answers now
     * @param held whether a process has it whose lease is over; false if nobody has leased it since it was made, given back or
     *     advanced
     */
    record Row(int workerId, long fence, long horizonMillis, boolean sameServer, boolean held) {}

    /**
     * The rows that may be taken over.
     *
     * @param nowMillis the store's time
     * @param gapMillis by how much the horizon of a row is advanced that another server has granted: the largest window
     *     that was ever used in the namespace, and {@link #SERVER_SKEW}
     * @param rows some of them, those with the lowest horizons first
     */
    record Candidates(long nowMillis, long gapMillis, List<Row> rows) {

        /** Keeps a copy. */
        public Candidates {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A row that this process holds.
     *
     * @param workerId its worker id, with the datacenter in the upper bits
     * @param fence how often it was taken
     * @param token of this taking alone
     * @param horizonMillis as this process knows it to stand
     */
    record Lease(int workerId, long fence, String token, long horizonMillis) {}

    /**
     * The state of a row that this process holds, or held.
     *
     * @param nowMillis the store's time
     * @param held whether it has the token and the fence of the lease
     * @param horizonMillis its horizon
     * @param sameServer whether the server that granted it is the one that answers now
     */
    record LeaseView(long nowMillis, boolean held, long horizonMillis, boolean sameServer) {}

    /**
     * The state of a row, whoever holds it.
     *
     * @param nowMillis the store's time
     * @param fence how often it was taken or reserved
     * @param horizonMillis its horizon
     * @param sameServer whether the server that wrote it is the one that answers now
     * @param reserved whether it is reserved: no lease takes a reserved row
     * @param token of the process that holds it, or null if none does
     * @param heldUntilMillis until when that process counts as alive
     * @param holder that process, in words
     */
    record RowState(
            long nowMillis,
            long fence,
            long horizonMillis,
            boolean sameServer,
            boolean reserved,
            @Nullable String token,
            long heldUntilMillis,
            String holder) {}

    /**
     * Lists rows whose lease is over, or whose token is the given one, but none that the terms exclude; makes the rows of a new
     * namespace.
     *
     * @param terms of the generator
     * @param token of a lease of which this process does not know whether it was extended, or null
     * @return candidates, without rows if all are leased
     * @throws StoreUnavailableException if the store does not answer
     * @throws AllocationException if the namespace has another layout
     */
    Candidates candidates(Terms terms, @Nullable String token);

    /**
     * Takes a row over: if it is still as the candidates show it, on the same server, and the new horizon is at most a
     * window ahead.
     *
     * @param terms of the generator
     * @param row as the candidates show it
     * @param token as in the candidates
     * @param lease what it shall become; its fence is the row's and one more
     * @return whether it was; a failure leaves it open
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease);

    /**
     * Advances the horizon of a row that another server has granted, above all that this other may have granted and
     * lost. Grants nothing.
     *
     * @param terms of the generator
     * @param row as the candidates show it
     * @param horizonMillis at least {@code gapMillis} ahead of the store's time
     * @param gapMillis as in the candidates
     * @return whether it was
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean advance(Terms terms, Row row, long horizonMillis, long gapMillis);

    /**
     * Looks at a row that this process holds.
     *
     * @param terms of the generator
     * @param lease what it holds
     * @return what is there, or empty if the row is gone
     * @throws StoreUnavailableException if the store does not answer
     */
    Optional<LeaseView> look(Terms terms, Lease lease);

    /**
     * Raises the horizon of a held row and renews its lease: if all is as in the lease, on the same server, and the new horizon
     * at most a window ahead.
     *
     * @param terms of the generator
     * @param lease what this process holds
     * @param horizonMillis the new horizon, above the lease's
     * @return whether it was; a failure leaves it open
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean extend(Terms terms, Lease lease, long horizonMillis);

    /**
     * Renews the lease of a held row and leaves its horizon.
     *
     * @param terms of the generator
     * @param lease what this process holds
     * @return whether it was
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean renew(Terms terms, Lease lease);

    /**
     * Gives a row back, if all is as in the lease.
     *
     * @param terms of the generator
     * @param lease what this process holds
     * @param horizonMillis above all that it has used, at most the lease's
     * @return whether it was
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean release(Terms terms, Lease lease, long horizonMillis);

    /**
     * Who holds the rows of which none is free, in words: the lease that was renewed last the longest ago, and until when.
     *
     * @param terms of the generator
     * @return for example {@code worker id 3 since …}
     * @throws StoreUnavailableException if the store does not answer
     */
    String holders(Terms terms);

    /**
     * Reads a row, whoever holds it.
     *
     * @param terms of the generator
     * @param workerId its worker id, with the datacenter in the upper bits
     * @return its state, or empty if there is no such row of this layout
     * @throws StoreUnavailableException if the store does not answer
     */
    Optional<RowState> state(Terms terms, int workerId);

    /**
     * Reserves a row for one process, renews its reservation, or leaves the row reserved without a process. A reservation is a
     * lease that never ends, so every statement of a lease respects it: a process that holds the row by a lease can no longer
     * extend it. Changes the row only if its fence and its horizon are as seen, and only if the server that answers wrote it or
     * the process that asks holds it.
     *
     * @param terms of the generator; a holder counts as alive for their lease after its last renewal
     * @param workerId its worker id, with the datacenter in the upper bits
     * @param seen its state as last read
     * @param token of the process that holds it from now on, or null for none
     * @param horizonMillis above all ticks that this process has used, at least the horizon as seen
     * @return whether the row was changed; its fence is then one higher. A failure leaves it open
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean reserve(Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis);
}
