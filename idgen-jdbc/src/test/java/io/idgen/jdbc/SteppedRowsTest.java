package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The metadata in the rows of stepped databases, and the rows that are rejected because of it. */
@Tag("matrix")
class SteppedRowsTest {
    private final List<Database> databases =
            List.of(TestDatabase.H2.create(), TestDatabase.H2.create(), TestDatabase.H2.create());

    @BeforeEach
    void makeTables() {
        databases.forEach(database -> new IdgenSchema(database.dataSource()).create());
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    private DataSource database(int index) {
        return databases.get(index).dataSource();
    }

    private static SteppedSequence over(DataSource... dataSources) {
        return over(counters -> counters.startingAt(1), dataSources);
    }

    private static SteppedSequence over(UnaryOperator<Counters> options, DataSource... dataSources) {
        return new SteppedSequence(
                Arrays.stream(dataSources).map(Counters::new).map(options).toList());
    }

    private static void take(SegmentAllocator allocator, int times) {
        for (int i = 0; i < times; i++) {
            allocator.allocate("orders", 1);
        }
    }

    private static AllocationException refusal(SegmentAllocator allocator) {
        return assertThrows(AllocationException.class, () -> take(allocator, 3));
    }

    @Test
    void eachRowSaysWhichInstanceItIsOfHowMany() throws SQLException {
        take(over(database(0), database(1), database(2)), 3);

        for (int i = 0; i < 3; i++) {
            assertThat(Sql.rows(database(i), "SELECT instance, instances, next_id FROM idgen_counter"))
                    .containsExactly((i + 1) + " | 3 | " + (i + 1 + 3));
        }
    }

    @Test
    void aListOfAnotherLengthIsRefused() {
        take(over(database(0), database(1), database(2)), 3);
        AllocationException e = refusal(over(database(0), database(1)));

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("is instance 1 of 3").hasMessageContaining("for instance 1 of 2");
    }

    @Test
    void aListInAnotherOrderIsRefused() {
        take(over(database(0), database(1), database(2)), 3);

        assertThat(refusal(over(database(1), database(0), database(2))).code()).isEqualTo(ErrorCode.STEP_MISMATCH);
    }

    @Test
    void oneDatabaseNamedTwiceIsRefused() {
        assertThat(refusal(over(database(0), database(0), database(1))).code()).isEqualTo(ErrorCode.STEP_MISMATCH);
    }

    @Test
    void aRowThatWasEditedToAnotherInstancesIdIsRefused() throws SQLException {
        SteppedSequence sequence = over(database(0), database(1), database(2));
        take(sequence, 3);
        Sql.execute(database(1), "UPDATE idgen_counter SET next_id = 101 - 1");
        AllocationException e = refusal(sequence);

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining("is 100, which is not an id of instance 2 of 3");
    }

    @Test
    void aRowThatWentBackIsRaisedByAProcessThatKnowsMoreAndKeepsItsRemainder() throws SQLException {
        SteppedSequence sequence =
                over(counters -> counters.startingAt(1).withReach(1_000), database(0), database(1), database(2));
        take(sequence, 9);
        Sql.execute(database(1), "UPDATE idgen_counter SET next_id = 2");
        take(sequence, 3);

        assertThat(Sql.rows(database(1), "SELECT next_id FROM idgen_counter"))
                .containsExactly("6014"); // 11 + 2,000 * 3 + 3
    }

    @Test
    void aRowOfAnotherSetIsRefusedBeforeATakeoverChangesIt() throws SQLException {
        take(over(database(0), database(1), database(2)), 3);
        Sql.execute(database(0), "UPDATE idgen_counter SET server_id = 'another'");

        assertThat(refusal(new Counters(database(0)).instance(1, 2)).code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(Sql.rows(database(0), "SELECT next_id FROM idgen_counter")).containsExactly("4");
    }

    @Test
    void aNewNameThatAnotherSetHasIsRefusedAndADeadDatabaseDoesNotPreventNewNames() throws SQLException {
        take(over(database(0), database(1)), 2);

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> over(database(2), database(0), database(1)).allocate("orders", 1));
        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("has no row in idgen_counter on instance 1 of 3");

        DataSource dead = Wrapped.dataSource(() -> {
            throw new SQLException("connection refused", "08001");
        });
        assertThat(over(database(2), dead, dead).allocate("invoices", 1)).isEqualTo(new Segment(1, 1, 3));
    }

    @Test
    void ofSeveralIdsAsManyAreGrantedAsLieBelowTheLimit() {
        Counters sequence =
                new Counters(database(0)).instance(1, 3).startingAt(1).below(11);
        sequence.allocate("orders", 1);

        assertThat(sequence.allocate("orders", 10)).isEqualTo(new Segment(4, 3, 3));
        assertThat(refusal(sequence).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    /** A source refuses falling ids of other allocators as those of a row that was set back. */
    @Test
    void aSourceAcceptsThatOneInstanceIsFarBehindTheOthers() throws SQLException {
        SteppedSequence sequence = over(database(0), database(1));
        take(sequence, 2);
        Sql.execute(database(0), "UPDATE idgen_counter SET next_id = 1001");

        try (SegmentIdSource source = new SegmentIdSource(sequence, "orders")) {
            assertThat(List.of(source.nextId(), source.nextId())).containsExactly(1_001L, 4L);
        }
    }

    @Test
    void aNewNameBeginsAboveTheIdsOfAllDatabases() throws SQLException {
        for (int i = 0; i < 3; i++) {
            Sql.execute(database(i), "CREATE TABLE orders (id BIGINT PRIMARY KEY)");
            Sql.execute(database(i), "INSERT INTO orders VALUES (" + (100 + 50 * i) + ")");
        }
        SteppedSequence sequence =
                over(counters -> counters.adopting("orders.id"), database(0), database(1), database(2));

        assertThat(List.of(
                        sequence.allocate("orders", 1).first(),
                        sequence.allocate("orders", 1).first(),
                        sequence.allocate("orders", 1).first()))
                .containsExactlyInAnyOrder(202L, 203L, 201L);
    }
}
