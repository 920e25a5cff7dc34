package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.ApplicationSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sequence-table}, {@code stepped} and {@code native-sequence}, configured as in an application. */
class OtherStrategiesTest {
    @AutoClose
    private final Database database = TestDatabase.H2.create();

    private IdSources.Builder strategy(String name, String... settings) {
        return set(IdSources.builder().resource(DataSource.class, database.dataSource()), name, settings);
    }

    /** Sets a strategy. The settings are keys, each followed by its value. */
    private static IdSources.Builder set(IdSources.Builder builder, String strategy, String... settings) {
        builder.set("idgen.strategy", strategy).source("orders");
        builder.set("idgen.acquire-timeout", "1m"); // on a busy machine, the first id takes longer than 3 s
        for (int i = 0; i < settings.length; i += 2) {
            builder.set("idgen." + settings[i], settings[i + 1]);
        }
        return builder;
    }

    private static long[] ids(IdSources.Builder builder, int count) {
        try (IdSources sources = builder.build()) {
            return LongStream.generate(sources.get("orders")::nextId)
                    .limit(count)
                    .toArray();
        }
    }

    private static ErrorCode refusal(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            IdSource orders = sources.get("orders");
            return assertThrows(IdGenerationException.class, orders::nextId).code();
        }
    }

    private static ConfigurationException refusedAtTheStart(IdSources.Builder builder) {
        ConfigurationException e = assertThrows(ConfigurationException.class, builder::build);
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING);
        return e;
    }

    /** The column's successor is 100, an id of instance 1. */
    @ParameterizedTest
    @CsvSource({"1, 100", "2, 101", "3, 102"})
    void anInstanceBeginsAtItsFirstIdAboveTheColumnItAdopts(String instance, long first) throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE orders (id BIGINT PRIMARY KEY)");
        Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (99)");

        assertThat(ids(
                        strategy(
                                "stepped",
                                "stepped.instance",
                                instance,
                                "stepped.instances",
                                "3",
                                "sources.orders.adopt",
                                "orders.id"),
                        2))
                .containsExactly(first, first + 3);
    }

    @ParameterizedTest
    @CsvSource({"sequence-table, 1, 2, 3, 4", "stepped, 2, 5, 8, 11"})
    void aTableIsMadeInThisProcessAndEachIdIsTakenFromItAlone(
            String strategy, long first, long second, long third, long next) throws SQLException {
        IdSources.Builder builder = strategy(strategy, "sources.orders.start", "1");
        if (strategy.equals("stepped")) {
            builder.set("idgen.stepped.instance", "2").set("idgen.stepped.instances", "3");
        }

        assertThat(ids(builder, 3)).containsExactly(first, second, third);
        assertThat(Sql.number(database.dataSource(), "SELECT next_id FROM idgen_counter"))
                .as("nothing is fetched ahead")
                .isEqualTo(next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "stepped"})
    void startsLimitsAndColumnsToAdoptAreSet(String strategy) throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE old_orders (id INT)");
        Sql.execute(database.dataSource(), "CREATE TABLE orders (id INT)");
        Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (700)");
        Map<String, String> one = Map.of("idgen.stepped.instance", "1", "idgen.stepped.instances", "1");

        IdSources.Builder builder = strategy(
                strategy,
                "sources.orders.adopt",
                "old_orders.id, orders.id",
                "sources.orders.limit",
                "703",
                "jdbc.table-prefix",
                "app_");
        if (strategy.equals("stepped")) {
            one.forEach(builder::set);
        }
        try (IdSources sources = builder.build()) {
            assertThat(sources.plan("orders").largestId()).isEqualTo(702);
        }
        assertThat(ids(builder, 2)).containsExactly(701, 702);
        assertThat(refusal(builder)).isEqualTo(ErrorCode.LIMIT_REACHED);

        IdSources.Builder unknown = strategy(strategy);
        if (strategy.equals("stepped")) {
            one.forEach(unknown::set);
        }
        assertThat(refusal(unknown)).isEqualTo(ErrorCode.START_UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "stepped"})
    void aNewRowBelongsToTheServerAndHasTheReachThatAreSet(String strategy) throws SQLException {
        IdSources.Builder builder = strategy(
                strategy, "sources.orders.start", "1", "jdbc.server-identity", "node 7", "segment.reach", "5000");
        if (strategy.equals("stepped")) {
            builder.set("idgen.stepped.instance", "1").set("idgen.stepped.instances", "1");
        }

        assertThat(ids(builder, 1)).containsExactly(1);
        assertThat(Sql.rows(database.dataSource(), "SELECT server_id, reach FROM idgen_counter"))
                .containsExactly("node 7 | 5000");
    }

    /** Without tenants, the existing row is enough. */
    @Test
    void aSourceOfTenantsWithSchemasOfTheirOwnNeedsAStartAboveTheIdsOfAll() {
        assertThat(ids(strategy("sequence-table", "sources.orders.start", "1"), 2))
                .containsExactly(1, 2);
        assertThat(ids(strategy("sequence-table"), 1)).containsExactly(3);

        IdSources.Builder tenants =
                strategy("sequence-table").resource(ApplicationSchema.class, new ApplicationSchema(null, true));
        assertThat(assertThrows(ConfigurationException.class, tenants::build).code())
                .isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(ids(tenants.set("idgen.sources.orders.start", "1"), 1)).containsExactly(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    stepped         | stepped.instance         | 0    | from 1 to 999
                    stepped         | stepped.instance         | 4    | instance must be 1 to 3, got 4
                    stepped         | stepped.instances        | many | a whole number
                    native-sequence | sources.orders.sequence  | a b  | 1 to 2 identifiers
                    native-sequence | sources.orders.increment | 0    | from 1 to 1000000
                    native-sequence | sources.orders.value-is  | low  | first or last
                    """)
    void aValueThatBreaksItsRuleIsRefusedAtTheStart(String strategy, String key, String text, String rule) {
        IdSources.Builder builder = strategy(strategy);
        if (strategy.equals("stepped")) {
            builder.set("idgen.stepped.instance", "2").set("idgen.stepped.instances", "3");
        } else if (key.endsWith("value-is")) {
            builder.set("idgen.sources.orders.increment", "50");
        }

        assertThat(refusedAtTheStart(builder.set("idgen." + key, text)))
                .hasMessageContaining("idgen." + key)
                .hasMessageContaining(rule);
    }

    @Test
    void whichInstanceADatabaseIsMustBeSaid() {
        assertThat(refusedAtTheStart(strategy("stepped", "stepped.instance", "1")))
                .hasMessageContaining("idgen.stepped.instance")
                .hasMessageContaining("idgen.stepped.instances")
                .hasMessageContaining("idgen.stepped.<i>.url");
    }

    @Test
    void databasesByNumberedUrlsGiveInTurn() throws SQLException {
        try (Database other = TestDatabase.H2.create()) {
            IdSources.Builder builder = set(
                    IdSources.builder(),
                    "stepped",
                    "sources.orders.start",
                    "1",
                    "stepped.1.url",
                    database.url(),
                    "stepped.2.url",
                    other.plainUrl(),
                    "stepped.2.user",
                    other.user(),
                    "stepped.2.password",
                    other.password());

            assertThat(ids(builder, 4)).containsExactlyInAnyOrder(1, 2, 3, 4);
            String instance = "SELECT instance, instances FROM idgen_counter";
            assertThat(Sql.rows(database.dataSource(), instance)).containsExactly("1 | 2");
            assertThat(Sql.rows(other.dataSource(), instance)).containsExactly("2 | 2");
            assertThat(refusedAtTheStart(builder.set("idgen.stepped.instances", "3")))
                    .hasMessageContaining("there are 2 databases for 3 instances");
        }
    }

    @Test
    void aNativeSequenceIsCalledAsItsSourceWithSeqBehindUnlessItIsNamed() throws SQLException {
        Sql.execute(database.dataSource(), "CREATE SEQUENCE orders_seq START WITH 5");
        Sql.execute(database.dataSource(), "CREATE SEQUENCE other START WITH 9");

        assertThat(ids(strategy("native-sequence"), 2)).containsExactly(5, 6);
        assertThat(ids(strategy("native-sequence", "sources.orders.sequence", "other"), 1))
                .containsExactly(9);
        assertThat(refusal(strategy("native-sequence", "sources.orders.sequence", "missing")))
                .isEqualTo(ErrorCode.SEQUENCE_MISSING);
    }

    /** The control is the sequence of single ids. */
    @Test
    void ofBlocksOneIsKeptInReserveAndOfSingleIdsNone() throws SQLException {
        Sql.execute(database.dataSource(), "CREATE SEQUENCE orders_seq START WITH 1 INCREMENT BY 50");
        Sql.execute(database.dataSource(), "CREATE SEQUENCE single START WITH 1");
        IdSources.Builder blocks =
                strategy("native-sequence", "sources.orders.increment", "50", "sources.orders.value-is", "first");
        try (IdSources sources = blocks.build()) {
            sources.get("orders").warmUp();

            assertThat(Sql.number(database.dataSource(), "VALUES NEXT VALUE FOR orders_seq"))
                    .as("above a block to use and one in reserve")
                    .isEqualTo(101);
        }
        assertThat(ids(strategy("native-sequence", "sources.orders.sequence", "single"), 3))
                .containsExactly(1, 2, 3);
        assertThat(Sql.number(database.dataSource(), "VALUES NEXT VALUE FOR single"))
                .isEqualTo(4);
    }

    @Test
    void aBlockIsReadAsItIsSaidAndNotGuessed() throws SQLException {
        Sql.execute(database.dataSource(), "CREATE SEQUENCE orders_seq START WITH 1 INCREMENT BY 2");
        IdSources.Builder blocks = strategy("native-sequence", "sources.orders.increment", "2");
        assertThat(assertThrows(ConfigurationException.class, blocks::build)).hasMessageContaining("value-is");

        assertThat(ids(blocks.set("idgen.sources.orders.value-is", "first"), 3)).containsExactly(1, 2, 3);
        long[] last = ids(blocks.set("idgen.sources.orders.value-is", "last"), 2);
        assertThat(last[0]).isGreaterThan(3).isEven(); // the values are odd
        assertThat(last[1]).isEqualTo(last[0] + 1);
        assertThat(refusal(strategy("native-sequence"))).isEqualTo(ErrorCode.STEP_MISMATCH);
    }
}
