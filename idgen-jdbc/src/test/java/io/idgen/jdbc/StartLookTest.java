package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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

/** Each start compares the next ids with the largest keys, if a framework names the columns. */
@ParameterizedClass
@EachDatabase
@Tag("databases")
@Tag("servers")
class StartLookTest {
    private static final long REACH = 100_000_000;

    /** Two hours ago, so that the next ids of the same layout are above whatever the clocks. */
    private static final long OF_TWITTER =
            SnowflakeLayout.TWITTER.firstIdAt(Instant.now().minus(2, ChronoUnit.HOURS));

    @Parameter(0)
    TestDatabase kind;

    private final Map<String, String> settings = new HashMap<>(Map.of("idgen.acquire-timeout", "20s"));
    private final Map<String, String> keys = new LinkedHashMap<>();
    private Database database;
    private DataSource dataSource;

    @BeforeEach
    void open() throws SQLException {
        database = kind.create();
        dataSource = database.dataSource();
        new IdgenSchema(dataSource).create();
        create("orders", "id BIGINT NOT NULL PRIMARY KEY");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }

    private void create(String table, String column) throws SQLException {
        execute("CREATE TABLE " + table + " (" + column + ")");
        keys.put(table, table + ".id");
    }

    private void insert(String table, Object id) throws SQLException {
        execute("INSERT INTO " + table + " (id) VALUES (" + id + ")");
    }

    /** Does something in a new process, whose sources a framework has bound. */
    private <T> T start(String strategy, Function<IdSources, T> work) {
        SourceBinder binder = SourceBinder.of(IdSources.builder()
                .resource(DataSource.class, dataSource)
                .set("idgen.strategy", strategy)
                .settings(settings, "a test"));
        keys.forEach((name, column) -> binder.bind(name, Map.of("adopt", column, "id-columns", column)));
        try (IdSources sources = binder.sources()) {
            return work.apply(sources);
        }
    }

    private long next(String strategy) {
        return next(strategy, "orders");
    }

    private long next(String strategy, String source) {
        return start(strategy, sources -> sources.get(source).nextId());
    }

    private IdGenerationException refusal(String strategy) {
        return start(
                strategy,
                sources -> assertThrows(
                        IdGenerationException.class, () -> sources.get("orders").nextId()));
    }

    private List<String> warnings(Runnable work) {
        try (LogLines log = new LogLines("io.idgen.jdbc.internal.strategy.StartLook")) {
            work.run();
            return log.lines();
        }
    }

