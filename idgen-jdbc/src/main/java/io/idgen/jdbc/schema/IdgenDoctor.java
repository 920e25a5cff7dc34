package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
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
 * Looks at what idgen has on one database, and changes nothing: whether the tables are there, who has leased worker ids and how
 * far ahead, how far this host's clock is from the database's, how full segments and sequences are, and whether the connections
 * are to be had that idgen needs.
 */
public final class IdgenDoctor {

    /** Beyond this, a generator without a lease tells times that others will not believe. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /** As {@link IdgenRepair} sets horizons at least, and the skew of servers on both sides. */
    private static final Duration LEAST_WINDOW = Duration.ofMinutes(3);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final List<String> TABLES = List.of("worker", "segment", "sequence", "stepped");
    private static final double NEARLY_FULL = 0.9;
    private static final int MOST_ROWS = 20;

    private final Transactions transactions;
    private final InstantSource clock;
    private final String prefix;

    /**
     * What was looked at.
     *
     * @param good whether all is well with it
     * @param subject in a word or two
     * @param text what was found, and if it is not good, what to do
     */
    public record Finding(boolean good, String subject, String text) {}

    /** Work that gives a finding. */
    private interface Look {
        List<Finding> in(Connection connection, Dialect dialect) throws SQLException;
    }

    /**
     * A doctor for one database. Opens no connection.
     *
     * @param dataSource gives connections that may read idgen's tables
     * @param clock this host's, as generators without a lease read it
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
     * The same for tables of other names, in another schema.
     *
     * @param newPrefix what takes the place of {@value IdgenSchema#DEFAULT_PREFIX}, with a schema and a dot before it if need be
     * @return a doctor
     * @throws IllegalArgumentException if table names cannot begin with it
     */
    public IdgenDoctor withPrefix(String newPrefix) {
        SqlName.parse(newPrefix + "segment", 1, 3);
        return new IdgenDoctor(transactions, clock, newPrefix);
    }

    /**
     * Looks at everything.
     *
     * @return what was found
     * @throws AllocationException if the database does not answer, or has none of idgen's tables
     * @throws io.idgen.core.ConfigurationException if no dialect is known for it
     */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>(in("looking at the database", this::database));
        findings.add(connections());
        List<String> there = TABLES.stream().filter(this::isThere).toList();
        if (there.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.TABLE_MISSING,
                    "none of idgen's tables is there ("
                            + String.join(", ", TABLES.stream().map(this::table).toList())
                            + "); create it by what IdgenSchema prints, or look in another schema");
        }
        findings.add(tables(there));
        findings.addAll(in("looking at the durability of commits", this::durability));
        if (there.contains("worker")) {
            findings.addAll(in("comparing clocks", this::clocks));
            findings.addAll(in("looking at the worker ids", this::workers));
        }
        if (there.contains("segment")) {
            findings.addAll(in("looking at segments", fill("segment", "biz_tag", "max_id")));
        }
        if (there.contains("sequence")) {
            findings.addAll(in("looking at sequences", fill("sequence", "table_name", "next_id")));
        }
        if (there.contains("stepped")) {
            findings.addAll(in("looking at step increments", fill("stepped", "seq_name", "next_id")));
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

    /** As many at once as a process of idgen opens. */
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
                    "not even " + OwnConnections.MOST + " at once, which each process of idgen needs: "
                            + e.getMessage());
        }
        return new Finding(
                true,
                "connections",
                OwnConnections.MOST + " at once, as many as a process of idgen opens, in "
                        + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
    }

    private boolean isThere(String name) {
        return transactions.commit("looking for " + table(name), (connection, dialect) -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 FROM " + table(name) + " WHERE 1 = 0");
                return true;
            } catch (SQLException e) {
                if (dialect.isMissingTable(e)) {
                    return false;
                }
                throw e;
            }
        });
    }

    private Finding tables(List<String> there) {
        List<String> missing = TABLES.stream()
                .filter(table -> !there.contains(table))
                .map(this::table)
                .toList();
        return missing.isEmpty()
                ? new Finding(true, "tables", "all " + TABLES.size() + " are there")
                : new Finding(
                        false,
                        "tables",
                        String.join(", ", missing)
                                + " missing; create them by the same release's script, or leave them out if their strategy"
                                + " is not used");
    }

    /** A database in memory ends with its process, and so do its commits. */
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
                                    found.getString(1) + ": a crash loses commits that were acknowledged, and their ids"
                                            + " repeat; set the database to write each commit to disk, or repair"
                                            + " idgen's tables after each crash")
                            : new Finding(true, "durability", "commits are on disk before they are acknowledged"));
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
                    return List.of(); // no row, no clock
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
                                "this host is " + Math.abs(aheadMillis) + " ms "
                                        + (aheadMillis < 0 ? "behind" : "ahead of")
                                        + " the database, to within " + trip.toMillis() + " ms"
                                        + (good
                                                ? ""
                                                : "; correct the time of one of them before generators without a lease run here")));
            }
        }
    }

    private List<Finding> workers(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> now = dialect.nowMillis();
        if (now.isEmpty()) {
            return List.of(new Finding(true, "worker ids", "not leased on this database, which has no clock for them"));
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
                ? List.of(
                        new Finding(true, "worker ids", "none yet; the first process makes the rows of its namespace"))
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
                                : "; the next process gets none: stop some, or choose a layout with more worker bits"));
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
                                : ", and " + most / 1000
                                        + " s is what a right clock grants; correct the database's clock,"
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
                                        ? ", and ids begin at 1: set it above the ids in use"
                                        : ", nearly the last a bigint holds: move to another name and column"));
    }

    /** Of the narrowest column type that holds it. */
    private static String share(long next) {
        long limit = next <= Integer.MAX_VALUE ? Integer.MAX_VALUE : next <= 1L << 53 ? 1L << 53 : Long.MAX_VALUE;
        String what = limit == Integer.MAX_VALUE
                ? "an int column holds"
                : limit == Long.MAX_VALUE ? "a bigint column holds" : "JavaScript's numbers hold";
        return String.format(Locale.ROOT, "%.2f %% of what %s", 100.0 * next / limit, what);
    }
}
