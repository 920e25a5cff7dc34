package io.idgen.core;

/**
 * What can go wrong, each with a code that never changes its meaning, so that an alert or a search can rest on it.
 *
 * <p>Codes 1xx are settings, 2xx clocks and layouts, 3xx running out of ids, 4xx databases, 5xx mappings, 6xx
 * leases of worker ids.
 * {@code docs/errors.md} is made from this list.
 */
public enum ErrorCode {
    /** A setting that no module or strategy here knows. */
    UNKNOWN_SETTING(
            101, "A setting that idgen does not know.", "Correct the name; the message lists the nearest known ones."),
    /** A value that its setting does not accept. */
    INVALID_SETTING(
            102,
            "A setting's value breaks its rule.",
            "The message names the value, where it came from, the rule, and what would be accepted."),
    /** A strategy that no module here brings. */
    UNKNOWN_STRATEGY(
            103,
            "No strategy of this name is on the class path.",
            "Correct idgen.strategy, or add the module that brings it (idgen-jdbc brings the table-backed ones)."),
    /** A source that was neither configured nor bound. */
    UNKNOWN_SOURCE(
            104,
            "A source was asked for that is neither configured nor bound to an entity.",
            "Name it when building IdSources, or give it a setting idgen.sources.<name>.…; idgen never makes a row from a typing error."),
    /** No setting says which worker this process is. */
    WORKER_ID_UNKNOWN(
            105,
            "Nothing says which worker id belongs to this process alone.",
            "Set idgen.worker.id, a different one for each process; or idgen.worker.assigner=single-process if there is only one."),
    /** A second generator in this JVM with one worker id and other properties. */
    WORKER_ID_IN_USE(
            106,
            "Two different generators in this JVM want one worker id.",
            "Share one generator, give them different worker ids, or close the first before the second starts."),
    /** A source, or what it came from, was closed. */
    SOURCE_CLOSED(107, "An id was asked of a closed source.", "Close sources after their users, or open a new one."),
    /** The clock stepped back further than the policy allows. */
    CLOCK_MOVED_BACKWARDS(
            201,
            "The clock is behind the last id, by more than the clock policy allows.",
            "Check time synchronisation, or allow more by another idgen.snowflake.clock-policy."),
    /** The clock did not move while time went by. */
    CLOCK_STANDS_STILL(
            202,
            "A tick is used up and the clock does not reach the next one.",
            "Check the host's clock, or the clock that was handed in."),
    /** The layout has no tick left. */
    LAYOUT_EXHAUSTED(
            203,
            "The layout's last tick is behind us.",
            "Move to a layout with more time bits, a coarser tick or a later epoch, whose ids lie above the old ones."),
    /** No id within the caller's time. */
    IDS_UNAVAILABLE(
            301,
            "No id could be had within idgen.acquire-timeout.",
            "Look at the cause: the last error of the database, and since when it has been failing."),
    /** The waiting thread was interrupted. */
    INTERRUPTED(
            302,
            "The thread was interrupted while it waited for an id.",
            "The interrupt flag is set again; no id is lost."),
    /** Too many threads wait already. */
    TOO_MANY_WAITERS(
            303,
            "More threads wait for one source than idgen.segment.max-waiters allows.",
            "The database is slower than the demand: raise idgen.segment.step, or shed load."),
    /** A row lies below what this process was given. */
    SEGMENT_WENT_BACK(
            304,
            "A row lies below what this process was given from it: the table was restored, truncated or edited.",
            "Stop all writers, raise the row above the table's max(id), and start again."),
    /** The last id below the limit is issued. */
    LIMIT_REACHED(305, "The source's limit is reached.", "Widen the column and raise idgen.sources.<name>.limit."),
    /** Most ids below the limit are reserved; only logged. */
    LIMIT_NEAR(
            306,
            "Most of the ids below a source's limit are reserved (70, 85 or 95 %); a warning in the log.",
            "Widen the column and raise idgen.sources.<name>.limit while there is time."),
    /** The database failed or did not answer. */
    DATABASE_FAILED(
            401,
            "A statement of idgen failed.",
            "Look at the cause; the message names the statement's purpose and the table."),
    /** A product without a dialect. */
    UNKNOWN_DATABASE(
            402,
            "The database is none that idgen has a dialect for.",
            "The message names the product as its driver reports it, and the ones known."),
    /** One of idgen's tables does not exist. */
    TABLE_MISSING(
            403,
            "A table of idgen does not exist.",
            "Run the DDL in the message, the Flyway location db/idgen/<database>, or set idgen.jdbc.initialize-schema=always."),
    /** No row for a name, and nothing that says where it begins. */
    START_UNKNOWN(
            404,
            "There is no row for this name, and nothing says where its ids begin.",
            "Set idgen.sources.<name>.adopt=table.column to begin above the ids that are there, or .start to a number above all of them."),
    /** A strategy needs a database and none was given. */
    NO_DATABASE(
            405,
            "The strategy needs a database connection and was given none.",
            "Hand a DataSource to IdSources, or set idgen.jdbc.url."),
    /** A row of idgen's tables was edited to something impossible. */
    INVALID_ROW(
            406,
            "A row of idgen's tables holds what no id can follow from.",
            "Correct the row; the message names it, its value and the rule."),
    /** The database works and refuses a statement. */
    STATEMENT_REFUSED(
            407,
            "The database refuses a statement of idgen: a missing grant, a column of another type, a name too long for it.",
            "The message has the database's own words; grants per table are listed in docs/databases.md."),
    /** A row belongs to another member of a set of step increments, or a sequence has another increment. */
    STEP_MISMATCH(
            408,
            "A row or a sequence steps differently from the configuration.",
            "Correct the configuration; two that step differently give the same ids."),
    /** No usable sequence of this name. */
    SEQUENCE_MISSING(
            409,
            "The database has no such sequence, does not show it to this user, or has no sequences at all.",
            "Create it above the ids that exist, grant its use, or choose another strategy."),
    /** What is no name, or one name too many. */
    INVALID_NAME(
            410,
            "No row is made for this name: it breaks the rule for names, or there are too many.",
            "Names are kinds of ids, few and known beforehand; the message has the rule."),
    /** An attribute's type cannot hold the ids. */
    UNSUPPORTED_ID_TYPE(
            501,
            "@SnowflakeId stands on an attribute of a type that cannot hold its ids.",
            "Use long or Long; the message says what else would do."),
    /** An id that is there already, where idgen gives them. */
    PRESET_ID(
            502,
            "An entity has an id of its own before its insert, where idgen gives the ids.",
            "Leave the id unset, or keep such ids with @SnowflakeId(preset = KEEP)."),
    /** An HQL insert that cannot ask for ids. */
    INSERT_SELECT_UNSUPPORTED(
            503,
            "An HQL insert … select needs ids, and Hibernate runs it as one statement that cannot ask for them.",
            "Let Hibernate use temporary tables, as the message says; or select ids too, or insert entities."),
    /** A place that Hibernate generates no values for. */
    UNSUPPORTED_MAPPING(
            504,
            "@SnowflakeId stands where Hibernate generates no values.",
            "The message says why, and where the annotation could stand instead."),
    /** A mapping that this version of Hibernate cannot boot with. */
    HIBERNATE_TOO_OLD(
            505,
            "@SnowflakeId stands on a part of an @IdClass, and this version of Hibernate does not support that.",
            "Use an @EmbeddedId, or Hibernate 7."),
    /** Every worker id is leased. */
    WORKER_IDS_TAKEN(
            601,
            "All worker ids of the namespace are leased by processes that are alive, or were until a moment ago.",
            "Stop one of the processes that the message names, or move the namespace to a layout with more worker bits."),
    /** The window of the lease is used up. */
    WINDOW_USED_UP(
            602,
            "The ticks granted with the worker id are used up, and the store of leases does not grant more.",
            "Look at the cause; ids go on as soon as the store answers. A longer idgen.worker.window outlasts longer outages."),
    /** Two hold one lease, or the row was edited. */
    LEASE_COPIED(
            603,
            "The row of this process's worker id was changed under its lease, without any other process taking it.",
            "A copy of this process runs (a snapshot of a virtual machine, a checkpoint), or the row was edited: stop both, and start"
                    + " again."),
    /** The rows of the namespace are of another layout. */
    LAYOUT_MISMATCH(
            604,
            "The worker ids of the namespace belong to another layout.",
            "Set the layout of the message, or stop all processes and move the namespace to the new layout in one step."),
    /** All rows lie far ahead of the store's time. */
    HORIZON_FAR(
            605,
            "The horizons of all free worker ids are further ahead than a window: a clock was far ahead once.",
            "Correct the database's clock if it is behind; else repair as docs/operations.md has it."),
    /** An operation on a namespace whose worker ids are in use. */
    NAMESPACE_IN_USE(
            606,
            "Worker ids of the namespace are leased, or have a horizon in the future, and the operation needs them all free.",
            "Stop all processes of the namespace, wait for the time that the message names, and try again."),
    /** A worker id that is not leased, where other processes may lease it. */
    WORKER_ID_NOT_RESERVED(
            607,
            "A process takes its worker id without a lease, and a process that leases from the same database could get the same one.",
            "Leave idgen.worker.assigner out, so that the worker id is leased; or add the id to idgen.worker.reserved of all"
                    + " processes."),
    /** A reserved worker id that another process holds, or that is no longer reserved. */
    RESERVATION_TAKEN(
            608,
            "Another process holds the reserved worker id of this one, or the id is no longer reserved.",
            "Give each process a worker id of its own; the message names the process that holds this one. After a kill the id is"
                    + " free again when idgen.worker.lease has passed.");

    private final int number;
    private final String meaning;
    private final String wayOut;

    ErrorCode(int number, String meaning, String wayOut) {
        this.number = number;
        this.meaning = meaning;
        this.wayOut = wayOut;
    }

    /**
     * The code as it stands in messages and logs.
     *
     * @return for example {@code IDGEN-201}
     */
    public String code() {
        return "IDGEN-" + number;
    }

    /**
     * What has happened, in a sentence.
     *
     * @return a sentence in English
     */
    public String meaning() {
        return meaning;
    }

    /**
     * What to try next, in a sentence.
     *
     * @return a sentence in English
     */
    public String wayOut() {
        return wayOut;
    }

    @Override
    public String toString() {
        return code();
    }
}
