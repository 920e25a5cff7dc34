package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * idgen's tables on one database, and what you know about the ids in other tables. Opens no connection. Immutable and
 * safe for many threads.
 */
public record KnownTables(
        DataSource dataSource,
        String prefix,
        List<Column> columns,
        @Nullable Instant backup,
        @Nullable String identity) {
    private static final String WORKER = "worker";
    private static final String UNKNOWN_SERVER = "?";

    /** A column with ids of a source. */
    record Column(String source, SqlName name) {}

    /**
     * Names the tables of a database that begin with {@value IdgenSchema#DEFAULT_PREFIX}.
     *
     * @param dataSource provides connections that may read idgen's tables; for a repair, they may also change these
     */
    public KnownTables(DataSource dataSource) {
        this(dataSource, IdgenSchema.DEFAULT_PREFIX, List.of(), null, null);
    }

    /**
     * Returns a copy for tables with another prefix, or in another schema.
     *
     * @param newPrefix replaces {@value IdgenSchema#DEFAULT_PREFIX}; to use another schema, begin it with the schema
     *     and a dot
     * @return new tables
     * @throws IllegalArgumentException if table names cannot begin with the prefix
     */
    public KnownTables withPrefix(String newPrefix) {
        CounterRows.named(newPrefix);
        return new KnownTables(dataSource, newPrefix, columns, backup, identity);
    }

    /**
     * Returns a copy that knows a column with ids of a source. Call it once for each column. The doctor compares the
     * source's counter with the range of the column and with the ids in it. A repair raises the counter above these
     * ids.
     *
     * @param source the name of the source
     * @param column the column, for example {@code orders.id}; do not pass user input
     * @return new tables
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column
     */
    public KnownTables withColumn(String source, String column) {
        List<Column> more = new ArrayList<>(columns);
        more.add(new Column(source, SqlName.parse(column, 2, 4)));
        return new KnownTables(dataSource, prefix, List.copyOf(more), backup, identity);
    }

    /**
     * Returns a copy that knows the time of the restored backup. For each ten minutes since then, a repair raises a
     * counter by three times its reach: it cannot have granted more than its reach, and a server that took over skipped
     * twice its reach. It raises it by at least six times its reach.
     *
     * @param time the time of the last commit in the restored data; if in doubt, an earlier time. If servers took over
     *     more often than every ten minutes, a time that is ten minutes earlier for each of them; a restart counts as a
     *     takeover on MySQL without GTIDs, and on MariaDB and MySQL if a crash can lose commits
     * @return new tables
     */
    public KnownTables restoredFrom(Instant time) {
        return new KnownTables(dataSource, prefix, columns, time, identity);
    }

    /**
     * Returns a copy that knows the name of the database server, as in {@code idgen.jdbc.server-identity}.
     *
     * @param name the name that all processes have
     * @return new tables
     * @throws IllegalArgumentException if it is blank or longer than 64 characters
     */
    public KnownTables identifiedAs(String name) {
        return new KnownTables(dataSource, prefix, columns, backup, ServerIdentity.check(name));
    }

    // ---- for the doctor and repairs ----

    List<SqlName> columnsOf(String source) {
        return columns.stream()
                .filter(each -> each.source.equals(source))
                .map(Column::name)
                .toList();
    }

    SqlName workers() {
        return SqlName.parse(prefix + WORKER, 1, 3);
    }

    SqlName counters() {
        return CounterRows.named(prefix);
    }

    WorkerTableAdmin admin(Transactions transactions) {
        return new WorkerTableAdmin(workers(transactions), identity);
    }

    /** For a user that may not read the server's identity: no row counts as granted by this server. */
    WorkerTableAdmin withoutServer(Transactions transactions) {
        return new WorkerTableAdmin(workers(transactions), UNKNOWN_SERVER);
    }

    Transactions workers(Transactions transactions) {
        return transactions.on(workers(), IdgenSchema.DEFAULT_PREFIX + WORKER);
    }

    /** Returns the tables that exist. Fails if none does. */
    List<SqlName> existing(Transactions transactions) {
        List<SqlName> existing =
                Stream.of(workers(), counters()).filter(transactions::exists).toList();
        if (existing.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.TABLE_MISSING,
                    "none of idgen's tables exists with the prefix " + prefix
                            + "; name the prefix or the schema of the tables, or create them with the script that idgen"
                            + " schema prints");
        }
        return existing;
    }
}
