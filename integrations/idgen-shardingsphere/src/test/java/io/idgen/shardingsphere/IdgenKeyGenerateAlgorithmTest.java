package io.idgen.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders in four tables of two PostgreSQL databases; the table is the id modulo 4. */
@Tag("databases")
class IdgenKeyGenerateAlgorithmTest {
    private static final String DEFAULT = "SNOWFLAKE";

    @AutoClose
    private final Database shop0 = TestDatabase.POSTGRESQL.create();

    @AutoClose
    private final Database shop1 = TestDatabase.POSTGRESQL.create();

    private final List<Database> shops = List.of(shop0, shop1);

    private final String configuration = OrderProcess.configuration(Map.of(
            "shop0.url", shop0.plainUrl(),
            "shop1.url", shop1.plainUrl(),
            "shop.user", shop0.user(),
            "shop.password", shop0.password()));

    /** The same with ShardingSphere's own generator. */
    private final String withDefault =
            configuration.substring(0, configuration.indexOf("IDGEN")) + DEFAULT + System.lineSeparator();

    @BeforeEach
    void tables() throws SQLException {
        for (int table = 0; table < 4; table++) {
            try (Connection connection = shops.get(table % 2).dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE orders_" + table + " (id bigint PRIMARY KEY, customer varchar(20) NOT NULL)");
            }
        }
    }

    /** Returns the ids in a table. */
    private List<Long> ids(int table) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = shops.get(table % 2).dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM orders_" + table)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private List<Integer> rowsOfEachTable() throws SQLException {
        return List.of(ids(0).size(), ids(1).size(), ids(2).size(), ids(3).size());
    }

    /** Lets two processes insert at the same time, and returns how each of them ended. */
    private static List<String> twoProcesses(String configuration, int statements, int rows) throws IOException {
        List<ChildJvm> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) { // one after the other: the first rows of both must not collide yet
                ChildJvm process = ChildJvm.start(
                        OrderProcess.class,
                        List.of("-Xmx256m"),
                        List.of(configuration, Integer.toString(statements), Integer.toString(rows)));
                processes.add(process);
                process.awaits(OrderProcess.READY);
            }
            for (ChildJvm process : processes) {
                process.tell("go");
            }
            List<CompletableFuture<String>> ends = processes.stream()
                    .map(process -> CompletableFuture.supplyAsync(() -> end(process), task -> {
                        Thread thread = new Thread(task, "waits for a process");
                        thread.setDaemon(true);
                        thread.start();
                    }))
                    .toList();
            return ends.stream().map(CompletableFuture::join).toList();
        } finally {
            processes.forEach(ChildJvm::close);
        }
    }

    private static String end(ChildJvm process) {
        try {
            List<String> printed = process.awaitsEnd();
            return printed.stream() // log lines may follow
                    .filter(List.of(OrderProcess.INSERTED, OrderProcess.DUPLICATE)::contains)
                    .findFirst()
                    .orElse(printed.toString());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRowGetsASnowflakeAndTheCallerReceivesIt() throws Exception {
        DataSource shop = OrderProcess.shop(configuration);
        long id = OrderProcess.insert(shop, 1);

        assertThat(id).isGreaterThan(1L << 40);
        assertThat(ids((int) (id % 4))).containsExactly(id);
    }

    @Tag("matrix")
    @Test
    void twoProcessesOfTheDefaultGeneratorCollide() throws Exception {
        assertThat(twoProcesses(withDefault, 2_000, 50)).contains(OrderProcess.DUPLICATE);
    }

    @Tag("matrix")
    @Test
    void twoProcessesWithIdgenInsertAllRowsWithWorkerIdsOfTheirOwn() throws Exception {
        assertThat(twoProcesses(configuration, 200, 50)).containsOnly(OrderProcess.INSERTED);

        List<Long> all = new ArrayList<>();
        for (int table = 0; table < 4; table++) {
            all.addAll(ids(table));
        }
        assertThat(all).hasSize(2 * (200 * 50 + 1)).doesNotHaveDuplicates();
        assertThat(all.stream()
                        .map(SnowflakeLayout.IDGEN::parse)
                        .map(id -> List.of(id.datacenter(), id.worker()))
                        .distinct())
                .hasSize(2);
    }

    @Test
    void rowsThatAreInsertedOneByOneSpreadEvenlyOverTheTables() throws Exception {
        DataSource shop = OrderProcess.shop(configuration);
        for (int i = 0; i < 400; i++) {
            OrderProcess.insert(shop, 1);
        }

        assertThat(rowsOfEachTable()).allSatisfy(rows -> assertThat(rows).isBetween(60, 140));
    }

    @Test
    void aTableMayHaveAnotherStrategy() throws Exception {
        DataSource shop = OrderProcess.shop(configuration.replace(
                "idgen.jdbc.initialize-schema: always",
                "idgen.jdbc.initialize-schema: always\n          idgen.sources.orders.strategy: segment"
                        + "\n          idgen.sources.orders.start: 1000"));

        assertThat(OrderProcess.insert(shop, 1)).isEqualTo(1000);
        assertThat(OrderProcess.insert(shop, 1)).isEqualTo(1001);
    }

    @Test
    void generatorsWithEqualSettingsShareTheirSources() {
        Map<String, String> settings = Map.of("idgen.worker.assigner", "single-process");

        assertThat(SharedSources.with(settings))
                .isSameAs(SharedSources.with(new HashMap<>(settings)))
                .isNotSameAs(SharedSources.with(Map.of()));
    }

    @Test
    void aTableThatAStatementWritesInUpperCaseHasTheSameSource() {
        Map<String, String> settings = Map.of("idgen.worker.id", "7", "idgen.sources.orders.acquire-timeout", "2s");
        Properties properties = new Properties();
        properties.putAll(settings);
        IdgenKeyGenerateAlgorithm generator = new IdgenKeyGenerateAlgorithm();
        generator.init(properties);

        for (String table : List.of("orders", "ORDERS")) {
            assertThat(generator.generateKeys(new AlgorithmSQLContext("shop", "public", table, "id"), 1))
                    .hasSize(1);
        }
        assertThat(SharedSources.with(settings).sources().names()).containsExactly("orders");
    }

    @Test
    void anUnknownPropertyIsRefused() {
        Properties settings = new Properties();
        settings.setProperty("worker-id", "7");

        assertThatThrownBy(() -> new IdgenKeyGenerateAlgorithm().init(settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'worker-id'; write idgen.worker-id, or remove it");
    }
}
