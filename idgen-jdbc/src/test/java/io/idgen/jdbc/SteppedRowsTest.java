package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.SQLException;
import java.util.List;
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

    private SteppedSequence over(DataSource... dataSources) {
        return SteppedSequence.over(List.of(dataSources)).startingAt(1);
    }

    private static void take(SteppedSequence sequence, int times) {
        for (int i = 0; i < times; i++) {
            sequence.allocate("orders", 1);
        }
    }

    private static AllocationException refusal(SteppedSequence sequence) {
        return assertThrows(AllocationException.class, () -> take(sequence, 3));
    }

    @Test
    void eachRowSaysWhichInstanceItIsOfHowMany() throws SQLException {
        take(over(database(0), database(1), database(2)), 3);

        for (int i = 0; i < 3; i++) {
            assertThat(Sql.rows(database(i), "SELECT instance, instances, next_id FROM idgen_stepped"))
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
        Sql.execute(database(1), "UPDATE idgen_stepped SET next_id = 101 - 1");
        AllocationException e = refusal(sequence);

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining("was 100, which is not an id of instance 2 of 3");
    }

    @Test
    void aRowThatWentBackIsRaisedByAProcessThatKnowsMoreAndKeepsItsRemainder() throws SQLException {
        SteppedSequence sequence = over(database(0), database(1), database(2)).withReach(1_000);
        take(sequence, 9);
        Sql.execute(database(1), "UPDATE idgen_stepped SET next_id = 2");
        take(sequence, 3);

        assertThat(Sql.rows(database(1), "SELECT next_id FROM idgen_stepped"))
                .containsExactly("6014"); // 11 + 2,000 * 3 + 3
    }

    @Test
    void aRowOfAnotherSetKeepsItsRemainderDuringATakeover() throws SQLException {
        take(over(database(0), database(1), database(2)).withReach(1_000), 3);
        Sql.execute(database(0), "UPDATE idgen_stepped SET server_id = 'another'");

        assertThat(refusal(new SteppedSequence(database(0), 1, 2)).code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(Sql.rows(database(0), "SELECT next_id FROM idgen_stepped")).containsExactly("6004"); // 4 + 2,000 * 3
    }

    @Test
    void aNewNameThatAnotherSetHasIsRefusedAndADeadDatabaseDoesNotPreventNewNames() throws SQLException {
        take(over(database(0), database(1)), 2);

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> over(database(2), database(0), database(1)).allocate("orders", 1));
        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("has no row in idgen_stepped on instance 1 of 3");

        DataSource dead = Wrapped.dataSource(() -> {
            throw new SQLException("connection refused", "08001");
        });
        assertThat(over(database(2), dead, dead).allocate("invoices", 1)).isEqualTo(new Segment(1, 1, 3));
    }

    @Test
    void ofSeveralIdsAsManyAreGrantedAsLieBelowTheLimit() {
        SteppedSequence sequence =
                new SteppedSequence(database(0), 1, 3).startingAt(1).below(11);
        sequence.allocate("orders", 1);

        assertThat(sequence.allocate("orders", 10)).isEqualTo(new Segment(4, 3, 3));
        assertThat(refusal(sequence).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    /** A source refuses falling ids of other allocators as those of a row that was set back. */
    @Test
    void aSourceAcceptsThatOneInstanceIsFarBehindTheOthers() throws SQLException {
        SteppedSequence sequence = over(database(0), database(1));
        take(sequence, 2);
        Sql.execute(database(0), "UPDATE idgen_stepped SET next_id = 1001");

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
        SteppedSequence sequence = SteppedSequence.over(List.of(database(0), database(1), database(2)))
                .adopting("orders.id");

        assertThat(List.of(
                        sequence.allocate("orders", 1).first(),
                        sequence.allocate("orders", 1).first(),
                        sequence.allocate("orders", 1).first()))
                .containsExactlyInAnyOrder(202L, 203L, 201L);
    }

    @Test
    void namesAreBoundedInNumber() {
        SequenceTable table = new SequenceTable(database(0)).startingAt(1);
        for (int i = 0; i < 10_000; i++) {
            table.allocate("name-" + i, 1);
        }
        AllocationException e = assertThrows(AllocationException.class, () -> table.allocate("one-more", 1));

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_NAME);
        assertThat(table.allocate("name-1", 1).first()).isEqualTo(2);
    }
}
