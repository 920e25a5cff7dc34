package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
@Tag("matrix")
class TestDatabaseTest {

    @ParameterizedTest
    @EachDatabase
    void eachCallGivesAnEmptyDatabaseOfItsOwn(TestDatabase kind) throws SQLException {
        try (Database one = kind.create();
                Database other = kind.create()) {
            execute(one, "CREATE TABLE t (id INT)");
            execute(other, "CREATE TABLE t (id INT)");

            assertThat(one.url()).isNotEqualTo(other.url());
        }
    }

    @ParameterizedTest
    @EachDatabase(except = TestDatabase.SQLITE)
    void theUrlLogsInAndWithoutItsCredentialsDoesNot(TestDatabase kind) throws SQLException {
        for (Database created : List.of(kind.create(), kind.createShared())) {
            try (Database database = created) {
                try (Connection byUrl = DriverManager.getConnection(database.url());
                        Connection byHand =
                                DriverManager.getConnection(database.plainUrl(), database.user(), database.password());
                        Connection byDataSource = database.dataSource().getConnection()) {
                    assertThat(byUrl.getCatalog())
                            .isEqualTo(byHand.getCatalog())
                            .isEqualTo(byDataSource.getCatalog());
                }
                assertThat(database.plainUrl()).doesNotContain(database.password());
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection(database.plainUrl(), database.user(), "wrong")
                                .close());
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection(database.plainUrl()).close());
            }
        }
    }

    @ParameterizedTest
    @EachDatabase(except = TestDatabase.SQLITE)
    void closingDropsItWhoeverIsStillConnected(TestDatabase kind) throws Exception {
        for (Database database : List.of(kind.create(), kind.createShared())) {
            execute(database, "CREATE TABLE t (id INT)");
            // not closed below, because a driver may report on close that the session has ended
            Connection left = database.dataSource().getConnection();
            left.setAutoCommit(false);
            execute(left, "INSERT INTO t VALUES (1)");
            database.close();

            // Derby drops in the background. HSQLDB's isValid() returns true without a check, so this executes a
            // statement.
            Await.until("the session of " + database + " ends", () -> isRefused(left, "INSERT INTO t VALUES (2)"));
        }
    }

    @Test
    void closingDeletesTheFilesOfSqlite() throws SQLException {
        Database database = TestDatabase.SQLITE.create();
        Path file = Path.of(database.url().replaceAll("jdbc:sqlite:|\\?.*", ""));
        execute(database, "CREATE TABLE t (id INT)");
        assertThat(file).isRegularFile();
        database.close();

        assertThat(Files.exists(file.getParent())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "H2,                      H2",
        "POSTGRESQL,              PostgreSQL",
        "MARIADB,                 MariaDB",
        "MARIADB_BY_MYSQL_DRIVER, MySQL",
        "HSQLDB,                  HSQL Database Engine",
        "DERBY,                   Apache Derby",
        "SQLITE,                  SQLite"
    })
    void itIsOfItsKind(TestDatabase kind, String product) throws SQLException {
        for (Database created : List.of(kind.create(), kind.createShared())) {
            try (Database database = created;
                    Connection connection = database.dataSource().getConnection()) {
                assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo(product);
                assertThat(database.kind()).isEqualTo(kind);
            }
        }
    }

    @ParameterizedTest
    @EachDatabase
    void anotherProcessCanOpenASharedOne(TestDatabase kind) throws Exception {
        try (Database database = kind.createShared()) {
            execute(database, "CREATE TABLE t (id INT PRIMARY KEY)");
            execute(database, "INSERT INTO t VALUES (1)");

            assertThat(otherProcess(database.url(), "INSERT INTO t VALUES (2)")).isZero();
            assertThat(Sql.number(database.dataSource(), "SELECT SUM(id) FROM t"))
                    .isEqualTo(3);
        }
    }

    private static int otherProcess(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OneStatement.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Runs in another process. The arguments are the URL of a database and a statement. */
    static final class OneStatement {
        public static void main(String[] arguments) throws SQLException {
            try (Connection connection = DriverManager.getConnection(arguments[0])) {
                execute(connection, arguments[1]);
            }
        }
    }

    private static boolean isRefused(Connection connection, String sql) {
        try {
            execute(connection, sql);
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