    private void runStatementIn(IdGenerationException refusal, String verb) throws SQLException {
        String message = Objects.requireNonNull(refusal.getMessage());
        String statement = message.substring(message.indexOf(verb));
        execute(statement.replaceFirst("(;| \\().*", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "stepped"})
    void aCounterBelowTheLargestKeyIsRaisedWithOneWarningThatHasBothNumbers(String strategy) throws SQLException {
        settings.putAll(Map.of("idgen.stepped.instance", "2", "idgen.stepped.instances", "3"));
        long first = next(strategy);
        insert("orders", 48_211);

        List<String> warnings = warnings(() -> assertThat(next(strategy)).isBetween(48_212L, 48_214L));

        assertThat(warnings).singleElement().asString().contains("'orders'", "48211", "orders.id");
        assertThat(first).isLessThan(4);
        assertThat(warnings(() -> next(strategy))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void aKeyMoreThanTheReachAboveTheCounterIsRefusedWithTheStatementThatMendsIt(int beyond, boolean isRaised)
            throws SQLException {
        next("sequence-table");
        long largest = 2 + REACH + beyond;
        insert("orders", largest);
        if (isRaised) {
            assertThat(next("sequence-table")).isEqualTo(largest + 1);
            return;
        }

        IdGenerationException refusal = refusal("sequence-table");

        assertThat(refusal.code()).isEqualTo(ErrorCode.KEYS_AHEAD);
        assertThat(refusal).hasMessageContainingAll("'orders'", "is 2", Long.toString(largest));
        runStatementIn(refusal, "UPDATE");
        assertThat(next("sequence-table")).isEqualTo(largest + 1);
    }

    @Test
    void aKeyThatIsNotBelowTheLimitIsRefused() throws SQLException {
        settings.put("idgen.sources.orders.limit", "2147483648");
        next("segment");
        insert("orders", 2_147_483_648L);

        assertThat(refusal("segment")).hasMessageContainingAll("IDGEN-411", "2147483648", "limit");
    }

    /** A refusal is one table's: others go on. */
    @Test
    void aCounterIsNotRefusedBecauseOfAnother() throws SQLException {
        create("items", "id BIGINT NOT NULL PRIMARY KEY");
        start(
                "segment",
                sources -> sources.get("orders").nextId() + sources.get("items").nextId());
        insert("orders", Long.MAX_VALUE);
        insert("items", 70_000);

        start("segment", sources -> {
            assertThat(sources.get("items").nextId()).isEqualTo(70_001);
            assertThrows(
                    IdGenerationException.class, () -> sources.get("orders").nextId());
            return 0;
        });
    }

    @Test
    void aSequenceBelowTheLargestKeyIsRefusedUntilItIsRestarted() throws SQLException {
        assumeTrue(kind.name().matches("H2|POSTGRESQL|MARIADB.*|HSQLDB"), "has sequences");
        execute("CREATE SEQUENCE orders_seq START WITH 1");
        create("items", "id BIGINT NOT NULL PRIMARY KEY");
        insert("orders", 48_211);

        IdGenerationException refusal = refusal("native-sequence");

        assertThat(refusal.code()).isEqualTo(ErrorCode.KEYS_AHEAD);
        assertThat(refusal).hasMessageContainingAll("48211", "orders.id");
        start("native-sequence", sources -> {
            assertThrows(IdGenerationException.class, () -> sources.get("items").nextId()); // has looked at orders, too
            assertThrows(
                    IdGenerationException.class, () -> sources.get("orders").nextId());
            return 0;
        });
        runStatementIn(refusal, "ALTER");
        assertThat(next("native-sequence")).isEqualTo(48_212);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "single-process"})
    void idsOfAnotherLayoutAreRefusedAtEachStartAlsoAfterAnotherTableWasAccepted(String assigner) throws SQLException {
        settings.put("idgen.worker.assigner", assigner);
        long first = next("snowflake");
        insert("orders", first);
        assertThat(next("snowflake")).isPositive();
        create("book", "id BIGINT NOT NULL PRIMARY KEY");
        insert("book", OF_TWITTER);

        IdGenerationException refusal = start(
                "snowflake",
                sources -> assertThrows(
                        IdGenerationException.class, () -> sources.get("book").nextId()));

        assertThat(refusal).hasStackTraceContaining("IDGEN-206").hasStackTraceContaining("book.id, " + OF_TWITTER);
        settings.put("idgen.sources.book.snowflake.start-above", "1");
        assertThat(next("snowflake", "book")).isPositive();
    }

    /** A clock of the database was a year ahead: ids of the layout in use are no reason to refuse. */
    @Test
    void idsUpToTheHorizonOfTheLeasesAreAccepted() throws SQLException {
        settings.put("idgen.worker.assigner", "jdbc");
        next("snowflake");
        Instant ahead = Instant.now().plus(365, ChronoUnit.DAYS);
        insert("orders", SnowflakeLayout.IDGEN.firstIdAt(ahead));
        assertThat(refusal("snowflake")).hasStackTraceContaining("IDGEN-206");

        execute("UPDATE idgen_worker SET horizon = " + ahead.toEpochMilli() + " WHERE worker_id = 7");

        assertThat(next("snowflake")).isPositive();
    }

    @Test
    void fiftyTablesCostOneStatement() throws SQLException {
        for (int i = 1; i < 50; i++) {
            create("t" + i, "id BIGINT NOT NULL PRIMARY KEY");
        }
        start(
                "segment",
                sources -> keys.keySet().stream()
                        .mapToLong(name -> sources.get(name).nextId())
                        .sum());
        long withoutFramework = statements(Map.of());

        assertThat(statements(Map.copyOf(keys)) - withoutFramework)
                .as(kind.name())
                .isOne();
    }

    private long statements(Map<String, String> ofFramework) {
        StatementCounter counter = new StatementCounter(database.dataSource());
        dataSource = counter.dataSource();
        Map<String, String> all = Map.copyOf(keys);
        keys.clear();
        keys.putAll(ofFramework);
        settings.put("idgen.sources.orders.start", "1");
        try {
            next("sequence-table");
            return counter.counts().statements();
        } finally {
            keys.putAll(all);
        }
    }

    @Test
    void aMissingTableKeepsNoOtherFromBeingCompared() throws SQLException {
        next("segment");
        insert("orders", 48_211);
        keys.put("missing", "missing.id");

        assertThat(next("segment")).isEqualTo(48_212);
    }

    /** In the order of texts, 9 comes after 70. */
    @Test
    void theLastTextIsNotTakenForTheLargestId() throws SQLException {
        create("texts", "id VARCHAR(20) NOT NULL PRIMARY KEY");
        assertThat(next("segment", "texts")).isOne();
        insert("texts", "'70'");
        insert("texts", "'9'");

        assertThat(warnings(() -> next("segment", "texts")))
                .singleElement()
                .asString()
                .contains("texts.id are not compared");
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "snowflake"})
    void aColumnThatAcceptsNoIdsIsRefusedUntilItIsAltered(String strategy) throws SQLException {
        assumeTrue(kind.name().matches("H2|POSTGRESQL"), "has such columns");
        create("book", "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY");

        IdGenerationException refusal = start(
                strategy,
                sources -> assertThrows(
                        IdGenerationException.class, () -> sources.get("book").nextId()));

        assertThat(refusal).hasStackTraceContaining("IDGEN-412");
        runStatementIn(root(refusal), "ALTER");
        assertThat(next(strategy, "book")).isPositive();
    }

    private static IdGenerationException root(IdGenerationException e) {
        return e.getCause() instanceof IdGenerationException cause ? root(cause) : e;
    }

    @Test
    void automaticNumbersBesideACounterAreReportedUntilTheyAreRemoved() throws SQLException {
        assumeTrue(!kind.name().matches("HSQLDB|SQLITE"), "reports them");
        create(
                "book",
                kind.name().matches("H2|POSTGRESQL")
                        ? "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
                        : "id BIGINT AUTO_INCREMENT PRIMARY KEY");
        insert("book", 5);

        List<String> warnings = warnings(() -> next("segment", "book"));

        assertThat(warnings).singleElement().asString().contains("book.id", "docs/adopting-identity.md");
        String alter = warnings.get(0).replaceFirst(".*(ALTER TABLE .*) \\(http.*", "$1");
        execute(alter);
        assertThat(warnings(() -> next("segment", "book"))).isEmpty();
        if (!kind.name().matches("H2|POSTGRESQL")) {
            return;
        }
        execute("CREATE SEQUENCE serial");
        execute("ALTER TABLE book ALTER COLUMN id SET DEFAULT nextval('serial')");
        assertThat(warnings(() -> next("segment", "book")))
                .singleElement()
                .asString()
                .contains("DROP DEFAULT");
        assertThat(warnings(() -> next("snowflake", "book"))).isEmpty();
    }

    /** Who sees only some rows does not know the largest key. */
    @Test
    void rowLevelSecurityHidesNoKeyFromANewCounter() throws SQLException {
        assumeTrue(kind == TestDatabase.POSTGRESQL);
        insert("orders", 48_211);
        execute("CREATE POLICY below_100 ON orders USING (id < 100)");
        execute("ALTER TABLE orders ENABLE ROW LEVEL SECURITY");
        execute("ALTER TABLE orders FORCE ROW LEVEL SECURITY"); // also for the owner, who runs this test
        assumeTrue(Sql.number(dataSource, "SELECT COUNT(*) FROM orders") == 0, "is no superuser");

        assertThat(refusal("segment"))
                .hasMessageContainingAll("IDGEN-404", "row-level security", "idgen.sources.<name>.start");
        settings.put("idgen.sources.orders.start", "50000");
        assertThat(warnings(() -> assertThat(next("segment")).isEqualTo(50_000)))
                .singleElement()
                .asString()
                .contains("orders.id are not compared", "row-level security");
    }

    @Test
    void aMigrationThatHoldsItsLockIsAwaited() throws SQLException {
        settings.put("idgen.acquire-timeout", "2s");
        execute("CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL PRIMARY KEY, LOCKED "
                + (kind.name().startsWith("M") ? "BIT(1)" : "BOOLEAN")
                + " NOT NULL, LOCKGRANTED TIMESTAMP, LOCKEDBY VARCHAR(255))");
        execute("INSERT INTO DATABASECHANGELOGLOCK VALUES (1, TRUE, CURRENT_TIMESTAMP, 'web-1 (10.0.0.1)')");
        assertThat(refusal("segment")).hasStackTraceContaining("locked by web-1 (10.0.0.1) since");
        settings.put("idgen.acquire-timeout", "20s");

        start("sequence-table", sources -> {
            Thread migration = new Thread(() -> {
                try {
                    insert("orders", 30);
                    execute("UPDATE DATABASECHANGELOGLOCK SET LOCKED = FALSE");
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            migration.start();
            assertThat(sources.get("orders").nextId()).isEqualTo(31);
            return 0;
        });
    }

    /** The control: without a migration, a table that is missing is named, with the setting that starts later. */
    @Test
    void aMissingTableOfANewCounterIsRefusedWithTheCause() {
        assumeTrue(kind != TestDatabase.HSQLDB, "it reports another error");
        keys.put("orders", "missing.id");

        assertThat(refusal("segment")).hasMessageContainingAll("IDGEN-404", "missing.id", "idgen.startup=lazy");
    }
}
