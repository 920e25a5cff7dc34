package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which connections idgen opens, depending on the properties of an application's data source. */
@Tag("databases")
class ApplicationDatabaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    private BasicDataSource pool(int size) {
        BasicDataSource pool = new BasicDataSource();
        pool.setUrl(database.plainUrl());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaxTotal(size);
        return pool;
    }

    private static String schemaOf(ApplicationDatabase application) throws SQLException {
        try (OwnConnections own = application.open(TIMEOUT);
                Connection connection = own.dataSource().getConnection()) {
            return connection.getSchema();
        }
    }

    @Test
    void ownConnectionsAreInTheSchemaThatThePoolChooses() throws SQLException {
        try (BasicDataSource pool = pool(1)) {
            Sql.execute(pool, "CREATE SCHEMA shop");
            ApplicationDatabase application = ApplicationDatabase.of(pool);

            assertThat(schemaOf(application.inSchema("shop"))).isEqualTo("shop");
            assertThat(schemaOf(application)).isEqualTo("public"); // the control
        }
    }

    @Test
    void aUrlWithoutAPasswordIsNotTriedAndAPoolOfOneIsThenRefused() {
        BasicDataSource pool = pool(1);
        pool.setPassword(null);
        ApplicationDatabase application = ApplicationDatabase.of(pool);

        assertThat(assertThrows(ConfigurationException.class, application::check)
                        .code())
                .isEqualTo(ErrorCode.NO_DATABASE);
        assertThat(assertThrows(ConfigurationException.class, () -> application.open(TIMEOUT)))
                .hasMessageContaining("has one connection");

        // with the user and password that the application passes to it, or that its URL contains
        application.as(database.user(), database.password()).check();
        pool.setUrl(database.url());
        application.check();
        pool.setUrl(database.plainUrl() + "?password=***"); // as MariaDB's driver reports it
        assertThrows(ConfigurationException.class, application::check);
    }

    @Test
    void theUrlThatTheDriverReportsCountsWhereTheDataSourceTellsNone() throws SQLException {
        BasicDataSource pool = pool(1);
        pool.setUrl(null);
        ApplicationDatabase application = ApplicationDatabase.of(pool);
        assertThrows(ConfigurationException.class, application::check);

        ApplicationDatabase seen = application.seenAt(database.plainUrl());

        seen.check();
        assertThat(schemaOf(seen)).isEqualTo("public");
        // the password in it may be an old one
        assertThrows(ConfigurationException.class, application.seenAt(database.url())::check);
    }

    @Test
    void aPoolOfSeveralConnectionsThatTellsNoPasswordIsUsedItself() {
        BasicDataSource pool = pool(3);
        pool.setPassword(null);

        assertThat(ApplicationDatabase.of(pool).open(TIMEOUT))
                .hasToString("the application's pool, org.apache.commons.dbcp2.BasicDataSource with 3 connections");
    }
}
