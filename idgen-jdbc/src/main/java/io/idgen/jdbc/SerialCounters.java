package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The time of the database, and the rows of serial numbers. Takes their numbers ahead, or in transactions of the
 * application, which lock the row until they end: a rollback gives the number back, so no number is missing. The latter
 * ignores the server and the reach of a row: a replica that takes over has lost the last numbers together with the rows
 * that carry them.
 */
final class SerialCounters {
    private static final long READ_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The last period, and the one before, which threads that read the time just before still use. */
    private static final int PERIODS = 2;

    // with the 1/8 of numbers that a row grants in ten minutes, 16 processes have a segment and one in reserve
    private static final int PARTS = 256;

    private final Counters counters;
    private final CounterStatements rows;
    private final Transactions table;
    final Time time;
    private final Map<String, Map<String, IdSource>> periods = // the sources, by their rows
            Collections.synchronizedMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Map<String, IdSource>> eldest) {
                    if (size() <= PERIODS) {
                        return false;
                    }
                    eldest.getValue().values().forEach(IdSource::closeAsync);
                    return true;
                }
            });
    private final Map<String, String> lastRows = new ConcurrentHashMap<>(); // rows that exist, by tenant
    private volatile @Nullable String expressionOfTime;
    private volatile @Nullable Reading reading;

    /**
     * The clocks.
     *
     * @param store changes what the database's clock shows, for tests
     * @param nanos this host's monotonic clock
     */
    record Time(LongUnaryOperator store, LongSupplier nanos) {}

    private record Reading(long millis, long nanos) {
        long at(long nowNanos) {
            return millis + TimeUnit.NANOSECONDS.toMillis(nowNanos - nanos);
        }
    }

    SerialCounters(Counters counters, Time time) {
        this.counters = counters;
        CounterOptions options = counters.options;
        this.rows = new CounterStatements(options);
        this.table = CounterRows.in(new Transactions(options.dataSource, options.timeout), options.table);
        this.time = time;
    }

    /** Returns counters that share nothing with these. */
    SerialCounters with(Time newTime) {
        return new SerialCounters(counters, newTime);
    }

    /**
     * Returns the time of the database, read once a minute in a transaction of idgen's own. In between, and while the
     * database does not answer, this host's monotonic clock carries it on.
     */
    long nowMillis() {
        Reading known = reading;
        long now = time.nanos.getAsLong();
        if (known == null || now - known.nanos >= READ_AFTER_NANOS) {
            known = new Reading(read(known, now), now);
            reading = known;
        }
        return known.at(now);
    }

    private long read(@Nullable Reading known, long now) {
        try {
            return table.commit("reading the time of the database", (connection, dialect) -> {
                long millis = time(connection, dialect.statementMillis());
                expressionOfTime = dialect.statementMillis();
                return millis;
            });
        } catch (IdGenerationException e) {
            if (known == null) {
                throw e;
            }
            return known.at(now); // the next attempt is in a minute
        }
    }

    /** Reads the time of the database in a transaction of the application. */
    long nowMillis(Connection transaction) {
        try {
            if (transaction.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "a number without gaps is taken in a transaction, and this connection"
                                + " commits each statement by itself; call setAutoCommit(false), and commit after the insert");
            }
            if (expressionOfTime == null) {
                nowMillis(); // also creates a missing table, or reports it, before the transaction fails
            }
            return time(transaction, expressionOfTime);
        } catch (SQLException e) {
            throw failed("the time", e);
        }
    }

    /** Reads no row: under SERIALIZABLE, MariaDB and MySQL lock what they read, and the place of what is missing. */
    private long time(Connection connection, @Nullable String expression) throws SQLException {
        return new SqlText("SELECT " + expression + " FROM (SELECT COUNT(*) AS n FROM " + table + " WHERE 1 = 0) one")
                .first(connection, row -> time.store.applyAsLong(row.getLong(1)))
                .orElseThrow();
    }

    /** Takes the next number of a row ahead, usually from memory. */
    long take(String period, String row) {
        return periods.computeIfAbsent(period, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(row, this::source)
                .nextId();
    }

    /** Takes few ahead if there are few, so that several processes get some within the reach of the row. */
    private IdSource source(String row) {
        int most = (int) Math.min(10_000_000, counters.limit() / PARTS + 1);
        // a copy, because counters remember the names of their rows
        return SegmentIdSource.builder(counters.changed(same -> {}), row)
                .step(Math.min(most, 1_000))
                .maxStep(most)
                .build();
    }

    /**
     * Takes the next number of a row in a transaction of the application. Looks for the row, and creates it, in
     * transactions of idgen's own: MariaDB and MySQL may lock the place of a missing row for whoever looks for it.
     *
     * @param largest the largest number
     */
    long take(Connection transaction, String tenant, String row, long largest) {
        if (!row.equals(lastRows.get(tenant))) {
            SqlText query = new SqlText("SELECT 1 FROM " + table).where("name = ?", row);
            if (!table.commit("looking for '" + row + "'", (connection, dialect) -> query.finds(connection))) {
                rows.make(row, 1, start -> start);
            }
            lastRows.put(tenant, row);
        }
        try {
            int taken = new SqlText("UPDATE " + table)
                    .set("next_id = next_id + 1")
                    .where("name = ? AND instance = 1 AND instances = 1", row)
                    .where("next_id <= ?", largest)
                    .update(transaction);
            long next = new SqlText("SELECT next_id FROM " + table)
                    .where("name = ?", row)
                    .first(transaction, found -> found.getLong(1))
                    .orElse(0L);
            if (taken == 0 && next > largest) {
                throw new AllocationException(
                        ErrorCode.LIMIT_REACHED,
                        "all numbers of '" + row + "' up to " + largest + " are used; widen {number:…} in the format");
            } else if (taken == 0) {
                lastRows.remove(tenant);
                throw new SQLException("the transaction does not see the row: it began before the row was created, or"
                        + " the row is deleted, or the connection is to another database or schema");
            }
            return next - 1;
        } catch (SQLException e) {
            throw failed("a number of '" + row + "'", e);
        }
    }

    private StoreUnavailableException failed(String what, SQLException e) {
        return new StoreUnavailableException(
                what + " cannot be taken from " + table + ": " + e.getMessage()
                        + "; roll the transaction back and repeat it, at READ COMMITTED if this is frequent;"
                        + " a read-only transaction cannot take numbers",
                e);
    }

    /** Hands numbers that were taken ahead back. */
    void close() {
        periods.values().forEach(sources -> sources.values().forEach(IdSource::close));
    }
}
