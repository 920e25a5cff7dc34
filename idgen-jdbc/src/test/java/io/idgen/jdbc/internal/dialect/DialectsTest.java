package io.idgen.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectsTest {
    private static final Path SOURCES = Path.of("src/main/java/io/idgen/jdbc");

    /** A dialect for another database, with only the methods that it must implement. */
    private static final class Firebird implements Dialect {
        @Override
        public String name() {
            return "firebird";
        }

        @Override
        public boolean speaks(String product, String version) {
            return product.startsWith("Firebird");
        }

        @Override
        public String nowMillis() {
            return "0";
        }
    }

    @Test
    void aDialectNeedsItsNameItsProductAndItsClockAlone() throws SQLException {
        Dialect firebird = new Firebird();
        String url = "jdbc:firebird://localhost/shop";
        SQLException e = new SQLException("the network is gone", "08006");

        assertThat(firebird.isOwnedByThisProcess(url)).isFalse();
        assertThat(firebird.connectionProperties(Duration.ofSeconds(5))).isEmpty();
        assertThat(firebird.sessionProperties(Duration.ofSeconds(5))).isEmpty();
        assertThat(firebird.refusesSessionProperties(e)).isFalse();
        assertThat(firebird.failure(e)).isEqualTo(Failure.OTHER);
        assertThat(firebird.returning()).isEmpty();
    }

    @Test
    void aUrlBelongsToTheDialectWhoseNameFollowsJdbc() {
        assertThat(Dialects.ofUrl("jdbc:mysql://localhost/shop").map(Dialect::name))
                .contains("mysql");
        assertThat(Dialects.ofUrl("JDBC:H2:mem:shop").map(Dialect::name)).contains("h2");
        assertThat(Dialects.ofUrl("jdbc:sqliteodbc:shop")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost/shop, postgresql",
        "jdbc:mariadb://localhost/shop, mariadb",
        "jdbc:mysql://localhost/shop, mysql",
        "JDBC:H2:MEM:shop, h2",
        "jdbc:sqlite::memory:, sqlite",
        "jdbc:hsqldb:mem:shop, hsqldb",
        "jdbc:oracle:thin:@localhost:1521/shop,",
        "jdbc:p6spy:h2:mem:shop,",
        "h2:mem:shop,"
    })
    void aUrlShowsItsDialect(String url, String name) {
        assertThat(Dialects.ofUrl(url).map(Dialect::name).orElse(null)).isEqualTo(name);
    }

    @Test
    void driversGetTheirTimeoutsInTheirOwnUnits() {
        Duration timeout = Duration.ofMillis(2500);

        assertThat(Dialects.named("postgresql").connectionProperties(timeout))
                .containsEntry("connectTimeout", "2")
                .containsEntry("socketTimeout", "2");
        assertThat(Dialects.named("postgresql").sessionProperties(timeout))
                .containsEntry("options", "-c lock_timeout=1875 -c default_transaction_isolation=read\\ committed");
        for (String name : List.of("mariadb", "mysql")) {
            assertThat(Dialects.named(name).connectionProperties(timeout))
                    .containsEntry("connectTimeout", "2500")
                    .containsEntry("socketTimeout", "2500");
        }
    }

    /** Any other failure at the start of a session must not remove the setting from later sessions. */
    @Test
    void onlyAServerThatDoesNotKnowTheVariableRefusesToWaitForOtherNodes() {
        Dialect mariaDb = Dialects.named("mariadb");
        SQLException unknown = new SQLException("Unknown system variable 'wsrep_sync_wait'", "HY000", 1193);
        SQLException away = new SQLException("Socket error", "08000", -1);

        assertThat(mariaDb.sessionProperties(Duration.ofSeconds(5)))
                .containsExactly(entry("sessionVariables", "autocommit=1,wsrep_sync_wait=7"));
        assertThat(mariaDb.refusesSessionProperties(new SQLException("Initialization command fail", "08000", unknown)))
                .isTrue();
        assertThat(mariaDb.refusesSessionProperties(new SQLException("Initialization command fail", "08000", away)))
                .isFalse();
    }

    /** A server that reports to be a node of a cluster with this identifier. */
    private static String onANodeOf(String cluster, String expression) {
        return expression.replace(
                "FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID'",
                "FROM (SELECT 'WSREP_CLUSTER_STATE_UUID' AS VARIABLE_NAME, '" + cluster
                        + "' AS VARIABLE_VALUE) AS status WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID'");
    }

    /** Reports {@code wsrep_on} as a node of Galera does. */
    private static Connection galera(Connection connection) {
        return Wrapped.wrap(Connection.class, connection, call -> {
            if (call.is("prepareStatement")
                    && String.valueOf(call.arguments()[0]).contains("wsrep_on")) {
                call.arguments()[0] = "SELECT 'wsrep_on', 'ON'";
            }
            return call.proceed();
        });
    }

    @Tag("databases")
    @Test
    void onGaleraCountersBelongToTheClusterAsLeasesDoAndElsewhereToOneStartOfTheServer() throws SQLException {
        Dialect mariaDb = Dialects.named("mariadb");
        try (Database database = TestDatabase.MARIADB.create();
                Connection connection = database.dataSource().getConnection()) {
            String onANode = mariaDb.counterServer(galera(connection)).id();
            String alone = mariaDb.counterServer(connection).id();

            String one = text(connection, onANodeOf("1a", onANode));
            assertThat(one)
                    .isEqualTo(text(connection, onANodeOf("1a", mariaDb.serverIdentity())))
                    .isNotEqualTo(text(connection, onANodeOf("2b", onANode)));
            assertThat(text(connection, alone))
                    .isEqualTo(text(connection, onANodeOf("1a", alone)))
                    .isNotEqualTo(text(connection, mariaDb.serverIdentity()))
                    .isNotEqualTo(one);
            assertThat(mariaDb.sequenceRepeatsBecause(galera(connection))).isPresent();
            assertThat(mariaDb.sequenceRepeatsBecause(connection)).isEmpty();
        }
    }

    private static String text(Connection connection, String expression) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + expression)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Checks code and string literals. Comments may name a database as an example. */
    @Test
    void noOtherClassNamesADatabase() throws IOException {
        Pattern named = Pattern.compile(String.join("|", Dialects.names()));
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.startsWith(SOURCES.resolve("internal/dialect")))
                            .filter(file -> named.matcher(code(file)).find()))
                    .isEmpty();
        }
        assertThat(named.matcher(code(SOURCES.resolve("internal/dialect/H2Dialect.java")))
                        .find())
                .isTrue();
    }

    private static String code(Path file) {
        try {
            return Files.readString(file)
                    .replaceAll("(?s)/\\*.*?\\*/|//[^\\n]*", "")
                    .toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
