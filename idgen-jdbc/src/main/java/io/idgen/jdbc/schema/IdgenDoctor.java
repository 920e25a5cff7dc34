package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.CounterCheck.Known;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Examines idgen's tables on one database, and changes nothing. Reports which tables exist, which worker ids are leased
 * and how far ahead, when layouts end, how far this host's clock is from the database's, how full segments and
 * sequences are, whether commits are durable, and whether the connections that idgen needs can be opened. Immutable and
 * safe for many threads.
 */
public final class IdgenDoctor {

    /** How many findings that need no action one table gets. */
    static final int MOST_ROWS = 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Transactions transactions;
    private final InstantSource clock;
    private final String prefix;
    private final Set<Table> expected;
    private final Known known;

    /** The tables, and the strategies that use them. */
    private enum Table {
        WORKER("worker", "snowflake"),
        SEGMENT("segment", "segment"),
        SEQUENCE("sequence", "sequence-table"),
        STEPPED("stepped", "stepped");

        private final String suffix;
        private final String strategy;

        Table(String suffix, String strategy) {
            this.suffix = suffix;
            this.strategy = strategy;
        }

        static Table of(String strategy) {
            return Arrays.stream(values())
                    .filter(each -> each.strategy.equals(strategy))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("a strategy with a table is one of "
                            + String.join(", ", strategies()) + ", got '" + strategy + "'"));
        }
    }

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
                Objects.requireNonNull(dataSource),
                new Transactions(dataSource, TIMEOUT),
                Objects.requireNonNull(clock),
                IdgenSchema.DEFAULT_PREFIX,
                EnumSet.noneOf(Table.class),
                new Known(Map.of(), Map.of()));
    }

    private IdgenDoctor(
            DataSource dataSource,
            Transactions transactions,
            InstantSource clock,
            String prefix,
            Set<Table> expected,
            Known known) {
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.clock = clock;
        this.prefix = prefix;
        this.expected = expected;
        this.known = known;
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
        return new IdgenDoctor(dataSource, transactions, clock, newPrefix, expected, known);
    }

    /**
     * Returns the strategies that use a table of idgen.
     *
     * @return names for {@link #expecting}
     */
    public static List<String> strategies() {
        return Arrays.stream(Table.values()).map(table -> table.strategy).toList();
    }

    /**
     * Returns a copy that reports an error if the table of one of these strategies is missing. Otherwise, the doctor
     * assumes that no other tables than the existing ones are needed.
     *
     * @param strategies some of {@link #strategies()}
     * @return a new doctor
     * @throws IllegalArgumentException if there is no such strategy, or it has no table
     */
    public IdgenDoctor expecting(String... strategies) {
        Set<Table> tables = EnumSet.noneOf(Table.class);
        Arrays.stream(strategies).map(Table::of).forEach(tables::add);
        return new IdgenDoctor(dataSource, transactions, clock, prefix, tables, known);
    }

    /**
     * Returns a copy that knows the column with the ids of a source. The doctor then compares the source's counter with
     * the range of the column and with the ids in it.
     *
     * @param source the name of the source
     * @param column the column, for example {@code orders.id}; do not pass user input
     * @return a new doctor
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column
     */
    public IdgenDoctor withColumn(String source, String column) {
        Map<String, SqlName> columns = new HashMap<>(known.columns());
        columns.put(source, SqlName.parse(column, 2, 4));
        return new IdgenDoctor(dataSource, transactions, clock, prefix, expected, new Known(columns, known.limits()));
    }

    /**
     * Returns a copy that knows the limit of a source, as in {@code idgen.sources.<name>.limit}.
     *
     * @param source the name of the source
     * @param limit all ids of the source are below it; at least 2
     * @return a new doctor
     * @throws IllegalArgumentException if the limit is below 2
     */
    public IdgenDoctor withLimit(String source, long limit) {
        if (limit < 2) {
            throw new IllegalArgumentException("a limit must be at least 2, got " + limit);
        }
        Map<String, Long> limits = new HashMap<>(known.limits());
        limits.put(source, limit);
        return new IdgenDoctor(dataSource, transactions, clock, prefix, expected, new Known(known.columns(), limits));
    }

    /**
     * Runs all examinations. Blocks for several short transactions, each statement for at most 5 s.
     *
     * @return the findings
     * @throws AllocationException if the database does not answer, or a column that was named cannot be read
     * @throws io.idgen.core.ConfigurationException if idgen has no dialect for the database
     */
    public List<Finding> examine() {
        // first, because transactions set the mode of their connections
        List<Finding> autoCommit =
                transactions.commitEach("looking for the auto-commit mode of sessions", IdgenDoctor::autoCommit);
        List<Finding> findings = new ArrayList<>(in("reading the database's metadata", this::database));
        findings.addAll(autoCommit);
        findings.add(connections());
        Set<Table> there = EnumSet.noneOf(Table.class);
        Arrays.stream(Table.values())
                .filter(table -> OwnTable.exists(transactions, name(table)))
                .forEach(there::add);
        findings.addAll(tables(there));
        findings.addAll(in("checking the durability of commits", this::durability));
        if (!there.isEmpty()) {
            findings.addAll(identity(there));
            findings.addAll(in("looking for triggers", (connection, dialect) -> triggers(connection, dialect, there)));
            findings.addAll(in("comparing clocks", (connection, dialect) -> clocks(connection, dialect, there)));
        }
        if (there.contains(Table.WORKER)) {
            findings.addAll(in("reading the worker ids", this::workers));
        }
        List<CounterCheck> counters = new ArrayList<>();
        if (there.contains(Table.SEGMENT)) {
            counters.add(CounterCheck.segments(prefix));
        }
        if (there.contains(Table.SEQUENCE)) {
            counters.add(CounterCheck.sequences(prefix));
        }
        if (there.contains(Table.STEPPED)) {
            counters.add(CounterCheck.stepped(prefix));
        }
        for (CounterCheck each : counters) {
            findings.addAll(in(
                    "reading " + each.rows().table(),
                    (connection, dialect) -> each.findings(connection, dialect, known)));
        }
        findings.addAll(in("looking for the sources", (connection, dialect) -> unknown(connection, counters)));
        return findings;
    }

    /**
     * Tests whether the database, and the network path to it, isolate concurrent connections. If several connections
     * compare and set one row, exactly one must succeed. A counter must give each connection a different number. Uses
     * idgen's own statements and transactions in a separate table, which it creates and drops. Blocks for a transaction
     * per round, for at most 30 s each.
     *
     * @param connections how many connections race, at least 2; the data source must provide that many and one more
     * @param rounds how often they race in each of the two tests
     * @return the findings
     * @throws IllegalArgumentException if there are fewer than 2 connections or no rounds
     * @throws AllocationException if the database does not answer, or this user may not create the table
     * @throws io.idgen.core.ConfigurationException if idgen has no dialect for the database
     */
    public List<Finding> race(int connections, int rounds) {
        if (connections < 2 || rounds < 1) {
            throw new IllegalArgumentException(
                    "a race needs at least 2 connections and 1 round, got " + connections + " and " + rounds);
        }
        List<Finding> findings = new ArrayList<>(in("reading the database's metadata", this::database));
        findings.addAll(new Race(dataSource, prefix, connections, rounds).run());
        return findings;
    }

    private List<Finding> in(String purpose, Look look) {
        return transactions.commit(purpose, look::in);
    }

    private SqlName name(Table table) {
        return SqlName.parse(prefix + table.suffix, 1, 3);
    }

    private String names(Set<Table> tables) {
        return tables.stream().map(table -> name(table).toString()).collect(Collectors.joining(", "));
    }

    private List<Finding> database(Connection connection, Dialect dialect) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return List.of(new Finding(
                Level.OK,
                "database",
                database.getDatabaseProductName() + " " + database.getDatabaseProductVersion() + ", dialect "
                        + dialect.name() + ", driver " + database.getDriverName() + " " + database.getDriverVersion()));
    }

    /** Opens as many connections at a time as a process with idgen opens. */
    private Finding connections() {
        long start = System.nanoTime();
        try {
            transactions.commit(
                    "opening a connection",
                    (one, dialect) -> transactions.commit("opening a second connection", (two, same) -> true));
        } catch (AllocationException e) {
            return new Finding(
                    Level.WRONG,
                    "connections",
                    "cannot open " + OwnConnections.MOST + " at a time, which each process with idgen needs: "
                            + e.getMessage());
        }
        return new Finding(
                Level.OK,
                "connections",
                OwnConnections.MOST + " at a time, which each process with idgen needs, opened in "
                        + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
    }

    private List<Finding> tables(Set<Table> there) {
        List<Finding> findings = new ArrayList<>();
        if (there.isEmpty() && expected.isEmpty()) {
            findings.add(new Finding(
                    Level.WRONG,
                    "tables",
                    "none of idgen's tables exists (" + names(EnumSet.allOf(Table.class))
                            + "); create them with the script that idgen schema prints, or name their prefix or schema"
                            + " with --prefix"));
        }
        if (!there.isEmpty()) {
            findings.add(new Finding(Level.OK, "tables", names(there) + (there.size() == 1 ? " exists" : " exist")));
        }
        Set<Table> missing = EnumSet.copyOf(expected);
        missing.removeAll(there);
        for (Table table : missing) {
            findings.add(new Finding(
                    Level.WRONG,
                    "tables",
                    name(table) + " does not exist, and the strategy " + table.strategy
                            + " needs it; create it with the script that idgen schema prints"));
        }
        return findings;
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
                                    Level.WARN,
                                    "durability",
                                    found.getString(1)
                                            + ": a crash can lose the last commits, and their ids can then repeat; let the"
                                            + " database write each commit to disk before it acknowledges it, or repair idgen's"
                                            + " tables after each crash")
                            : new Finding(
                                    Level.OK,
                                    "durability",
                                    "commits are written to disk before they are acknowledged"));
        }
    }

    /** Reports a driver that takes a session to be in auto-commit mode although it is not. */
    private static List<Finding> autoCommit(Connection connection, Dialect dialect) throws SQLException {
        if (Transactions.isAutoCommit(connection, dialect)) {
            return List.of();
        }
        return List.of(new Finding(
                Level.WARN,
                "auto-commit",
                "sessions begin without auto-commit mode, and the driver does not notice it: rows that the application"
                        + " inserts in this mode get lost; idgen notices it and sets the mode, which costs a round trip for each"
                        + " statement; set autocommit=1 on the server, or as a session variable in the JDBC URL"));
    }

    /** Evaluates the server's identity, as the statements of leases and counters do. */
    private List<Finding> identity(Set<Table> there) {
        try {
            return in("reading the server's identity", (connection, dialect) -> {
                for (String each : List.of(dialect.serverIdentity(), dialect.serverIdentityOfCounters(connection))) {
                    try (PreparedStatement statement = connection.prepareStatement(
                            "SELECT 1 FROM " + name(there.iterator().next()) + " WHERE " + each + " = 'x'")) {
                        statement.executeQuery().close();
                    }
                }
                return List.of();
            });
        } catch (AllocationException e) {
            if (e.code() != ErrorCode.STATEMENT_REFUSED) {
                throw e;
            }
            return List.of(new Finding(
                    Level.WRONG,
                    "identity",
                    "idgen cannot tell this server from one that takes over, so leases and counters fail: "
                            + e.getMessage() + "; allow this user to use that function, or set"
                            + " idgen.jdbc.server-identity in all processes; if it is set, ignore this finding"));
        }
    }

    private List<Finding> triggers(Connection connection, Dialect dialect, Set<Table> there) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Table table : dialect.triggers().isEmpty() ? Set.<Table>of() : there) {
            try (Statement statement = connection.createStatement();
                    ResultSet none = statement.executeQuery("SELECT * FROM " + name(table) + " WHERE 1 = 0");
                    PreparedStatement query =
                            connection.prepareStatement(dialect.triggers().orElseThrow())) {
                query.setString(1, none.getMetaData().getCatalogName(1));
                query.setString(2, none.getMetaData().getTableName(1));
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        findings.add(new Finding(
                                Level.WRONG,
                                "triggers",
                                name(table) + " has the trigger " + found.getString(1)
                                        + ", with which the database does not report granted ids: drop the trigger"));
                    }
                }
            }
        }
        return findings;
    }

    private List<Finding> clocks(Connection connection, Dialect dialect, Set<Table> there) throws SQLException {
        Optional<String> now = dialect.nowMillis();
        for (Table table : now.isEmpty() ? Set.<Table>of() : there) {
            Optional<Finding> finding = new ClockCheck(name(table)).finding(connection, now.get(), clock);
            if (finding.isPresent()) {
                return List.of(finding.get());
            }
        }
        return List.of();
    }

    private List<Finding> workers(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> now = dialect.nowMillis();
        return now.isEmpty()
                ? List.of(
                        new Finding(Level.OK, "worker ids", "not leased on this database: idgen cannot read its clock"))
                : new WorkerCheck(name(Table.WORKER)).findings(connection, now.get());
    }

    /** Reports named sources that have no row, because their names may be mistyped. */
    private List<Finding> unknown(Connection connection, List<CounterCheck> counters) throws SQLException {
        Set<String> sources = new TreeSet<>(known.columns().keySet());
        sources.addAll(known.limits().keySet());
        List<Finding> findings = new ArrayList<>();
        for (String source : sources) {
            boolean has = false;
            for (CounterCheck each : counters) {
                has |= each.has(connection, source);
            }
            if (!has) {
                findings.add(new Finding(
                        Level.WARN,
                        "source",
                        source + ": no table has its row; correct the name, or let the first process create the row"));
            }
        }
        return findings;
    }
}
