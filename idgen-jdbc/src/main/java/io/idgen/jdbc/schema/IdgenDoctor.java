package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Examines idgen's tables on one database, and changes nothing. Reports which tables exist, which worker ids are leased
 * and how far ahead, how far this host's clock is from the database's, how full segments and sequences are, and whether
 * the connections that idgen needs can be opened. Immutable and safe for many threads.
 */
public final class IdgenDoctor {

    /** With a larger difference, a generator without a lease puts wrong times into its ids. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /** A repair advances horizons at least this far ahead, plus the skew of servers. */
    private static final Duration LEAST_WINDOW = Duration.ofMinutes(3);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final List<String> TABLES = List.of("worker", "segment", "sequence", "stepped");
    private static final double NEARLY_FULL = 0.9;
    private static final int MOST_ROWS = 20;

    private final Transactions transactions;
    private final InstantSource clock;
    private final String prefix;

    /**
     * The result of one examination.
     *
     * @param good whether no action is needed
     * @param subject what was examined, in one or two words
     * @param text what was found; if it is not good, also what to do
     */
    public record Finding(boolean good, String subject, String text) {}

    /** An examination. */
    private interface Look {
        List<Finding> in(Connection connection, Dialect dialect) throws SQLException;
    }

    /**
     * Creates a doctor for one database. Opens no connection.
     *
     * @param dataSource provides connections that may read idgen's tables
     * @param clock this host's clock, as generators without a lease read it
     */
    public IdgenDoctor(DataSource dataSource, InstantSource clock) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), TIMEOUT),
                Objects.requireNonNull(clock),
                IdgenSchema.DEFAULT_PREFIX);
    }

    private IdgenDoctor(Transactions transactions, InstantSource clock, String prefix) {
        this.transactions = transactions;
        this.clock = clock;
        this.prefix = prefix;
    }

    /**
     * Returns a copy for tables with another prefix, or in another schema.
     *
     * @param newPrefix replaces {@value IdgenSchema#DEFAULT_PREFIX}; to use another schema, begin it with the schema
     *     and a dot
     * @return a new doctor
     * @throws IllegalArgumentException if table names cannot begin with the prefix
     */
    public IdgenDoctor withPrefix(String newPrefix) {
        SqlName.parse(newPrefix + "segment", 1, 3);
        return new IdgenDoctor(transactions, clock, newPrefix);
    }

    /**
     * Runs all examinations. Blocks for several short transactions, each statement for at most 5 s.
     *
     * @return the findings
     * @throws AllocationException if the database does not answer, or has none of idgen's tables
     * @throws io.idgen.core.ConfigurationException if idgen has no dialect for the database
     */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>(in("reading the database's metadata", this::database));
        findings.add(connections());
        List<String> there = TABLES.stream().filter(this::isThere).toList();
        if (there.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.TABLE_MISSING,
                    "none of idgen's tables exists ("
                            + String.join(", ", TABLES.stream().map(this::table).toList())
                            + "); create them with the script that IdgenSchema prints, or choose another schema");
        }
        findings.add(tables(there));
        findings.addAll(in("checking the durability of commits", this::durability));
        if (there.contains("worker")) {
            findings.addAll(in("comparing clocks", this::clocks));
            findings.addAll(in("reading the worker ids", this::workers));
        }
        if (there.contains("segment")) {
            findings.addAll(in("reading the segments", fill("segment", "biz_tag", "max_id")));
        }
        if (there.contains("sequence")) {
            findings.addAll(in("reading the sequences", fill("sequence", "table_name", "next_id")));
        }
        if (there.contains("stepped")) {
            findings.addAll(in("reading the stepped sequences", fill("stepped", "seq_name", "next_id")));
        }
        return findings;
    }

    private List<Finding> in(String purpose, Look look) {
        return transactions.commit(purpose, look::in);
    }

    private String table(String name) {
        return prefix + name;
    }

    private List<Finding> database(Connection connection, Dialect dialect) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return List.of(new Finding(
                true,
                "database",
                database.getDatabaseProductName() + " " + database.getDatabaseProductVersion() + ", dialect "
                        + dialect.name() + ", driver " + database.getDriverName() + " " + database.getDriverVersion()));
    }

    /** Opens as many connections at a time as a process with idgen does. */
    private Finding connections() {
        long start = System.nanoTime();
        try {
            transactions.commit(
                    "opening a connection",
                    (one, dialect) -> transactions.commit("opening a second connection", (two, same) -> true));
        } catch (AllocationException e) {
            return new Finding(
                    false,
                    "connections",
                    "cannot open " + OwnConnections.MOST + " at a time, which each process with idgen needs: "
                            + e.getMessage());
        }
        return new Finding(
                true,
                "connections",
                OwnConnections.MOST + " at a time, which each process with idgen needs, opened in "
                        + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
    }

    private boolean isThere(String name) {
        return OwnTable.exists(transactions, SqlName.parse(table(name), 1, 3));
    }

    private Finding tables(List<String> there) {
        List<String> missing = TABLES.stream()
                .filter(table -> !there.contains(table))
                .map(this::table)
                .toList();
        return missing.isEmpty()
                ? new Finding(true, "tables", "all " + TABLES.size() + " exist")
                : new Finding(
                        false,
                        "tables",
                        String.join(", ", missing)
                                + " missing; create them with the script of the same release, unless you do not use their"
                                + " strategy");
    }

    /** A database in memory ends with its process, so its durability does not matter. */
    private List<Finding> durability(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> query = dialect.settingsThatLoseCommits();
        if (query.isEmpty() || EmbeddedDatabase.isInMemory(connection)) {
            return List.of();
        }
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query.get())) {
            return List.of(
                    found.next()
                            ? new Finding(
                                    false,
                                    "durability",
                                    found.getString(1) + ": a crash loses acknowledged commits, and their ids"
                                            + " repeat; configure the database to write each commit to disk, or repair"
                                            + " idgen's tables after each crash")
                            : new Finding(
                                    true, "durability", "commits are written to disk before they are acknowledged"));
        }
    }

    private List<Finding> clocks(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> now = dialect.nowMillis();
        if (now.isEmpty()) {
            return List.of();
        }
        try (Statement statement = connection.createStatement()) {
            Instant before = clock.instant();
            try (ResultSet found =
                    statement.executeQuery("SELECT MAX(" + now.get() + "), COUNT(*) FROM " + table("worker"))) {
                found.next();
                if (found.getLong(2) == 0) {
                    return List.of(); // the query needs a row to return the time
                }
                Duration trip = Duration.between(before, clock.instant());
                Instant middle = before.plus(trip.dividedBy(2));
                long aheadMillis = Duration.between(Instant.ofEpochMilli(found.getLong(1)), middle)
                        .toMillis();
                boolean good = Math.abs(aheadMillis) - trip.toMillis() <= CLOCK_TOLERANCE.toMillis();
                return List.of(
                        new Finding(
                                good,
                                "clock",
                                "this host's clock is " + Math.abs(aheadMillis) + " ms "
                                        + (aheadMillis < 0 ? "behind" : "ahead of")
                                        + " the database's, to within " + trip.toMillis() + " ms"
                                        + (good
                                                ? ""
                                                : "; correct one of the clocks before you run generators without a lease here")));
            }
        }
    }

    private List<Finding> workers(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> now = dialect.nowMillis();
        if (now.isEmpty()) {
            return List.of(new Finding(true, "worker ids", "not leased on this database: idgen cannot read its clock"));
        }
        List<Finding> findings = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("SELECT namespace, layout, COUNT(*), COUNT(CASE WHEN lease_until >= "
                                + now.get() + " AND lease_until < " + WorkerRows.ENDLESS
                                + " THEN 1 END), MAX(horizon), MAX(longest_window), MAX(" + now.get()
                                + "), COUNT(CASE WHEN lease_until >= " + WorkerRows.ENDLESS
                                + " THEN 1 END) FROM "
                                + table("worker")
                                + " WHERE worker_id >= 0 GROUP BY namespace, layout ORDER BY namespace, layout")) {
            while (found.next()) {
                String name = found.getString(1) + ", " + found.getString(2);
                findings.add(leases(name, found.getLong(3) - found.getLong(8), found.getLong(4)));
                findings.add(horizon(name, found.getLong(5) - found.getLong(7), found.getLong(6)));
            }
        }
        findings.addAll(reserved(connection, now.get()));
        return findings.isEmpty()
                ? List.of(new Finding(
                        true, "worker ids", "none yet; the first process creates the rows of its namespace"))
                : findings;
    }

    private List<Finding> reserved(Connection connection, String now) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(MOST_ROWS);
            try (ResultSet found = statement.executeQuery("SELECT namespace, worker_id, owner_token, lease_until - "
                    + WorkerRows.ENDLESS + ", " + now + ", owner_info FROM " + table("worker")
                    + " WHERE lease_until >= "
                    + WorkerRows.ENDLESS + " ORDER BY namespace, worker_id")) {
                while (found.next()) {
                    boolean held = !WorkerRows.RESERVED.equals(found.getString(3));
                    Instant until = Instant.ofEpochMilli(found.getLong(4));
                    boolean alive = found.getLong(4) >= found.getLong(5);
                    findings.add(new Finding(
                            true,
                            "reserved",
                            found.getString(1) + ": worker id " + found.getInt(2)
                                    + (!held
                                            ? ", held by no process"
                                            : alive
                                                    ? ", held by " + found.getString(6)
                                                    : ", last held by " + found.getString(6)
                                                            + ", which has not renewed it since " + until)));
                }
            }
        }
        return findings;
    }

    private static Finding leases(String name, long all, long leased) {
        return new Finding(
                leased < all,
                "worker ids",
                name + ": " + leased + " of " + all + " leased"
                        + (leased < all
                                ? ""
                                : "; the next process gets none: stop some processes, or choose a layout with more worker bits"));
    }

    private static Finding horizon(String name, long aheadMillis, long longestWindowMillis) {
        long most = Math.max(LEAST_WINDOW.toMillis(), longestWindowMillis)
                + LeaseStore.SERVER_SKEW.multipliedBy(2).toMillis();
        boolean good = aheadMillis <= most;
        return new Finding(
                good,
                "horizons",
                name + ": "
                        + (aheadMillis <= 0
                                ? "all in the past"
                                : "ticks are granted up to " + aheadMillis / 1000 + " s ahead")
                        + (good
                                ? ""
                                : ", but a correct clock grants at most " + most / 1000
                                        + " s; correct the database's clock,"
                                        + " stop all processes, then repair the worker ids"));
    }

    private Look fill(String table, String key, String number) {
        return (connection, dialect) -> {
            List<Finding> findings = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(MOST_ROWS);
                try (ResultSet found = statement.executeQuery(
                        "SELECT " + key + ", " + number + " FROM " + table(table) + " ORDER BY " + number + " DESC")) {
                    while (found.next()) {
                        findings.add(fill(table, found.getString(1), found.getLong(2)));
                    }
                }
            }
            return findings;
        };
    }

    private static Finding fill(String table, String name, long next) {
        boolean good = next >= 1 && next < NEARLY_FULL * Long.MAX_VALUE;
        return new Finding(
                good,
                table,
                name + ": next id " + next
                        + (good
                                ? ", " + share(next)
                                : next < 1
                                        ? ", but ids start at 1: set it above the ids in use"
                                        : ", close to the maximum of a bigint: move to another name and column"));
    }

    /** The used share of the narrowest number type that can hold the id. */
    private static String share(long next) {
        long limit = next <= Integer.MAX_VALUE ? Integer.MAX_VALUE : next <= 1L << 53 ? 1L << 53 : Long.MAX_VALUE;
        String what = limit == Integer.MAX_VALUE
                ? "an int column holds"
                : limit == Long.MAX_VALUE ? "a bigint column holds" : "JavaScript's numbers hold";
        return String.format(Locale.ROOT, "%.2f %% of what %s", 100.0 * next / limit, what);
    }
}
