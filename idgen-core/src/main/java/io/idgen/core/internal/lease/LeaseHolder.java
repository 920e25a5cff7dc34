package io.idgen.core.internal.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that holds a worker id, for messages.
 *
 * @param workerId the worker id
 * @param owner a description of the process
 * @param untilMillis when the lease expires, by the store's clock
 */
public record LeaseHolder(int workerId, String owner, long untilMillis) {

    /** How many holders a message names. */
    public static final int NAMED = 3;

    /** Returns the text of {@link io.idgen.core.lease.LeaseStore.Candidates#holders}: those that expire first. */
    public static String text(Stream<LeaseHolder> holders) {
        return holders.sorted(Comparator.comparingLong(LeaseHolder::untilMillis))
                .limit(NAMED)
                .map(LeaseHolder::text)
                .collect(Collectors.joining("; ", "the oldest leases are ", ""));
    }

    private String text() {
        return "worker id " + workerId + ", by " + owner + " until " + Instant.ofEpochMilli(untilMillis);
    }
}
