package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Moves the id of a table, with all foreign keys on it, while old and new versions of an application run.
 *
 * <p>The state of a migration is in the database: each step follows from its catalog and its rows. So a migration may
 * end anywhere, for example because its process is killed. Call it again, and it continues. Do not run two at once.
 * Immutable.
 */
public final class Migration {
    /** How long a statement waits for a lock if nothing else is set, in milliseconds. */
    public static final int LOCK_TIMEOUT_MILLIS = 500;

    /** How many rows a batch fills if nothing else is set. */
    public static final int BATCH = 5_000;

    /** The pause after a batch if nothing else is set, in milliseconds. */
    public static final int PAUSE_MILLIS = 20;

    static final String AGAIN = "repeat idgen migrate with the same column, and it continues";
    private static final int ATTEMPTS = 100;

    private final DataSource dataSource;
    private final SqlName column;
    private final To to;
    private final Runner.Options options;
    private final Replicas.Limit limit;

    /** Where a migration leads. */
    public enum To {
        /** From SMALLINT or INT to BIGINT. */
        BIGINT,
        /** From numbers that the database generates to ids that the application has before the insert. */
        BEFORE_INSERT
    }

    private Migration(DataSource dataSource, SqlName column, To to, Runner.Options options, Replicas.Limit limit) {
        this.dataSource = dataSource;
        this.column = column;
        this.to = to;
        this.options = options;
        this.limit = limit;
    }

    /**
     * Creates a migration. Opens no connection.
     *
     * @param dataSource the database, with a user that owns the tables
     * @param column the id of the parent table, for example {@code book.id} or {@code shop.book.id}
     * @param to where the migration leads
     * @return a migration with the pace of {@link #LOCK_TIMEOUT_MILLIS}, {@link #BATCH} and {@link #PAUSE_MILLIS}. It
     *     does not wait for replicas
     * @throws IllegalArgumentException if the column is not a name
     */
    public static Migration of(DataSource dataSource, String column, To to) {
        return new Migration(
                dataSource,
                SqlName.parse(column, 2, 3),
                to,
                new Runner.Options(
                        Duration.ofMillis(LOCK_TIMEOUT_MILLIS),
                        ATTEMPTS,
                        BATCH,
                        Duration.ofMillis(PAUSE_MILLIS),
                        duration -> Thread.sleep(duration.toMillis())),
                Replicas.Limit.NONE);
    }

    /**
     * Returns a copy that goes on more or less gently.
     *
     * @param lockTimeout how long a statement waits for a lock while all others wait behind it; then it lets them go
     *     first and tries again, up to 100 times. At least 1 ms
     * @param batch how many rows a batch fills, at least 1
     * @param pause how long it pauses after each batch; zero or more
     * @return a new migration
     * @throws IllegalArgumentException if a value is out of its range
     */
    public Migration withPace(Duration lockTimeout, int batch, Duration pause) {
        if (lockTimeout.toMillis() < 1 || batch < 1 || pause.isNegative()) {
            throw new IllegalArgumentException("the lock timeout must be at least 1 ms, a batch at least 1 row, and a"
                    + " pause not negative, got " + lockTimeout + ", " + batch + " and " + pause);
        }
        return with(new Runner.Options(lockTimeout, ATTEMPTS, batch, pause, options.pauses()));
    }

    /**
     * Returns a copy that pauses after a batch while a replica is too far behind: while it has missed a commit of the
     * primary for longer than a limit.
     *
     * @param maxLag the limit; zero for none
     * @param replicas the replicas, with a user that can connect; all of them if empty, and none on MariaDB and MySQL,
     *     whose primaries do not know them
     * @return a new migration; it fails if the user cannot see the replicas, or a replica does not answer
     * @throws IllegalArgumentException if the limit is negative
     */
    public Migration withMaxLag(Duration maxLag, List<DataSource> replicas) {
        if (maxLag.isNegative()) {
            throw new IllegalArgumentException("the largest lag must not be negative, got " + maxLag);
        }
        return with(new Replicas.Limit(maxLag, List.copyOf(replicas), System::nanoTime));
    }

    Migration with(Replicas.Limit newLimit) {
        return new Migration(dataSource, column, to, options, newLimit);
    }

    Migration with(Runner.Options newOptions) {
        return new Migration(dataSource, column, to, newOptions, limit);
    }

    /**
     * Reads the steps. Changes nothing.
     *
     * @return all steps in order; empty if there is nothing to do
     * @throws AllocationException if the database does not answer or rejects a statement
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public List<Step> plan() {
        return steps(read(Path::forward), Map.of());
    }

    /**
     * Reads the steps, and measures those that take longer for more rows: with a copy of at most 10,000 rows of each
     * table in a temporary table. Changes no other table. Each statement of the measurement ends after ten seconds.
     *
     * @return as {@link #plan}, with times
     * @throws AllocationException as {@link #plan}, or if the user cannot create temporary tables, or the sample takes
     *     too long
     * @throws IllegalArgumentException as {@link #plan}
     */
    public List<Step> measuredPlan() {
        return read(path -> steps(path.forward(), path.times()));
    }

