package io.idgen.proof;

import java.time.Duration;
import java.util.Locale;

/** What happens to a process, its network or its database, and how often relative to the others. */
enum Fault {
    KILLED(3, "`kill -9` of a process, and a new one"),
    STOPPED(4, "SIGSTOP, half a lease to four leases"),
    SUPPLANTED(8, "SIGSTOP until a new process has its worker id; then both run"),
    TERMINATED(2, "SIGTERM, and a new process"),
    RESET(2, "all connections of a process are cut"),
    BLACK_HOLE(4, "nothing arrives, half a lease to four leases"),
    ANSWERS_EATEN(4, "statements take effect, and the connection ends without an answer"),
    REQUESTS_REPEATED(3, "an answer is swallowed, and the request is sent again"),
    DELAYED(2, "each request is delayed by 20 to 400 ms"),
    CLOCK_STEPPED(2, "the clock of a process steps by up to an hour"),
    DATABASE_KILLED(1, "`kill -9` of the primary or a node, and a restart"),
    TABLE_LOCKED(1, "`idgen_worker` or `idgen_segment` is locked, half a lease to four leases"),
    CONNECTIONS_USED_UP(1, "the server refuses further connections"),
    READ_ONLY(1, "the server refuses to write"),
    TAKEOVER(1, "the replica takes over, and lacks the last commits; a new process reaches it first"),
    LEADER_KILLED(1, "the leader of a cluster is killed, and joins again"),
    ALL_KILLED(1, "all servers are killed at once, and start together"),
    SERVERS_CLOCK_STEPPED(
            2,
            "the clock of all servers steps back by up to an hour, half a lease to four leases, or forward for good"),
    RESTORED(
            1,
            "idgen's rows are as in a backup from the beginning of the deck, and are repaired; a new process reaches"
                    + " them first");

    /** How often it occurs in a deck of all faults. */
    final int share;

    final String meaning;

    Fault(int share, String meaning) {
        this.share = share;
        this.meaning = meaning;
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
        return random < 0.5 ? "idgen_worker" : "idgen_segment";
    }

    /** Half a lease to four leases. */
    static Duration duration(double random) {
        return Duration.ofMillis((long) (Terms.LEASE.toMillis() * (0.5 + 3.5 * random)));
    }
}
