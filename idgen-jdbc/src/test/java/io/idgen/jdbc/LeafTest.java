package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Runs on the tables of Leaf and of articles about it, without changes to them, and next to Leaf's own servers. */
@Timeout(60)
@Tag("databases")
class LeafTest {
    private static final String LEAF_ALLOC = """
            CREATE TABLE leaf_alloc (
                biz_tag     varchar(128) NOT NULL DEFAULT '',
                max_id      bigint       NOT NULL DEFAULT 1,
                step        int          NOT NULL,
                %s          varchar(256) DEFAULT NULL,
                update_time timestamp    NOT NULL DEFAULT CURRENT_TIMESTAMP%s,
                PRIMARY KEY (biz_tag)
            )""";

    private static Database leaf(TestDatabase kind, String description) throws SQLException {
        Database database = kind.create();
        String onUpdate = kind == TestDatabase.POSTGRESQL ? "" : " ON UPDATE CURRENT_TIMESTAMP";
        Sql.execute(database.dataSource(), LEAF_ALLOC.formatted(description, onUpdate));
        Sql.execute(
                database.dataSource(),
                "INSERT INTO leaf_alloc (biz_tag, max_id, step, " + description
                        + ") VALUES ('orders', 1, 2000, 'as Leaf has it')");
        return database;
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void leafsTableWorksAsItStandsAndItsStepIsTheFewestTaken(TestDatabase kind) throws SQLException {
        leafsTableWorks(kind, "description");
        leafsTableWorks(kind, kind == TestDatabase.POSTGRESQL ? "\"desc\"" : "`desc`");
    }

    private static void leafsTableWorks(TestDatabase kind, String description) throws SQLException {
        try (Database database = leaf(kind, description)) {
            SegmentTable table = new SegmentTable(database.dataSource()).inTable("leaf_alloc");

            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 2_000, 1));
            assertThat(table.allocate("orders", 5_000)).isEqualTo(new Segment(2_001, 5_000, 1));
            assertThat(Sql.number(database.dataSource(), "SELECT max_id FROM leaf_alloc"))
                    .isEqualTo(7_001);
            assertThat(table.startingAt(1).withStep(50).allocate("items", 10)).isEqualTo(new Segment(1, 50, 1));
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aStepThatIsChangedInTheTableActsAtTheNextAllocation(TestDatabase kind) throws SQLException {
        try (Database database = leaf(kind, "description")) {
            SegmentTable table = new SegmentTable(database.dataSource()).inTable("leaf_alloc");
            table.allocate("orders", 10);

            Sql.execute(database.dataSource(), "UPDATE leaf_alloc SET step = 50 WHERE biz_tag = 'orders'");
            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(2_001, 50, 1));

            Sql.execute(database.dataSource(), "UPDATE leaf_alloc SET step = 300 WHERE biz_tag = 'orders'");
            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(2_051, 300, 1));
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void leafsOwnServersShareTheRow(TestDatabase kind) throws Exception {
        try (Database database = leaf(kind, "description")) {
            Sql.execute(database.dataSource(), "UPDATE leaf_alloc SET step = 7");
            Together.assertDistinct(Together.run(6, thread -> {
                SegmentTable table = new SegmentTable(database.dataSource()).inTable("leaf_alloc");
                return IntStream.range(0, 50)
                        .mapToObj(i -> switch (thread % 3) {
                            case 0 -> leafsFirst(database.dataSource());
                            case 1 -> leafsNext(database.dataSource(), 11);
                            default -> table.allocate("orders", 1 + i);
                        })
                        .flatMapToLong(segment -> LongStream.rangeClosed(segment.first(), segment.last()))
                        .toArray();
            }));
        }
    }

    /**
     * Allocates a Leaf server's first segment by IDAllocMapper.updateMaxId and getLeafAlloc. It owns [max_id - step,
     * max_id).
     */
    private static Segment leafsFirst(DataSource dataSource) {
        return leafs(dataSource, "UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = ?", step -> step);
    }

    /** Allocates a later segment by updateMaxIdByCustomStep, with a step that the Leaf server has computed. */
    private static Segment leafsNext(DataSource dataSource, int step) {
        return leafs(
                dataSource,
                "UPDATE leaf_alloc SET max_id = max_id + " + step + " WHERE biz_tag = ?",
                stepOfTheRow -> step);
    }

    private static Segment leafs(DataSource dataSource, String update, LongUnaryOperator step) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(update)) {
                statement.setString(1, "orders");
                statement.executeUpdate();
            }
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT biz_tag, max_id, step FROM leaf_alloc WHERE biz_tag = ?")) {
                statement.setString(1, "orders");
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    long taken = step.applyAsLong(row.getLong("step"));
                    Segment segment = new Segment(row.getLong("max_id") - taken, (int) taken, 1);
                    connection.commit();
                    return segment;
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void theArticlesTableOfSequencesWorksAsItStands(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            Sql.execute(
                    database.dataSource(),
                    "CREATE TABLE SEQUENCE (table_name varchar(18) PRIMARY KEY, next_id bigint)");
            Sql.execute(database.dataSource(), "INSERT INTO SEQUENCE (table_name, next_id) VALUES ('orders', 100)");
            SequenceTable table = new SequenceTable(database.dataSource()).inTable("SEQUENCE");

            assertThat(table.allocate("orders", 1)).isEqualTo(new Segment(100, 1, 1));
            assertThat(table.allocate("orders", 1)).isEqualTo(new Segment(101, 1, 1));
            assertThat(table.startingAt(7).allocate("eighteen-letters-x", 1)).isEqualTo(new Segment(7, 1, 1));
            AllocationException e = assertThrows(
                    AllocationException.class, () -> table.startingAt(7).allocate("nineteen-letters-xx", 1));
            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
            assertThat(e).hasMessageContaining("'nineteen-letters-xx'").hasMessageContaining("too long");
            assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM SEQUENCE"))
                    .isEqualTo(2);
        }
    }
}
