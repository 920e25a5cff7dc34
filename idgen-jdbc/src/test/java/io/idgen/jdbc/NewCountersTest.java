package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where new names begin, and the names of tables, columns and servers, which are the same in all ways to take ids. */
@ParameterizedClass
@EachDatabase
@Tag("databases")
@Tag("servers")
class NewCountersTest {
    private static final long INT_LIMIT = 2_147_483_648L;

    @Parameter(0)
    TestDatabase kind;

    private Database database;

    @BeforeEach
    void open() {
        database = kind.create();
        new IdgenSchema(dataSource()).create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private DataSource dataSource() {
        return database.dataSource();
    }

    private Counters counters() {
        return new Counters(dataSource());
    }

    private static AllocationException refusal(Counters counters) {
        return assertThrows(AllocationException.class, () -> counters.allocate("orders", 10));
    }

    private static Segment runFrom(long first) {
        return new Segment(first, 10, 1);
    }

    private long rows() throws SQLException {
        return Sql.number(dataSource(), "SELECT COUNT(*) FROM idgen_counter");
    }

    @Test
    void aNameWithoutRowAndStartIsRefusedWithTheSettingThatIsMissing() throws SQLException {
        AllocationException e = refusal(counters());

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("no row for 'orders' in idgen_counter and no start given")
                .hasMessageContaining("idgen.sources.orders.start")
                .hasMessageContaining(".adopt=table.column");
        assertThat(rows()).isZero();
    }

    @Test
    void aNewNameBeginsAboveTheColumnItAdopts() throws SQLException {
        orders("id BIGINT", "3", "48211", "17");

        Segment first = counters().adopting("orders.id").allocate("orders", 10);
        assertThat(first).isEqualTo(runFrom(48_212));
        assertThat(counters().adopting("orders.id").allocate("orders", 10)).isEqualTo(runFrom(first.last() + 1));
    }

    @ParameterizedTest
    @CsvSource({"id BIGINT,", "id BIGINT, -7", "id INT, 0"})
    void aNewNameThatAdoptsAnEmptyOrNotPositiveColumnBeginsAtOne(String column, String id) throws SQLException {
        orders(column, id == null ? new String[0] : new String[] {id});

        assertThat(counters().adopting("orders.id").allocate("orders", 10)).isEqualTo(runFrom(1));
    }

    @Test
    void ofStartAndAdoptedColumnsTheLargestWins() throws SQLException {
        orders("id BIGINT", "700");
        Sql.execute(dataSource(), "CREATE TABLE items (id INT)");
        Sql.execute(dataSource(), "INSERT INTO items VALUES (800)");
        Sql.execute(dataSource(), "CREATE TABLE no_items (id INT)");

        Counters one = counters().adopting("orders.id");
        Counters three = one.adopting("items.id").adopting("no_items.id");
        assertThat(one.startingAt(1_000).allocate("a", 10)).isEqualTo(runFrom(1_000));
        assertThat(one.startingAt(701).allocate("b", 10)).isEqualTo(runFrom(701));
        assertThat(one.startingAt(20).allocate("c", 10)).isEqualTo(runFrom(701));
        assertThat(three.allocate("d", 10)).isEqualTo(runFrom(801));
    }

    @Test
    void aNewNameBeginsAboveTheColumnInAnotherDatabase() throws SQLException {
        orders("id BIGINT", "3"); // a table of the same name
        try (Database entities = TestDatabase.H2.create()) {
            Sql.execute(entities.dataSource(), "CREATE TABLE orders (id BIGINT)");
            Sql.execute(entities.dataSource(), "INSERT INTO orders VALUES (48211)");
            Counters table = counters().adoptingFrom(entities.dataSource());

            assertThat(table.adopting("orders.id").allocate("a", 10)).isEqualTo(runFrom(48_212));
            assertThat(refusal(table.adopting("missing.id")).code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }
    }

    @Test
    void anAdoptedColumnMayBeQuotedAndHaveASchema() throws SQLException {
        String table = schema() + "." + quoted("Order Items");
        Sql.execute(dataSource(), "CREATE TABLE " + table + " (" + quoted("The Id") + " BIGINT)");
        Sql.execute(dataSource(), "INSERT INTO " + table + " VALUES (99)");

        assertThat(counters().adopting(table + "." + quoted("The Id")).allocate("orders", 10))
                .isEqualTo(runFrom(100));
    }

    @ParameterizedTest
    @CsvSource({
        Long.MAX_VALUE + ", " + Long.MAX_VALUE,
        (Long.MAX_VALUE - 1) + ", " + Long.MAX_VALUE,
        Integer.MAX_VALUE + ", " + INT_LIMIT,
        "5000000000, " + INT_LIMIT
    })
    void aColumnThatHoldsTheLastIdLeavesNoneToGive(long largest, long limit) throws SQLException {
        orders("id BIGINT", Long.toString(largest));

        AllocationException e = refusal(counters().adopting("orders.id").below(limit));

        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e).hasMessageContaining("orders.id holds " + largest).hasMessageContaining("below " + limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing.id", "orders.missing"})
    void aColumnThatCannotBeReadIsRefusedAndNotTakenForTheTable(String column) throws SQLException {
        orders("id BIGINT", "700");

        AllocationException e = refusal(counters().adopting(column));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("cannot read the largest value of " + column)
                .message()
                .doesNotContain("CREATE TABLE");
        assertThat(rows()).isZero();
    }

    @Test
    void aMissingTableIsNamedWithTheStatementThatMakesItAndNothingElse() throws SQLException {
        new IdgenSchema(dataSource()).drop();

        AllocationException e = refusal(counters().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e)
                .hasMessageContaining("idgen_counter")
                .hasMessageContaining(
                        new IdgenSchema(dataSource()).flywayLocation().replace("classpath:", ""))
                .hasMessageContaining("idgen.jdbc.initialize-schema=always");
        Sql.execute(dataSource(), statementIn(e));
        assertThat(counters().startingAt(1).allocate("orders", 10)).isEqualTo(runFrom(1));
    }

    @Test
    void tablesOfOtherNamesAreTables() throws SQLException {
        String schema = schema();
        for (String name :
                List.of("other_table", schema + ".leaf_alloc", quoted("Other Table"), schema + "." + quoted("order"))) {
            Counters other = counters().inTable(name).startingAt(7);
            AllocationException e = refusal(other);
            assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
            Sql.execute(dataSource(), statementIn(e));

            assertThat(other.allocate("orders", 10)).isEqualTo(runFrom(7));
            assertThat(other.allocate("orders", 10)).isEqualTo(runFrom(17));
            assertThat(Sql.number(dataSource(), "SELECT COUNT(*) FROM " + name)).isEqualTo(1);
        }
        assertThat(rows()).isZero();
    }

    @Test
    void aRowThatTheTableRefusesIsReportedWithTheDatabasesReason() throws SQLException {
        Counters owned = counters().inTable("owned").startingAt(1);
        Sql.execute(
                dataSource(),
                statementIn(refusal(owned)).replaceFirst("NOT NULL,", "NOT NULL, the_owner VARCHAR(20) NOT NULL,"));

        AllocationException e = refusal(owned);

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(Objects.requireNonNull(e.getMessage()).toLowerCase()).contains("the_owner");
    }

    private static String statementIn(AllocationException missingTable) {
        String message = Objects.requireNonNull(missingTable.getMessage());
        String statement = message.substring(message.indexOf("CREATE TABLE")).strip();
        assertThat(statement).endsWith(";").doesNotContainPattern("(?s)CREATE.*CREATE");
        return statement.substring(0, statement.length() - 1);
    }

    private void orders(String column, String... ids) throws SQLException {
        Sql.execute(dataSource(), "CREATE TABLE orders (" + column + ")");
        for (String id : ids) {
            Sql.execute(dataSource(), "INSERT INTO orders VALUES (" + id + ")");
        }
    }

    /**
     * Returns a schema that statements can name: a new one, or the connection's own on databases without separate
     * schemas.
     */
    private String schema() throws SQLException {
        switch (kind) {
            case MARIADB, MARIADB_BY_MYSQL_DRIVER, MYSQL, MYSQL_BY_MARIADB_DRIVER -> {
                return Sql.rows(dataSource(), "SELECT DATABASE()").get(0);
            }
            case SQLITE -> {
                return "main";
            }
            default -> {
                Sql.execute(dataSource(), "CREATE SCHEMA shop");
                return "shop";
            }
        }
    }

    private String quoted(String name) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            String quote = connection.getMetaData().getIdentifierQuoteString();
            return quote + name + quote;
        }
    }
}
