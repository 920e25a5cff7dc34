package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestDatabaseTest {

    @ParameterizedTest
    @EnumSource
    void eachCallGivesAnEmptyDatabaseOfItsOwn(TestDatabase kind) throws SQLException {
        try (Database one = kind.create();
                Database other = kind.create()) {
            execute(one, "CREATE TABLE t (id INT)");
            execute(other, "CREATE TABLE t (id INT)");

            assertThat(one.url()).isNotEqualTo(other.url());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theUrlLogsInAndWithoutItsCredentialsDoesNot(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            try (Connection byUrl = DriverManager.getConnection(database.url());
                    Connection byHand =
                            DriverManager.getConnection(database.plainUrl(), database.user(), database.password());
                    Connection byDataSource = database.dataSource().getConnection()) {
                assertThat(byUrl.getCatalog()).isEqualTo(byHand.getCatalog()).isEqualTo(byDataSource.getCatalog());
            }
            assertThat(database.plainUrl()).doesNotContain(database.password());
            assertThrows(
                    SQLException.class,
                    () -> DriverManager.getConnection(database.plainUrl(), database.user(), "wrong")
                            .close());
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingDropsItWhoeverIsStillConnected(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        try (Connection left = database.dataSource().getConnection()) {
            execute(database, "CREATE TABLE t (id INT)");
            database.close();

            assertThat(left.isValid(5)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void itIsOfItsKind(TestDatabase kind) throws SQLException {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualToIgnoringCase(kind.name());
            assertThat(database.kind()).isEqualTo(kind);
        }
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
