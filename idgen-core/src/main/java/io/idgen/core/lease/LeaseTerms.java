package io.idgen.core.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.Set;

/**
 * The parameters of a generator. A call reads and changes only rows of this namespace, layout and times.
 *
 * @param namespace the scope within which worker ids are unique
 * @param layout the layout of the ids
 * @param firstWorkerId the first worker id that may be leased, with the datacenter id in the upper bits
 * @param workers how many worker ids may be leased, counted from the first
 * @param excluded worker ids in this range that are never candidates; not null, copied
 * @param lease after how long without renewal another process may acquire the worker id; {@link #LEASE} except in
 *     tests
 * @param window how far a horizon may be ahead of the store's time; {@link #WINDOW} except in tests
 */
public record LeaseTerms(
        String namespace,
        SnowflakeLayout layout,
        int firstWorkerId,
        int workers,
        Set<Integer> excluded,
        Duration lease,
        Duration window) {

    /** After how long without renewal another process may acquire a worker id: a constant of the protocol. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** How far ahead of the store's time a process reserves ticks: a constant of the protocol. */
    public static final Duration WINDOW = Duration.ofSeconds(180);

    /** How far ahead of a server's time another server can have granted ticks and lost them. */
    public static final Duration GAP = WINDOW.plus(LeaseStore.SERVER_SKEW);

    /** Checks that no component is null, and copies the set. */
    public LeaseTerms {
        excluded = Set.copyOf(excluded);
    }

    /**
     * Creates the terms of the protocol, which exclude no worker id.
     *
     * @param namespace the scope within which worker ids are unique
     * @param layout the layout of the ids
     * @param firstWorkerId the first worker id that may be leased, with the datacenter id in the upper bits
     * @param workers how many worker ids may be leased, counted from the first
     */
    public LeaseTerms(String namespace, SnowflakeLayout layout, int firstWorkerId, int workers) {
        this(namespace, layout, firstWorkerId, workers, Set.of(), LEASE, WINDOW);
    }

    /**
     * Returns a copy with another set of excluded worker ids.
     *
     * @param newExcluded worker ids that are never candidates; replaces the present set
     * @return the copy
     */
    public LeaseTerms without(Set<Integer> newExcluded) {
        return new LeaseTerms(namespace, layout, firstWorkerId, workers, newExcluded, lease, window);
    }

    /**
     * Returns the time between two renewals: two of them can fail before the lease expires.
     *
     * @return a third of the lease
     */
    public Duration renewal() {
        return lease.dividedBy(3);
    }

    /**
     * Returns how far ahead of the store's time another server can have granted ticks and lost them: {@link #GAP}
     * except in tests.
     *
     * @return the window, plus {@link LeaseStore#SERVER_SKEW}, in milliseconds
     */
    public long gapMillis() {
        return window.plus(LeaseStore.SERVER_SKEW).toMillis();
    }

    /**
     * Returns the text that all rows of a namespace hold, and that each statement compares.
     *
     * @return for example {@code 41-5-5-12 from 2024-01-01T00:00:00Z, lease 30 s, window 3 min, renewal 10 s}, at
     *     most 120 characters
     */
    public String layoutAndTimes() {
        return layout + ", lease " + Durations.text(lease) + ", window " + Durations.text(window) + ", renewal "
                + Durations.text(renewal());
    }

    /**
     * Returns the refusal of a namespace whose rows have another text.
     *
     * @param place the rows, for example {@code table idgen_worker}
     * @param found the text that they have
     * @return an exception for the store to throw
     */
    public AllocationException otherLayout(String place, String found) {
        return new AllocationException(
                ErrorCode.LAYOUT_MISMATCH,
                "the worker ids of namespace '" + namespace + "' in " + place + " belong to layout " + found
                        + ", and this process has " + layoutAndTimes()
                        + "; set that layout, or stop all processes of the"
                        + " namespace and change its layout by idgen repair layout");
    }

    /**
     * Returns that text for a layout and the times of the protocol.
     *
     * @param layout the layout of the ids
     * @return the text
     */
    public static String layoutAndTimes(SnowflakeLayout layout) {
        return new LeaseTerms("", layout, 0, 0).layoutAndTimes();
    }
}
