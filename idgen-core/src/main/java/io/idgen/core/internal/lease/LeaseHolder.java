package io.idgen.core.internal.lease;

import java.net.InetAddress;
import java.net.UnknownHostException;
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

    /** The owner of the leases of this process: its id and the name of its host, on one line. */
    public static final String THIS_PROCESS = thisProcess();

    private static String thisProcess() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "a host without a name";
        }
        return (ProcessHandle.current().pid() + "@" + host).replaceAll("[^ -~]", "?"); // ASCII, as some databases need
    }

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
