package io.idgen.proof;

import java.time.Duration;
import java.util.Locale;

/** What happens to a process, its network or its database, and how often relative to the others. */
enum Fault {
    /** {@code kill -9} of a process, and a new one. */
    KILLED(3),
    /** SIGSTOP, half a lease to four leases. */
    STOPPED(4),
    /** SIGSTOP until a new process has its worker id; then both run. */
    SUPPLANTED(8),
    /** SIGTERM, and a new process. */
    TERMINATED(2),
    /** All connections of a process are cut. */
    RESET(2),
    /** Nothing arrives, half a lease to four leases. */
    BLACK_HOLE(4),
    /** Statements take effect, and the connection ends without an answer. */
    ANSWERS_EATEN(4),
    /** An answer is swallowed, and the request is sent again. */
    REQUESTS_REPEATED(3),
    /** Each request is delayed by 20 to 400 ms. */
    DELAYED(2),
    /** The clock of a process steps by up to an hour. */
    CLOCK_STEPPED(2),
    /** {@code kill -9} of the primary or a node, and a restart. */
    DATABASE_KILLED(1),
    /** {@code idgen_worker} or {@code idgen_counter} is locked, half a lease to four leases. */
    TABLE_LOCKED(1),
    /** The server refuses further connections. */
    CONNECTIONS_USED_UP(1),
    /** The server refuses to write. */
    READ_ONLY(1),
    /** The replica takes over, and lacks the last commits; a new process reaches it first. */
    TAKEOVER(1),
    /** The leader of a cluster is killed, and joins again. */
    LEADER_KILLED(1),
    /** All servers are killed at once, and start together. */
    ALL_KILLED(1),
    /** The clock of all servers steps by up to an hour: back for half a lease to four leases, or forward for good. */
    SERVERS_CLOCK_STEPPED(2),
    /**
     * idgen's rows are as in a backup from the beginning of the deck, and are repaired; a new process reaches them
     * first.
     */
    RESTORED(1);

    /** How often it occurs in a deck of all faults. */
    final int share;

    Fault(int share) {
        this.share = share;
    }

    /** Whether it happens to the network of a process. */
    boolean isOfNetwork() {
        return compareTo(RESET) >= 0 && compareTo(DELAYED) <= 0;
    }

    /** Whether it happens to processes of each store whose network the harness controls. */
    boolean isOfEachStore() {
        return !isOfDatabase() && this != REQUESTS_REPEATED;
    }

    boolean isOfDatabase() {
        return compareTo(DATABASE_KILLED) >= 0;
    }

    /** Whether the rows lose their last changes, so that the next process must not trust them. */
    boolean goesBack() {
        return this == TAKEOVER || this == RESTORED;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The table that is locked. */
    static String table(double random) {
        return random < 0.5 ? "idgen_worker" : "idgen_counter";
    }

    /** Half a lease to four leases. */
    static Duration duration(double random) {
        return Duration.ofMillis((long) (Terms.LEASE.toMillis() * (0.5 + 3.5 * random)));
    }
}
