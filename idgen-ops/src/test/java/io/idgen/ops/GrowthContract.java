package io.idgen.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.lease.Finding;
import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.ops.RepairReport.Change;
import io.idgen.ops.Shops.Shop;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two databases of the strategy stepped become three, while processes with both lists draw ids. */
@Timeout(300)
abstract class GrowthContract {
    private static final int ROOM = 40;

    private final List<Database> databases = new ArrayList<>();

    abstract TestDatabase kind();

    /** Which steps the growth is killed at: every n-th. */
    abstract int killedAtEach();

    @BeforeEach
    void open() {
        for (int i = 0; i < 3; i++) {
            databases.add(kind().create());
            new IdgenSchema(database(i)).create();
        }
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    private DataSource database(int index) {
        return databases.get(index).dataSource();
    }

    private List<DataSource> list(int... indexes) {
        return IntStream.of(indexes).mapToObj(this::database).toList();
    }

    private void empty() throws SQLException {
        for (int i = 0; i < 3; i++) {
            Sql.execute(database(i), "DELETE FROM idgen_stepped");
        }
    }

    private static Growth growth(List<DataSource> list) {
        return Growth.to(list.stream().map(IdgenTables::new).toList())
                .withRoom(ROOM)
                .withReplicaLag(Duration.ZERO);
    }

    private static List<Change> grow(Growth growth) {
        List<Change> changes = new ArrayList<>();
        growth.grow(changes::add);
        return changes;
    }

    private List<Change> grow() {
        return grow(growth(list(0, 1, 2)));
    }

    private static void take(SteppedSequence sequence, int times) {
        for (int i = 0; i < times; i++) {
            sequence.allocate("orders", 1);
        }
    }

    private String row(int index, int generation) throws SQLException {
        return Sql.rows(
                        database(index),
                        "SELECT instance, instances, id_limit, next_id FROM idgen_stepped WHERE generation = "
                                + generation)
                .get(0);
    }

    /** The process that runs the command ends without a chance to clean up. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Runs an action before each statement and each commit. */
    private static DataSource before(DataSource real, Runnable action) {
        return Wrapped.dataSource(() -> {
            Connection connection = real.getConnection();
            return Wrapped.wrap(Connection.class, connection, call -> {
                if (call.is("commit")) {
                    action.run();
                }
                Object answer = call.proceed();
                if (call.is("prepareStatement")) {
                    return beforeExecute(PreparedStatement.class, (PreparedStatement) answer, action);
                }
                return call.is("createStatement") ? beforeExecute(Statement.class, (Statement) answer, action) : answer;
            });
        });
    }

    private static <T> T beforeExecute(Class<T> type, T statement, Runnable action) {
        return Wrapped.wrap(type, statement, call -> {
            if (call.method().getName().startsWith("execute")) {
                action.run();
            }
            return call.proceed();
        });
    }

    /** Grows with a growth that is killed before the statement or commit of this number. Returns whether it was. */
    private boolean isKilledAt(int number) {
        AtomicInteger count = new AtomicInteger();
        Runnable kill = () -> {
            if (count.incrementAndGet() >= number) {
                throw new Killed();
            }
        };
        try {
            growth(list(0, 1, 2).stream().map(each -> before(each, kill)).toList())
                    .grow(any -> {});
            return false;
        } catch (Killed e) {
            return true;
        }
    }

    private static void assertNothingRepeats(Shops shops) {
        assertThat(shops.surprises()).isEmpty();
        assertThat(shops.repeated()).as("repeated of %d ids", shops.count()).isEmpty();
    }

    @Test
    @Tag("accidents")
    void killedAtAnyStepAndStartedAgainItRepeatsNoId() throws Exception {
        int steps = 0;
        boolean killed = true;
        for (int number = 1; killed; number += killedAtEach()) {
            empty();
            try (Shops shops = new Shops()) {
                Shop old = shops.start(list(0, 1), false);
                old.awaitIds(4);
                Shop restarted = shops.start(list(0, 1), true);
                Shop early = shops.start(list(0, 1, 2), true);

                killed = isKilledAt(number);
                grow();

                Shop grown = shops.start(list(0, 1, 2), false);
                grown.awaitIds(9);
                early.awaitIds(3);
                old.awaitRefusals(2);
                restarted.awaitRefusals(2);
                assertNothingRepeats(shops);
                assertThat(shops.refusals()).isSubsetOf(ErrorCode.LIMIT_REACHED, ErrorCode.STEP_MISMATCH);
                assertThat(grow()).as("changes of a growth that has ended").isEmpty();
                steps = number;
            }
        }
        System.out.println(kind() + ": killed at each of " + steps + " statements and commits");
        assertThat(steps).isGreaterThan(40);
    }

    @Test
    @Tag("accidents")
    void oneDatabaseThatFailsInTheMiddleStopsItUntilItAnswersAgain() throws Exception {
        for (int dead = 0; dead < 3; dead++) {
            boolean stopped = true;
            for (int number = 1; stopped; number += 2 * killedAtEach() + 9) {
                empty();
                stopped = grownDespite(dead, number);
            }
        }
    }

    /** A database fails before the statement of this number, for the growth and for all processes. */
    private boolean grownDespite(int dead, int number) throws Exception {
        AtomicInteger count = new AtomicInteger();
        AtomicInteger from = new AtomicInteger(number);
        IntPredicate isDead = index -> index == dead && count.get() >= from.get();
        List<DataSource> all = IntStream.range(0, 3)
                .mapToObj(i -> Wrapped.dataSource(() -> {
                    if (isDead.test(i)) {
                        throw new SQLException("connection refused", "08001");
                    }
                    return database(i).getConnection();
                }))
                .toList();
        Growth growth = growth(
                all.stream().map(each -> before(each, count::incrementAndGet)).toList());
        try (Shops shops = new Shops()) {
            Shop old = shops.start(all.subList(0, 2), false);
            old.awaitIds(4);
            boolean stopped = false;
            try {
                growth.grow(any -> {});
            } catch (StoreUnavailableException e) {
                stopped = true;
                assertThat(e)
                        .hasMessageContaining("database " + (dead + 1) + " of 3 does not answer")
                        .hasMessageContaining("repeat idgen grow with the same list");
            }
            from.set(Integer.MAX_VALUE); // the database answers again
            growth.grow(any -> {});
            Shop grown = shops.start(all, false);
            grown.awaitIds(20);
            assertNothingRepeats(shops);
            return stopped;
        }
    }

    @Test
    void theControlWithoutLimitsRepeatsIds() throws Exception {
        try (Shops shops = new Shops()) {
            Shop old = shops.start(list(0, 1), false);
            old.awaitIds(4);
            long above = Math.max(
                            Sql.number(database(0), "SELECT next_id FROM idgen_stepped"),
                            Sql.number(database(1), "SELECT next_id FROM idgen_stepped"))
                    + ROOM;
            for (int i = 0; i < 3; i++) {
                Sql.execute(
                        database(i),
                        "INSERT INTO idgen_stepped (seq_name, generation, instance, instances, id_limit, next_id)"
                                + " VALUES ('orders', 2, " + (i + 1) + ", 3, " + Long.MAX_VALUE + ", "
                                + (above + Math.floorMod(i + 1 - above, 3L)) + ")");
            }
            shops.start(list(0, 1, 2), false).awaitIds(20);
            old.awaitIds(100);

            assertThat(shops.repeated()).isNotEmpty();
        }
    }

    @Test
    void eachOldRowEndsAtALimitAndTheNewOnesBeginAboveIt() throws Exception {
        take(Shops.sequence(list(0, 1)), 20);

        List<Change> changes = grow();

        assertThat(changes).hasSize(8);
        long max = Long.MAX_VALUE;
        assertThat(Stream.of(row(0, 1), row(1, 1))).containsExactly("1 | 2 | 102 | 21", "2 | 2 | 102 | 22");
        assertThat(Stream.of(row(0, 2), row(1, 2), row(2, 2)))
                .containsExactly("1 | 3 | " + max + " | 103", "2 | 3 | " + max + " | 104", "3 | 3 | " + max + " | 102");
    }

    @Test
    void aDryRunReportsTheSameChangesAndMakesNone() {
        take(Shops.sequence(list(0, 1)), 20);

        List<Change> planned = grow(growth(list(0, 1, 2)).dryRun());

        assertThat(grow()).isEqualTo(planned).hasSize(8);
    }

    @Test
    void withoutARoomAnOldDatabaseMayGrantTwiceTheReach() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);

