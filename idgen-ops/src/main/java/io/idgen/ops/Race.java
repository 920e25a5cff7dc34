package io.idgen.ops;

import static io.idgen.ops.Findings.ok;
import static io.idgen.ops.Findings.warn;
import static io.idgen.ops.Findings.wrong;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.lease.Finding;
import io.idgen.jdbc.dialect.Addition;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.internal.connection.HeldConnection;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import io.idgen.jdbc.schema.IdgenSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tests on a database two properties that idgen relies on. If several connections compare and set one row, exactly one
 * succeeds. A counter gives each connection a different number. The race uses a separate table, which it drops, and the
 * statements and transactions of idgen.
 */
final class Race {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final System.Logger LOG = System.getLogger(Race.class.getName());

    /** The rows of the table. */
    private static final String COMPARED = "compared";

    private static final String COUNTED = "counted";

    private final DataSource dataSource;
    private final Transactions transactions;
    private final SqlName table;
    private final int connections;
    private final int rounds;
    private final CyclicBarrier barrier;
    private int round; // written only by the last thread at the barrier

    /** The results of one connection. Only its own thread writes them; they are read after it has ended. */
    static final class Runner {
        /** The rounds in which its compare-and-set changed the row. */
        final List<Integer> won = new ArrayList<>();

        /** The rounds whose outcome is unknown. */
        final List<Integer> unknown = new ArrayList<>();

        final List<Long> numbers = new ArrayList<>();
        int failures;

        @Nullable
        String failure;

        void failed(IdGenerationException e) {
            failures++;
            if (failure == null) {
                failure = e.getMessage();
            }
        }
    }

