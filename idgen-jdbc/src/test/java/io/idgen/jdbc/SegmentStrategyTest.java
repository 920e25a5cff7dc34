package io.idgen.jdbc;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.ParallelThreads;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code idgen.strategy=segment}, configured as in an application. */
@Tag("matrix")
class SegmentStrategyTest {

    /**
     * Returns settings with a long timeout. Under load, the first refill of a process takes longer than the default
     * timeout.
     */
    private static IdSources.Builder segments() {
        return IdSources.builder()
                .set("idgen.strategy", "segment")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.acquire-timeout", "1m");
    }

    private static IdSources.Builder segments(DataSource dataSource) {
        return segments().resource(DataSource.class, dataSource);
    }

    private static IdSources.Builder segmentsByUrl(Database database) {
        return segments()
                .set("idgen.jdbc.url", database.plainUrl())
                .set("idgen.jdbc.user", database.user())
                .set("idgen.jdbc.password", database.password());
    }

    private static long first(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return sources.get("orders").nextId();
        }
    }

    private static IdGenerationException refusal(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            IdSource orders = sources.get("orders");
            return assertThrows(IdGenerationException.class, orders::nextId);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aDataSourceThatIsHandedInIsUsed(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            try (IdSources sources = segments(database.dataSource())
                    .set("idgen.segment.step", "50")
                    .build()) {
                assertThat(sources.strategy("orders")).isEqualTo("segment");
                assertThat(sources.get("orders").nextIds(200))
                        .containsExactly(
                                IntStream.rangeClosed(1, 200).mapToLong(i -> i).toArray());
            }
            assertThat(Sql.number(database.dataSource(), "SELECT next_id FROM idgen_counter WHERE name = 'orders'"))
                    .isGreaterThan(200);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aUrlWithUserAndPasswordIsEnough(TestDatabase kind) {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();

            assertThat(first(segmentsByUrl(database))).isEqualTo(1);
        }
    }

    @Test
    void aDataSourceComesBeforeAUrl() throws SQLException {
        try (Database handedIn = TestDatabase.H2.create();
                Database byUrl = TestDatabase.H2.create()) {
            assertThat(first(segments(handedIn.dataSource()).set("idgen.jdbc.url", byUrl.url())))
                    .isEqualTo(1);

            assertThat(Sql.number(handedIn.dataSource(), "SELECT COUNT(*) FROM idgen_counter"))
                    .isEqualTo(1);
            assertThrows(SQLException.class, () -> Sql.number(byUrl.dataSource(), "SELECT 1 FROM idgen_counter"));
        }
    }

    @Test
    void theApplicationsOwnDatabaseIsTheLastChoice() throws SQLException {
        try (Database application = TestDatabase.H2.create();
                Database byUrl = TestDatabase.H2.create()) {
            IdSources.Builder builder = segments()
                    .resource(ApplicationDatabase.class, ApplicationDatabase.of(application.dataSource()))
                    .set("idgen.sources.orders.start", "7");
            assertThat(first(builder)).isEqualTo(7);
            assertThat(first(builder.set("idgen.jdbc.url", byUrl.url()))).isEqualTo(7);

            assertThat(Sql.number(application.dataSource(), "SELECT COUNT(*) FROM idgen_counter"))
                    .isEqualTo(1);
            assertThat(Sql.number(byUrl.dataSource(), "SELECT COUNT(*) FROM idgen_counter"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aPlanNamesTheTablesThatASourceLooksForInTheApplicationsDatabase() {
        AtomicInteger asked = new AtomicInteger();
        DataSource application = Wrapped.dataSource(() -> {
            asked.incrementAndGet();
            throw new SQLException("a plan needs no connection");
        });
        Map<String, String> tables = Map.of(
                "segment", "t_counter",
                "sequence-table", "t_counter",
                "stepped", "t_counter",
                "native-sequence", "",
                "snowflake", "t_worker");
        tables.forEach((strategy, table) -> {
            IdSources.Builder builder = IdSources.builder()
                    .source("orders")
                    .resource(ApplicationDatabase.class, ApplicationDatabase.of(application))
                    .set("idgen.strategy", strategy)
                    .set("idgen.stepped.instance", "1")
                    .set("idgen.stepped.instances", "2")
                    .set("idgen.jdbc.table-prefix", "t_");
            assertThat(names(builder)).isEqualTo(table);
            int count = table.isEmpty() ? 0 : 1;
            assertThat(createdBy(builder)).isEqualTo(nCopies(count, SourceTable.CreatedBy.FRAMEWORK));
            assertThat(createdBy(builder.set("idgen.jdbc.initialize-schema", "never")))
                    .isEqualTo(nCopies(count, SourceTable.CreatedBy.MIGRATIONS));
            assertThat(createdBy(builder.set("idgen.jdbc.initialize-schema", "always")))
                    .isEqualTo(nCopies(count, SourceTable.CreatedBy.SOURCE));
            assertThat(names(builder.set("idgen.jdbc.url", "jdbc:nothing:is-opened")))
                    .isEmpty();
        });
        assertThat(asked).hasValue(0);
    }

    private static List<SourceTable.CreatedBy> createdBy(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return sources.plan("orders").tables().stream()
                    .map(SourceTable::createdBy)
                    .toList();
        }
    }

    /**
     * Returns the names of the tables in a source's plan. Checks that the first DDL statement of each table creates it.
     */
    private static String names(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return sources.plan("orders").tables().stream()
                    .peek(table ->
                            assertThat(table.ddl().apply("h2")).first(STRING).contains("CREATE TABLE", table.name()))
                    .map(SourceTable::name)
                    .collect(Collectors.joining(","));
        }
    }

    @Test
    void withoutADatabaseNothingIsBuilt() {
        ConfigurationException e =
                assertThrows(ConfigurationException.class, () -> segments().build());

        assertThat(e.code()).isEqualTo(ErrorCode.NO_DATABASE);
        assertThat(e)
                .hasMessageContaining("source 'orders' needs a database")
                .hasMessageContaining("DataSource")
                .hasMessageContaining("idgen.jdbc.url");
    }

    @Test
    void aServerGetsItsTableOnlyOnRequest() {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            IdGenerationException e = refusal(segments(database.dataSource()));
            assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
            assertThat(e).hasMessageContaining("CREATE TABLE").hasMessageContaining("idgen_counter");

            IdSources.Builder always = segments(database.dataSource()).set("idgen.jdbc.initialize-schema", "always");
            assertThat(first(always)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {";AUTO_SERVER=TRUE", ";AUTO_SERVER=1", ";FILE_LOCK=NO"})
    void aFileThatOtherProcessesMayOpenGetsNoTableByItself(String setting, @TempDir Path folder) {
        String url = "jdbc:h2:file:" + folder.resolve("shop") + setting;
        JdbcDataSource file = new JdbcDataSource();
        file.setURL(url);

        assertThat(refusal(segments(file)).code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(refusal(segments().set("idgen.jdbc.url", url)).code()).isEqualTo(ErrorCode.TABLE_MISSING);
    }

    @Test
    void aFileThatThisProcessAloneMayOpenGetsItsTableByItself(@TempDir Path folder) {
        IdSources.Builder builder = segments()
                .set("idgen.jdbc.url", "jdbc:h2:file:" + folder.resolve("shop"))
                .set("idgen.sources.orders.limit", "2");
        try (IdSources sources = builder.build()) {
            IdSource orders = sources.get("orders");
            assertThat(orders.nextId()).isEqualTo(1);

            // and no background refill keeps the file open
            assertThat(assertThrows(IdGenerationException.class, orders::nextId).code())
                    .isEqualTo(ErrorCode.LIMIT_REACHED);
        }
    }

    @Test
    void manySourcesShareTwoConnections() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            DataSource counting = Wrapped.dataSource(() -> {
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                return Wrapped.wrap(Connection.class, database.dataSource().getConnection(), call -> {
                    if (call.is("close")) {
                        open.decrementAndGet();
                    }
                    return call.proceed();
                });
            });
            IdSources.Builder builder = segments(counting).set("idgen.segment.step", "5");
            IntStream.range(0, 12).forEach(i -> builder.set("idgen.sources.s" + i + ".start", "1"));
            try (IdSources sources = builder.build()) {
                ParallelThreads.run(12, thread -> sources.get("s" + thread).nextIds(200));
            }

            assertThat(most.get()).isBetween(1, 2);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    idgen.segment.step               | 0          | from 1 to 1000000000
                    idgen.segment.step               | 1000000001 | from 1 to 1000000000
                    idgen.segment.step               | many       | a whole number
                    idgen.segment.order              | none       | process or thread
                    idgen.sources.orders.start       | 0          | from 1 to
                    idgen.sources.orders.start       | -5         | from 1 to
                    idgen.sources.orders.limit       | 1          | from 2 to
                    idgen.jdbc.initialize-schema     | sometimes  | never, embedded or always
                    idgen.acquire-timeout            | 3          | a duration
                    idgen.jdbc.timeout               | 5000       | a duration
                    """)
    void aValueThatBreaksItsRuleIsRefusedAtTheStart(String key, String text, String rule) {
        assertRefusedAtTheStart(key, text, rule);
    }

    @Test
    void aNameTooLongForItsColumnIsRefusedAtTheStart() {
        try (Database database = TestDatabase.H2.create()) {
            IdSources.Builder builder = segments(database.dataSource()).source("x".repeat(129));

            assertThat(assertThrows(ConfigurationException.class, builder::build))
                    .hasMessageContaining("128");
        }
    }

    @ParameterizedTest
    @CsvSource({"'orders.id,', ''", "'orders.id, a b', ' a b'", "'orders.id,items', 'items'"})
    void amongSeveralColumnsTheOneThatIsNoneIsNamed(String columns, String wrong) {
        assertRefusedAtTheStart(
                "idgen.sources.orders.adopt", columns, "2 to 4 identifiers joined by dots", "'" + wrong + "'");
    }

    private static void assertRefusedAtTheStart(String key, String text, String rule) {
        assertRefusedAtTheStart(key, text, rule, text.replace("\n", "\\u000A")); // as a log line shows it
    }

    private static void assertRefusedAtTheStart(String key, String text, String rule, String shown) {
        try (Database database = TestDatabase.H2.create()) {
            IdSources.Builder builder = segments(database.dataSource()).set(key, text);
            ConfigurationException e = assertThrows(ConfigurationException.class, builder::build);

            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING);
            assertThat(e)
                    .hasMessageContaining(key)
                    .hasMessageContaining(rule)
                    .hasMessageContaining(shown)
                    .hasMessageEndingWith("(from code)");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aWrongPasswordIsReportedWithoutIt(TestDatabase kind) {
        try (Database database = kind.create()) {
            IdGenerationException e = refusal(segmentsByUrl(database).set("idgen.jdbc.password", "wrong-secret"));

            assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(e)
                    .hasMessageContaining(
                            kind == TestDatabase.H2 ? "Wrong user name or password" : "password authentication failed");
            assertNowhere("wrong-secret", e);
        }
    }

    /** Checks the message and those of all causes, because logs print them too. */
    private static void assertNowhere(String secret, Throwable e) {
        List<String> told = new ArrayList<>();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            told.add(cause.toString());
            for (Throwable suppressed : cause.getSuppressed()) {
                told.add(suppressed.toString());
            }
        }
        assertThat(told).noneMatch(text -> text.contains(secret));
    }
}
