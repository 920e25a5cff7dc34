package io.idgen.core;

import io.idgen.core.internal.time.Pages;

/**
 * Error codes of idgen. A code never changes its meaning, so alerts and searches can rely on it.
 *
 * <p>1xx: settings. 2xx: clocks and layouts. 3xx: no id available. 4xx: databases. 5xx: Hibernate mappings. 6xx: worker
 * id leases. The page {@code docs/errors.md} is generated from this list; the
 * description of a code is its meaning there.
 */
public enum ErrorCode {
    /** There is no setting of this name. */
    UNKNOWN_SETTING(101, "Correct the name; the message lists the nearest known names."),
    /**
     * The value of a setting is invalid, or the strategy of a source does not read a setting of that source; idgen only
     * logs the latter, except for a limit.
     */
    INVALID_SETTING(
            102, "Correct the value; remove a setting that is not read, or choose a strategy that the message names."),
    /** No strategy of this name is on the class path, or a library of a module is missing or has a wrong version. */
    UNKNOWN_STRATEGY(103, "Correct idgen.strategy, or add the module or the library that the message names."),
    /** The requested source is neither configured nor bound to an entity. */
    UNKNOWN_SOURCE(
            104,
            "Name the source when you build IdSources, or give it a setting idgen.sources.<name>.…; a mistyped name "
                    + "never creates a row."),
    /** No setting determines the worker id of this process. */
    WORKER_ID_UNKNOWN(
            105,
            "Set idgen.jdbc.data-source or idgen.jdbc.url, and the worker id is leased from that database; or set "
                    + "idgen.worker.id to a different number in each process."),
    /** Two different generators in this JVM have the same worker id. */
    WORKER_ID_IN_USE(
            106,
            "Share one generator, give them different worker ids, or close the first before you create the second."),
    /** An id was requested from a closed source. */
    SOURCE_CLOSED(107, "Close a source only after the code that uses it has ended, or open a new source."),
    /** An object was handed to IdSources by a type that no strategy reads. */
    UNKNOWN_RESOURCE(108, "Pass it by the type that the message names, or add the module that reads it."),
    /** The clock is behind the last id by more than the clock policy allows. */
    CLOCK_MOVED_BACKWARDS(
            201,
            "Correct the host's clock, or wait until it has passed the last id: the message has its time. Do not restart the"
                    + " process before that, not even by a liveness probe: a restart forgets the last id, and ids repeat."),
    /** All ids of a tick are used, and the clock does not reach the next tick. */
    CLOCK_STANDS_STILL(202, "Check the host's clock, or the clock that you passed in."),
    /** The last tick of the layout has passed. */
    LAYOUT_EXHAUSTED(
            203,
            "Move to a layout with more time bits, a coarser tick or a later epoch; its ids must lie above the old "
                    + "ones."),
    /** The next id is not above the ids of an earlier generator, which idgen.snowflake.start-above names. */
    NEXT_ID_NOT_ABOVE(
            205,
            "Set the layout or the epoch that the message proposes, after all processes of the earlier generator have"
                    + " stopped; keep it for good."),
    /** A table has ids of another generator or layout. */
    EXISTING_IDS_AHEAD(206, "As for IDGEN-205."),
    /** No id became available: within idgen.acquire-timeout, or at once if the database refuses connections. */
    IDS_UNAVAILABLE(301, "Check the cause: the last error of the database, or of this host if it has no thread."),
    /** The thread was interrupted while it waited for an id. */
    INTERRUPTED(302, "Handle the interrupt; the interrupt flag is set again, and no id is lost."),
    /** More threads wait for one source than its builder allows (maxWaiters, 1,000,000 by default). */
    TOO_MANY_WAITERS(303, "The database is slower than the demand: raise idgen.segment.step, or shed load."),
    /**
     * A row holds a lower value than this process has already received from it: someone restored, truncated or edited
     * the table.
     */
    SEGMENT_WENT_BACK(
            304,
            "Run idgen doctor --column: if the row is below its column, stop all writers, repair, and start again. Look for ids"
                    + " that repeat."),
    /** The source has issued all ids below its limit. */
    LIMIT_REACHED(305, "Widen the column and raise idgen.sources.<name>.limit."),
    /** Most of the ids below a source's limit are reserved (70, 85 or 95 %); idgen only logs this, as a warning. */
    LIMIT_NEAR(306, "Widen the column and raise idgen.sources.<name>.limit while there is time."),
    /** A row has granted as many ids in ten minutes as its column reach allows. */
    REACH_USED_UP(
            307,
            "Wait, or raise the column reach as " + Pages.DOCS
                    + "databases.md describes: a takeover by a replica skips twice that many ids."),
    /** A statement of idgen failed. */
    DATABASE_FAILED(401, "Check the cause; the message names the purpose of the statement and the table."),
    /** There is no dialect for this database. */
    UNKNOWN_DATABASE(
            402,
            "Use a supported database; the message names the product as its driver reports it, and the supported "
                    + "ones."),
    /** A table of idgen does not exist. */
    TABLE_MISSING(
            403,
            "Run the DDL in the message or the Flyway location db/idgen/<database>, or set "
                    + "idgen.jdbc.initialize-schema=always."),
    /** The name has no row yet, and no setting says where its ids begin. */
    START_UNKNOWN(
            404,
            "Set idgen.sources.<name>.adopt=table.column to begin above the existing ids, or .start to a number above "
                    + "all of them."),
    /** The strategy needs a database connection, and none is configured. */
    NO_DATABASE(405, "Pass a DataSource to IdSources, or set idgen.jdbc.url."),
    /** A row of idgen's tables holds an invalid value. */
    INVALID_ROW(406, "Correct the row; the message names the row, its value and the rule."),
    /**
     * The database rejects a statement of idgen: a missing grant, a column of another type, or a name that is too long
     * for it.
     */
    STATEMENT_REFUSED(
            407,
            "Read the database's own error in the message; " + Pages.DOCS
                    + "databases.md lists the grants for each table."),
    /** The increment of a row or a sequence differs from the configuration. */
    STEP_MISMATCH(
            408,
            "Correct the configuration; processes with different increments generate the same ids. To add a database to the strategy"
                    + " stepped, follow " + Pages.DOCS + "maintenance.md."),
    /**
     * The sequence does not exist, this user cannot see it, the database has no sequences at all, or its nodes may
     * return a value twice.
     */
    SEQUENCE_MISSING(409, "Create the sequence above the existing ids, grant its use, or choose another strategy."),
    /** The name cannot have a row: it breaks the rule for names, or another name is for the same column. */
    INVALID_NAME(410, "Use a small, fixed set of names, one for each kind of id, and one name for each column."),
    /** The largest key of a table is above its sequence, or too far above its counter. */
    KEYS_AHEAD(411, "Run the statement in the message, or correct that key."),
    /** A key column is GENERATED ALWAYS, and so accepts no ids. */
    KEY_ALWAYS_GENERATED(412, "Run the ALTER in the message."),
    /** {@code @SnowflakeId} or {@code @FromIdSource} is on an attribute whose type cannot hold its ids. */
    UNSUPPORTED_ID_TYPE(501, "Use long or Long; the message names other ways."),
    /** An entity already has an id before its insert, but idgen generates the ids. */
    PRESET_ID(502, "Leave the id unset, or keep such ids with @SnowflakeId(preset = KEEP)."),
    /** An HQL insert … select needs ids, and Hibernate runs it as one statement, which cannot call a generator. */
    INSERT_SELECT_UNSUPPORTED(
            503, "Let Hibernate use temporary tables, as the message says; or select the ids too, or insert entities."),
    /** {@code @SnowflakeId} or {@code @FromIdSource} is at a place where no value is generated. */
    UNSUPPORTED_MAPPING(504, "Move the annotation; the message gives the reason and a place that works."),
    /** Hibernate generates no value: an {@code @EmbeddedId} is null, or an attribute is not set in upsert(). */
    HIBERNATE_TOO_OLD(505, "Set what the message names, or use the version of Hibernate that it names."),
    /** All worker ids of the namespace are leased, by processes that are alive or ended a moment ago. */
    WORKER_IDS_TAKEN(
            601,
            "Stop one of the processes that the message names, or move the namespace to a layout with more worker "
                    + "bits."),
    /** All ticks that the lease grants are used, and the lease store does not grant more. */
    WINDOW_USED_UP(602, "Check the cause; ids continue as soon as the store answers."),
    /** The row of this process's worker id changed under its lease, and no other process acquired it. */
    LEASE_COPIED(
            603,
            "A copy of this process runs (a virtual machine snapshot, a checkpoint), or someone edited the row: stop "
                    + "both, and start again."),
    /** The worker ids of the namespace belong to another layout, or to other lease times. */
    LAYOUT_MISMATCH(
            604,
            "Set the layout that the message names, or stop all processes and move the namespace to the new layout in "
                    + "one step."),
    /**
     * The horizons of all free worker ids are more than a window ahead of the store's time: a clock was far ahead once.
     */
    HORIZON_FAR(
            605,
            "Correct the database's clock if it is behind; otherwise repair the rows as " + Pages.DOCS
                    + "operations.md describes."),
    /** The operation needs a namespace in which no process runs and all horizons have passed. */
    NAMESPACE_IN_USE(
            606, "Stop all processes of the namespace, wait for the time that the message names, and try again."),
    /** Rows of worker ids were set back while processes ran, by a restore or an edit; idgen only logs this. */
    WORKER_IDS_SET_BACK(
            609,
            "Look for equal ids that were made between the restore and the message. Next time stop all processes first, as "
                    + Pages.DOCS + "maintenance.md describes."),
    /**
     * The lease store has no incarnation marker for the namespace: it is new, it lost its data, or it is not the store
     * that the other processes use.
     */
    INCARNATION_MISSING(
            610,
            "Check its address. If it is the right store, run the command in the message once; worker ids are leased "
                    + "above all that the store may have granted before.");

    private final int number;
    private final String wayOut;

    ErrorCode(int number, String wayOut) {
        this.number = number;
        this.wayOut = wayOut;
    }

    /**
     * Returns the code as messages and logs show it.
     *
     * @return for example {@code IDGEN-201}
     */
    public String code() {
        return "IDGEN-" + number;
    }

    /**
     * Returns what to do.
     *
     * @return one or two sentences in English
     */
    public String wayOut() {
        return wayOut;
    }

    @Override
    public String toString() {
        return code();
    }
}
