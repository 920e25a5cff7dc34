package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.Pages;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Allocates ids from the table {@code idgen_counter}, which has one row per name: {@code next_id} is the next id that
 * nobody has. One atomic statement raises it and returns the ids in between. Any number of processes can use one row.
 *
 * <p>There are three ways to take from a row, and a row serves all of them, at the same time as well:
 * <ul>
 *   <li>segments, ahead of demand: as many ids as a source wants, and at least the row's {@code step}, if it is set. A
 *       change of the step in the table applies to the next allocation of every process.
 *   <li>{@link #onDemand}: just the ids that calls wait for.
 *   <li>{@link #instance}: those of one database of several, each of which has every n-th id.
 * </ul>
 *
 * <p>Each allocation runs in its own transaction on its own connection from the data source, and is committed before
 * the method returns. Do not pass the pool whose threads wait for ids: a thread that holds its last connection would
 * wait forever.
 *
 * <p>If a name has no row, its start must be known ({@link #startingAt}, {@link #adopting}); otherwise the allocation
 * fails. A row that silently starts at 1 although ids exist would later produce duplicates. Immutable and safe for many
 * threads.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf, whose segments these are</a>
 */
public final class Counters implements SegmentAllocator {

    private static final long MOST_REACH_GIVEN = 1L << 40;

    // Between two statements, other processes may raise or create the row, or use it up. If that happens more often
    // than this, it is an error.
    private static final int ATTEMPTS = 10;

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    final CounterOptions options;
    final CounterTable table;

    // as last read; a statement raises a row only if the row's step has not changed
    private final Map<String, Integer> steps = new ConcurrentHashMap<>();

    /**
     * Creates an allocator of segments, for names that have a row. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public Counters(DataSource dataSource) {
        this(new CounterOptions(dataSource));
    }

    private Counters(CounterOptions options) {
        this.options = options;
        this.table = new CounterTable(options);
    }

    Counters changed(Consumer<CounterOptions> change) {
        return new Counters(options.changed(change));
    }

    /**
     * Returns a copy that takes ids only for calls that wait for them, with one statement for all calls that wait at
     * that moment. So there are almost no gaps: a crash loses at most the ids of the statement in progress. Ignores the
     * row's step.
     *
     * @return a new allocator
     */
    public Counters onDemand() {
        return changed(copy -> copy.onDemand = true);
    }

    /**
     * Returns a copy for one of several databases, on demand: instance i of n grants the ids with {@code id % n == i %
     * n}, so no two instances grant equal ids. A row of another instance or number of instances is rejected.
     *
     * @param instance the number of this database, 1 to {@code instances}
     * @param instances the number of databases, at least 1
     * @return a new allocator
     * @throws IllegalArgumentException if {@code instance} is not 1 to {@code instances}
     */
    public Counters instance(int instance, int instances) {
        if (instances < 1 || instance < 1 || instance > instances) {
            throw new IllegalArgumentException(
                    "an instance is 1 to the number of instances, got " + instance + " of " + instances);
        }
        return changed(copy -> {
            copy.instance = instance;
            copy.instances = instances;
            copy.onDemand = true;
        });
    }

    /**
     * Returns a copy for a table of another name, with the same columns.
     *
     * @param name plain or quoted, optionally with its schema
     * @return a new allocator
     * @throws IllegalArgumentException if it is not a valid name of a table
     */
    public Counters inTable(String name) {
        return changed(copy -> copy.table = SqlName.parse(name, 1, 3));
    }

    /**
     * Returns a copy with another timeout, for opening a connection and then for each statement. The default is 5 s.
     *
     * @param timeout 1 ms to 24 days
     * @return a new allocator
     * @throws IllegalArgumentException if the timeout is out of range
     */
    public Counters withTimeout(Duration timeout) {
        return changed(copy -> copy.timeout = CounterOptions.checkTimeout(timeout));
    }

    /**
     * Returns a copy with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column; at least 2
     * @return a new allocator
     * @throws IllegalArgumentException if the limit is below 2
     */
    public Counters below(long exclusiveLimit) {
        return changed(copy -> copy.limit = CounterOptions.checkLimit(exclusiveLimit));
    }

    /**
     * Returns a copy that creates missing rows with this start.
     *
     * @param first the first id, at least 1
     * @return a new allocator
     * @throws IllegalArgumentException if {@code first} is below 1
     */
    public Counters startingAt(long first) {
        if (first < 1) {
            throw new IllegalArgumentException("start must be at least 1, got " + first);
        }
        return changed(copy -> copy.first = first);
    }

    /**
     * Returns a copy that creates missing rows with a start above the largest value of a column. Call it several times
     * for several columns. The transaction that creates the row reads the columns. Transactions that insert ids from
     * another source must have ended by then.
     *
     * @param column the column with its table, for example {@code orders.id}; do not pass user input
     * @return a new allocator
     * @throws IllegalArgumentException if it is not a valid name of a column
     */
    public Counters adopting(String column) {
        SqlName name = SqlName.parse(column, 2, 4);
        return changed(copy -> copy.adopted =
                Stream.concat(copy.adopted.stream(), Stream.of(name)).toList());
    }

    /**
     * Returns a copy that reads the columns of {@link #adopting} in another database. Use this if the tables with the
     * ids are not in the database of the allocator.
     *
     * @param database the database with the columns
     * @return a new allocator
     */
    public Counters adoptingFrom(DataSource database) {
        return changed(copy -> copy.elsewhere = new Transactions(database, copy.timeout));
    }

    /**
     * Returns a copy with another reach for rows that have none yet. The reach is how many ids of a name are granted at
     * most in ten minutes. A replica that takes over may lack that many and skips twice as many. The default is
     * 100,000,000 or 1/2048 of the limit, whichever is less, but at least 1,000 and the row's step. Has no effect on a
     * row that has a reach.
     *
     * @param ids at least 1, at most 2<sup>40</sup>
     * @return a new allocator
     * @throws IllegalArgumentException if it is outside these limits
     */
    public Counters withReach(long ids) {
        if (ids < 1 || ids > MOST_REACH_GIVEN) {
            throw new IllegalArgumentException("a reach is 1 to " + MOST_REACH_GIVEN + ", got " + ids);
        }
        return changed(copy -> copy.reach = ids);
    }

    /**
     * Returns a copy with a name for the database server, which replaces the identity that the server reports. Use this
     * if idgen cannot read that identity, or if the same identity returns after a failback. Use the same name in all
     * processes, and a new one after each promotion.
     *
     * @param identity 1 to 64 characters of ASCII, without capitals
     * @return a new allocator
     * @throws IllegalArgumentException if it is another text
     */
    public Counters identifiedAs(String identity) {
        return changed(copy -> copy.identity = ServerIdentity.check(identity));
    }

    /** Returns a copy for serial numbers, with a new row for each period. */
    Counters forSerials(long largest, int parts) {
        return startingAt(1).below(largest + 1).withReach(Math.min(largest / parts + 1, CounterOptions.MOST_REACH));
    }

    @Override
    public long limit() {
        return options.limit;
    }

    /** {@inheritDoc} True after {@link #onDemand} and {@link #instance}. */
    @Override
    public boolean isOnDemand() {
        return options.onDemand;
    }

    @Override
    public Segment allocate(String name, int wanted) {
        return allocate(name, wanted, () -> 1);
    }

    /** Allocates ids. {@code atLeast} returns where the ids of a new row begin at the earliest. */
    Segment allocate(String name, int wanted, LongSupplier atLeast) {
        checkWanted(wanted);
        long most = options.limit - 1;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Segment> segment = take(name, wanted, most);
            if (segment.isPresent()) {
                return segment.get();
            }
            Optional<CounterStatements.CounterState> row = table.read(name);
            if (row.isPresent()) {
                most = left(name, row.get());
                steps.put(name, row.get().step());
            } else {
                make(name, atLeast);
            }
        }
        throw changedByOthers(name);
    }

    private StoreUnavailableException changedByOthers(String name) {
        return new StoreUnavailableException("the row of '" + name + "' in " + table
                + " was changed by other processes during each of " + ATTEMPTS + " attempts to allocate from it");
    }

    private Optional<Segment> take(String name, int wanted, long most) {
        if (options.onDemand) {
            return table.take(name, null, Math.min(wanted, most));
        }
        Integer step = steps.get(name);
        return step == null ? Optional.empty() : table.take(name, step, Math.min(Math.max(wanted, step), most));
    }

    /** Returns how many ids a row can grant now, at least 1. */
    private long left(String name, CounterStatements.CounterState row) {
        long largest = options.largestId();
        if (row.next() > largest) {
            throw limitReached(name, options.limit, table + ".next_id is " + row.next());
        }
        if (row.left() < 1) {
            throw new AllocationException(
                    ErrorCode.REACH_USED_UP,
                    "'" + name + "' in " + table + " has granted " + row.reach()
                            + " ids in ten minutes, which is its reach; it grants more at "
                            + Instant.ofEpochMilli(row.periodEndMillis())
                            + "; take fewer ids, or raise the column reach: " + Pages.DOCS + "databases.md");
        }
        return Math.min(row.left(), (largest - row.next()) / options.instances + 1);
    }

    private void make(String name, LongSupplier atLeast) {
        if (!options.isStartKnown() && !table.isKnown(name)) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "no row for '" + name + "' in " + table + " and no start given; set the first id by idgen.sources."
                            + name
                            + ".start or the method startingAt, or begin above the ids that exist by .adopt=table.column or the"
                            + " method adopting");
        }
        try {
            SegmentAllocator.checkName(name);
        } catch (IllegalArgumentException e) {
            throw new AllocationException(ErrorCode.INVALID_NAME, String.valueOf(e.getMessage()), e);
        }
        long elsewhere = atLeast.getAsLong(); // before the transaction, because it may ask other databases
        table.make(name, here -> aligned(name, Math.max(elsewhere, here)));
    }

    /** Returns the first id of this instance from a number on. */
    private long aligned(String name, long start) {
        long ahead = Math.floorMod(options.instance - start, (long) options.instances);
        if (start > options.largestId() - ahead) {
            throw limitReached(name, options.limit, "the first id would be at or above it");
        }
        return start + ahead;
    }

    @Override
    public void handBack(String name, List<Segment> newestFirst) {
        table.handBack(name, newestFirst);
    }

    /**
     * Raises the row of a name above an id that did not come from it, as after an import. Does nothing if the row is
     * above the id, or if there is no row. Blocks for at least one transaction.
     *
     * @param name the name of the ids
     * @param id the largest id in use
     * @return the next id before; empty if the row has not changed
     * @throws AllocationException {@link ErrorCode#KEYS_AHEAD} if the id is not below the limit, or if it is above the
     *     next id by more than the row's reach, which is how much a takeover by a replica can skip;
     *     {@link StoreUnavailableException} if the database does not answer
     */
    public OptionalLong raiseAbove(String name, long id) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<CounterStatements.CounterState> found = table.read(name);
            if (found.isEmpty() || found.get().next() > id) {
                return OptionalLong.empty();
            }
            CounterStatements.CounterState row = found.get();
            if (id >= options.limit || id - row.next() > row.lift() / 2) {
                throw new AllocationException(
                        ErrorCode.KEYS_AHEAD,
                        "the next id of '" + name + "' in " + table + " is " + row.next() + ", and " + id
                                + " is in use, "
                                + (id >= options.limit
                                        ? "not below the limit, " + options.limit + "; widen the column and raise the"
                                                + " limit by idgen.sources." + name + ".limit"
                                        : "more than the row's reach, " + row.reach() + ", above it; run UPDATE "
                                                + table
                                                + " SET next_id = " + aligned(name, id + 1) + " WHERE name = '"
                                                + name.replace("'", "''") + "'")
                                + "; or correct that id if it is a mistake");
            }
            if (table.statements.set(name, row, aligned(name, id + 1))) {
                return OptionalLong.of(row.next());
            }
        }
        throw changedByOthers(name);
    }

    static void checkWanted(int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
        }
    }

    static AllocationException limitReached(String name, long limit, String fact) {
        return new AllocationException(
                ErrorCode.LIMIT_REACHED,
                "all ids of '" + name + "' below " + limit + " are used (" + fact
                        + "); widen the column, then raise the limit by idgen.sources." + name
                        + ".limit or the method below");
    }
}