    /**
     * Creates a race of {@code connections} threads.
     *
     * @param prefix the prefix of idgen's tables and of the table that the race creates
     */
    Race(DataSource dataSource, String prefix, int connections, int rounds) {
        this.dataSource = dataSource;
        this.transactions = new Transactions(dataSource, TIMEOUT);
        this.table = SqlName.parse(
                prefix + "race_" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), Character.MAX_RADIX),
                1,
                3);
        this.connections = connections;
        this.rounds = rounds;
        this.barrier = new CyclicBarrier(connections, this::nextRound);
    }

    /** Runs the race, and always drops its table. */
    List<Finding> run() {
        String isolation = create();
        try {
            List<Runner> runners = start();
            List<Finding> findings = new ArrayList<>(judge(runners, rounds));
            findings.add(ok(
                    "race",
                    connections + " connections, " + rounds + " rounds each, in a table of its own (" + table
                            + ", dropped); idgen works in READ COMMITTED, the connections' own level is " + isolation));
            return findings;
        } finally {
            define("DROP TABLE " + table);
        }
    }

    /** Creates the table. Returns the default isolation level of connections. */
    private String create() {
        for (String statement : transactions.commit(
                "reading the database's metadata",
                (connection, dialect) -> SchemaScript.create(dialect)
                        .statementsFor(
                                CounterTable.SEQUENCE
                                        .named(IdgenSchema.DEFAULT_PREFIX)
                                        .toString(),
                                table.toString()))) {
            define(statement);
        }
        for (String row : List.of(COMPARED, COUNTED)) {
            execute("INSERT INTO " + table + " (table_name, next_id) VALUES ('" + row + "', 1)");
        }
        try (Connection connection = dataSource.getConnection()) {
            return switch (connection.getTransactionIsolation()) {
                case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
                case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
                case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
                case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
                default -> "none";
            };
        } catch (SQLException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }

    /** Runs DDL outside a transaction. In a transaction, some databases would wait for themselves. */
    private void define(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    "a race creates and drops a table, and this failed: "
                            + sql.lines().findFirst().orElse(sql) + " ("
                            + e.getMessage() + "); let a user with these rights run it, and drop " + table
                            + " if it exists",
                    e);
        }
    }

    private void execute(String sql) {
        transactions.commitEach(
                "preparing the race in " + table, (connection, dialect) -> new SqlText(sql).update(connection));
    }

    private List<Runner> start() {
        List<Runner> runners = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Runner runner = new Runner();
            Thread thread = new Thread(() -> run(runner), "idgen-race-" + i);
            runners.add(runner);
            threads.add(thread);
            thread.start();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true; // the timeouts end the statements
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return runners;
    }

    private void run(Runner runner) {
        try (HeldConnection held = new HeldConnection(dataSource)) {
            Transactions own = new Transactions(held, TIMEOUT);
            for (int i = 1; i <= rounds; i++) {
                meet();
                compareAndSet(own, i, runner);
            }
            for (int i = 1; i <= rounds; i++) {
                meet();
                add(own, runner);
            }
        }
    }

    /** Waits at the barrier. Each thread reaches the barrier every time, even if its statements fail. */
    private void meet() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("nobody interrupts the threads of a race", e);
        }
    }

    /** Sets the row to the number of the round, so that a round without a winner does not affect the next. */
    private void nextRound() {
        round++;
        if (round > rounds) {
            return;
        }
        try {
            execute("UPDATE " + table + " SET next_id = " + round + " WHERE table_name = '" + COMPARED + "'");
        } catch (IdGenerationException e) {
            LOG.log(System.Logger.Level.DEBUG, "a round of the race has no beginning", e);
        }
    }

    /** Every connection knows the number of the round, and tries to raise it. */
    private void compareAndSet(Transactions own, int known, Runner runner) {
        try {
            boolean changed = own.commitEach(
                    "comparing and setting a row of " + table,
                    (connection, dialect) -> new SqlText("UPDATE " + table)
                                    .set("next_id = ?", known + 1L)
                                    .where("table_name = ? AND next_id = ?", COMPARED, (long) known)
                                    .where(dialect.durableCommit())
                                    .update(connection)
                            == 1);
            if (changed) {
                runner.won.add(known);
            }
        } catch (IdGenerationException e) {
            runner.unknown.add(known);
            runner.failed(e);
        }
    }

    private void add(Transactions own, Runner runner) {
        Counter counter = new Counter(table.toString(), "next_id", List.of("table_name"), null, 1, null);
        Addition one = new Addition(counter, 1, List.of(COUNTED), 1, Long.MAX_VALUE - 1);
        try {
            own.commitEach("adding to a row of " + table, (connection, dialect) -> dialect.addAndGet(connection, one))
                    .ifPresent(runner.numbers::add);
        } catch (IdGenerationException e) {
            runner.failed(e);
        }
    }

    /** Evaluates the results of all connections. */
    static List<Finding> judge(List<Runner> runners, int rounds) {
        List<Finding> findings = new ArrayList<>(List.of(compareAndSet(runners, rounds), counter(runners, rounds)));
        int failures = runners.stream().mapToInt(runner -> runner.failures).sum();
        if (failures > 0) {
            String first = runners.stream()
                    .map(runner -> runner.failure)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
            findings.add(warn(
                    "race",
                    failures + " of " + 2 * rounds * runners.size()
                            + " statements failed, so that the race shows less than it should: " + first));
        }
        return findings;
    }

    private static Finding compareAndSet(List<Runner> runners, int rounds) {
        int several = 0;
        int none = 0;
        int most = 0;
        for (int i = 1; i <= rounds; i++) {
            int known = i;
            int winners = (int)
                    runners.stream().filter(each -> each.won.contains(known)).count();
            boolean unsure = runners.stream().anyMatch(each -> each.unknown.contains(known));
            several += winners > 1 ? 1 : 0;
            none += winners == 0 && !unsure ? 1 : 0;
            most = Math.max(most, winners);
        }
        if (several > 0) {
            return wrong(
                    "compare-set",
                    "in " + several + " of " + rounds + " rounds several connections changed the same row from the same"
                            + " value, up to " + most + " of " + runners.size()
                            + ": ids would repeat; do not use this database, or this way to it, for idgen");
        }
        return none > 0
                ? wrong(
                        "compare-set",
                        "in " + none + " of " + rounds + " rounds no connection changed the row, although its value was"
                                + " the expected one: no process would get a worker id")
                : ok(
                        "compare-set",
                        "in each of " + rounds + " rounds, one of " + runners.size()
                                + " connections changed the row, and the others were told that they had not");
    }

    private static Finding counter(List<Runner> runners, int rounds) {
        List<Long> numbers =
                runners.stream().flatMap(each -> each.numbers.stream()).toList();
        long distinct = numbers.stream().distinct().count();
        boolean falls = runners.stream()
                .anyMatch(each -> !each.numbers.equals(
                        each.numbers.stream().sorted().distinct().toList()));
        int expected = runners.size() * rounds;
        boolean complete = runners.stream().anyMatch(each -> each.failures > 0) || numbers.size() == expected;
        if (distinct == numbers.size() && !falls && complete) {
            return ok("counter", numbers.size() + " additions gave " + distinct + " different numbers");
        }
        return wrong(
                "counter",
                expected + " additions gave " + numbers.size() + " numbers, " + distinct + " of them different"
                        + (falls ? ", and a connection saw them fall" : "")
                        + ": ids would repeat or be lost; do not use this database, or this way to it, for idgen");
    }
}