    /**
     * Reads the next steps as scripts, for a tool that runs them: all up to the first step that must be named by its
     * number, or this one if it is the next. Changes nothing.
     *
     * @return the scripts in order; each waits for a lock as long as this migration does
     * @throws AllocationException as {@link #plan}, or if a precondition is not met
     * @throws IllegalArgumentException as {@link #plan}
     */
    public List<Script> scripts() {
        try (Session session = new Session(dataSource)) {
            MigrationDialect dialect = MigrationDialect.of(session);
            Path path = path(dialect, session);
            refuseIfWrong(path.findings());
            return Script.of(path.forward(), dialect.lockTimeout(options.lockTimeout()));
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /**
     * Reads the steps of the way back. Changes nothing.
     *
     * @return the steps that are known now; after a swap, the steps behind it are not
     * @throws AllocationException if the database does not answer or rejects a statement
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public List<Step> planBack() {
        return steps(read(Path::back), Map.of());
    }

    /**
     * Checks the preconditions. Changes nothing.
     *
     * @return the findings; with one that is {@link Level#WRONG}, {@link #apply} changes nothing
     * @throws AllocationException if the database does not answer or rejects a statement
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public List<Finding> check() {
        return read(Path::findings);
    }

    /**
     * Compares old and new columns while both exist. Changes nothing. Reads each table once.
     *
     * @return one result for each range of ids; empty if there is nothing to compare
     * @throws AllocationException if the database does not answer or rejects a statement
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public List<Comparison> verify() {
        return read(Path::compare);
    }

    /**
     * Makes all steps up to the first that must be named by its number, such as the one-way door. Blocks for as long as
     * that takes.
     *
     * @param progress receives what was done, in the thread of the caller
     * @throws AllocationException if a precondition is not met, the database does not answer, or rejects a statement;
     *     call it again after you have removed the cause
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public void apply(Consumer<Progress> progress) {
        run(Path::forward, Integer.MAX_VALUE, progress);
    }

    /**
     * Makes one step. Only this makes steps that must be named by their number.
     *
     * @param step the number of the step in {@link #plan}; all steps before it must be done
     * @param progress receives what was done, in the thread of the caller
     * @throws AllocationException as {@link #apply(Consumer)}
     * @throws IllegalArgumentException if there is no such step, or an earlier one is not done
     */
    public void apply(int step, Consumer<Progress> progress) {
        List<Step> plan = plan();
        if (step < 1 || step > plan.size()) {
            throw new IllegalArgumentException(
                    "there is no step " + step + "; " + column + " has " + plan.size() + " steps");
        }
        plan.stream()
                .filter(each -> each.number() < step && !each.done())
                .findFirst()
                .ifPresent(each -> {
                    throw new IllegalArgumentException(
                            "step " + each.number() + " is not done yet; make it before step " + step);
                });
        if (!plan.get(step - 1).done() && plan.get(step - 1).sql().isEmpty()) {
            throw new IllegalArgumentException(
                    "step " + step + " is made by hand: " + plan.get(step - 1).title());
        }
        run(Path::forward, step, progress);
    }

    /**
     * Goes all steps back that have been made. Blocks for as long as that takes.
     *
     * @param progress receives what was done, in the thread of the caller
     * @throws AllocationException if there is no way back any more, the database does not answer, or rejects a
     *     statement
     * @throws IllegalArgumentException if the column does not exist, or has a type that cannot be migrated
     */
    public void back(Consumer<Progress> progress) {
        run(Path::back, Integer.MAX_VALUE, progress);
    }

    /** Reads from the database. */
    private interface Question<T> {
        T ask(Path path) throws SQLException;
    }

    private static List<Step> steps(List<Stage> stages, Map<Integer, List<Timing>> times) {
        return IntStream.range(0, stages.size())
                .mapToObj(i -> stages.get(i).step(i + 1, times.getOrDefault(i + 1, List.of())))
                .toList();
    }

    private Path path(MigrationDialect dialect, Session session) throws SQLException {
        return to == To.BIGINT ? dialect.widening(session, column) : dialect.beforeInsert(session, column);
    }

    private <T> T read(Question<T> question) {
        try (Session session = new Session(dataSource)) {
            return question.ask(path(MigrationDialect.of(session), session));
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void run(Question<List<Stage>> way, int step, Consumer<Progress> progress) {
        try (Session session = new Session(dataSource)) {
            MigrationDialect dialect = MigrationDialect.of(session);
            refuseIfWrong(path(dialect, session).findings());
            try (Replicas replicas = new Replicas(limit, dialect.positions(), session)) {
                // the catalog is read again after each change, because it decides the next
                List<String> last = List.of();
                List<Stage> stages = way.ask(path(dialect, session));
                for (int number = firstOpen(stages, step); number > 0; number = firstOpen(stages, step)) {
                    Stage.Change change = stages.get(number - 1).changes().stream()
                            .filter(each -> !each.isDone())
                            .findFirst()
                            .orElseThrow();
                    if (change.sql().equals(last)) {
                        throw new IllegalStateException("the database shows no effect of: " + String.join("; ", last));
                    }
                    change.work().run(session, new Runner(dialect, options, replicas, number, progress));
                    last = change.sql();
                    stages = way.ask(path(dialect, session));
                }
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** Returns the number of the next step; 0 if all steps that were asked for are done. */
    private static int firstOpen(List<Stage> stages, int step) {
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (!stage.isDone()) {
                return step == i + 1 || (step == Integer.MAX_VALUE && !stage.isExplicit()) ? i + 1 : 0;
            }
        }
        return 0;
    }

    private void refuseIfWrong(List<Finding> findings) {
        String wrong = findings.stream()
                .filter(each -> each.level() == Level.WRONG)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
        if (!wrong.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED, "the migration of " + column + " changes nothing, because " + wrong);
        }
    }

    private AllocationException failure(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        boolean isConnection = state.startsWith("08") || state.startsWith("28") || state.startsWith("57P");
        return new AllocationException(
                isConnection ? ErrorCode.DATABASE_FAILED : ErrorCode.STATEMENT_REFUSED,
                "the migration of " + column + " to "
                        + to.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " has stopped: " + e.getMessage()
                        + "; remove the cause, then " + AGAIN,
                e);
    }
}
