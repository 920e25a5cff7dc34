package io.idgen.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.idgen.jdbc.dialect.Dialect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    }

    @Test
    void aDialectNeedsItsNameAndItsProductAlone() throws SQLException {
        Dialect firebird = new Firebird();
        String url = "jdbc:firebird://localhost/shop";
        SQLException e = new SQLException("the network is gone", "08006");

        assertThat(firebird.takes(url)).isTrue();
        assertThat(firebird.takes("jdbc:firebirdsql:shop")).isFalse();
        assertThat(firebird.isOwnedByThisProcess(url)).isFalse();
        assertThat(firebird.connectionProperties(Duration.ofSeconds(5))).isEmpty();
        assertThat(firebird.sessionProperties(Duration.ofSeconds(5))).isEmpty();
        assertThat(firebird.refusesSessionProperties(e)).isFalse();
        assertThat(firebird.isBrokenConnection(e)).isFalse();
        assertThat(firebird.hibernateDialect()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost/shop, postgresql",
        "jdbc:mariadb://localhost/shop, mariadb",
        "jdbc:mysql://localhost/shop, mysql",
        "JDBC:H2:MEM:shop, h2",
        "jdbc:sqlite::memory:, sqlite",
        "jdbc:hsqldb:mem:shop, hsqldb",
        "jdbc:derby:memory:shop, derby",
        "jdbc:oracle:thin:@localhost:1521/shop, oracle",
        "jdbc:sqlserver://localhost, sqlserver",
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
                .containsExactly(entry("sessionVariables", "wsrep_sync_wait=7"));
        assertThat(mariaDb.refusesSessionProperties(new SQLException("Initialization command fail", "08000", unknown)))
                .isTrue();
        assertThat(mariaDb.refusesSessionProperties(new SQLException("Initialization command fail", "08000", away)))
                .isFalse();
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