        Growth.to(list(0, 1, 2).stream().map(IdgenTables::new).toList())
                .withReplicaLag(Duration.ZERO)
                .grow(any -> {});

        assertThat(row(0, 1)).isEqualTo("1 | 2 | 400004 | 3");
    }

    @Test
    void aNameThatOneDatabaseDoesNotHaveYetIsClosedThere() throws Exception {
        new SteppedSequence(database(0), 1, 2).startingAt(1).allocate("orders", 1);

        grow();

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> new SteppedSequence(database(1), 2, 2).startingAt(1).allocate("orders", 1));
        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @Test
    void aProcessWithTheNewListGetsNoIdsBeforeTheGrowth() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);

        AllocationException e = assertThrows(
                AllocationException.class, () -> Shops.sequence(list(2, 0, 1)).allocate("orders", 1));

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("let idgen grow end");
        assertThat(Sql.rows(database(2), "SELECT next_id FROM idgen_stepped")).isEmpty();
    }

    @Test
    void processesSayWhatToDoDuringAndAfterTheGrowth() throws Exception {
        SteppedSequence old = Shops.sequence(list(0, 1));
        take(old, 2);
        Growth growth = growth(list(0, 1, 2)).withReplicaLag(Duration.ofMinutes(1));

        growth.grow(any -> {}, lag -> {
            AllocationException e = assertThrows(
                    AllocationException.class,
                    () -> Shops.sequence(list(0, 1, 2)).allocate("orders", 1));
            assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
            assertThat(e).hasMessageContaining("begin when the set of databases has grown");
        });

        AllocationException e = assertThrows(AllocationException.class, () -> take(old, 2 * ROOM + 2));
        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e)
                .hasMessageContaining("below 84, the id_limit of generation 1")
                .hasMessageContaining("start this process with the new list of databases");
    }

    @Test
    void aLimitThatATakeoverLosesDuringTheWaitIsSetAgainAndWaitedFor() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);
        AtomicInteger waits = new AtomicInteger();
        Growth growth = growth(list(0, 1, 2)).withReplicaLag(Duration.ofMinutes(1));

        growth.grow(any -> {}, lag -> {
            assertThat(lag).isEqualTo(Duration.ofMinutes(1));
            if (waits.incrementAndGet() == 1) {
                execute(
                        1,
                        "UPDATE idgen_stepped SET id_limit = " + Long.MAX_VALUE + ", next_id = 1002"
                                + " WHERE generation = 1");
                execute(1, "DELETE FROM idgen_stepped WHERE generation = 2");
            }
        });

        assertThat(waits).hasValue(2);
        assertThat(row(1, 1)).isEqualTo("2 | 2 | 1082 | 1002");
        for (int i = 0; i < 3; i++) {
            long next = Long.parseLong(row(i, 2).replaceFirst(".* ", ""));
            assertThat(next).isGreaterThanOrEqualTo(1082);
        }
    }

    private List<Finding> findings() {
        return Doctor.of(new IdgenTables(database(0)), InstantSource.system()).examine().stream()
                .filter(each -> each.subject().equals("stepped"))
                .toList();
    }

    @Test
    void theDoctorReportsAGrowthThatHasNotEndedAndThenOnlyTheNewRows() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);
        growth(list(0, 1, 2))
                .withReplicaLag(Duration.ofMinutes(1))
                .grow(
                        any -> {},
                        lag -> assertThat(findings())
                                .singleElement()
                                .hasToString(new Finding(
                                                Finding.Level.WARN,
                                                "stepped",
                                                "orders: the growth to 3 databases has not ended; repeat idgen grow with the same"
                                                        + " list")
                                        .toString()));

        assertThat(findings())
                .singleElement()
                .satisfies(each -> assertThat(each.level()).isEqualTo(Finding.Level.OK));
    }

    private void execute(int index, String sql) {
        try {
            Sql.execute(database(index), sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRowThatIsLostAfterTheGrowthIsNotWrittenAgain() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);
        grow();
        take(Shops.sequence(list(0, 1, 2)), 30);
        Sql.execute(database(1), "DELETE FROM idgen_stepped WHERE generation = 2");

        AllocationException e = assertThrows(AllocationException.class, this::grow);

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("database 2 has lost its row or its limit");
    }

    @Test
    void aListInAnotherOrderIsRefused() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);

        AllocationException e = assertThrows(AllocationException.class, () -> grow(growth(list(1, 0, 2))));

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("in database 1 is instance 2 of 2");
        assertThat(Sql.rows(database(2), "SELECT next_id FROM idgen_stepped")).isEmpty();
    }

    @Test
    void aRowOfAProcessThatStartedTooEarlyIsRefused() throws Exception {
        take(Shops.sequence(list(0, 1)), 2);
        new SteppedSequence(database(2), 3, 3).startingAt(1).allocate("orders", 1); // knows no other database

        AllocationException e = assertThrows(AllocationException.class, this::grow);

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("started too early");
        assertThat(row(0, 1)).startsWith("1 | 2 | " + Long.MAX_VALUE);
    }

    @Test
    void aSetGrowsAgain() throws Exception {
        take(Shops.sequence(list(0)), 3);
        grow(growth(list(0, 1)));
        take(Shops.sequence(list(0, 1)), 5);
        try (Shops shops = new Shops()) {
            shops.start(list(0, 1), false).awaitIds(3);
            grow();
            shops.start(list(0, 1, 2), false).awaitIds(30);
            assertNothingRepeats(shops);
        }
        assertThat(row(0, 3)).startsWith("1 | 3 | ");
    }
}
