package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which connections idgen opens, depending on what is known of an application's data source. */
@Tag("databases")
class ApplicationDatabaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    /** A data source that tells nothing about itself. */
    private final DataSource opaque =
            Wrapped.dataSource(() -> database.dataSource().getConnection());

    private static String schemaOf(ApplicationDatabase application) throws SQLException {
        try (OwnConnections own = application.open(TIMEOUT);
                Connection connection = own.dataSource().getConnection()) {
            return connection.getSchema();
        }
    }

    @Test
    void theUrlThatTheDriverReportsIsUsedWithTheLoginOfTheApplicationInTheSchemaOfItsConnections() throws SQLException {
        Sql.execute(opaque, "CREATE SCHEMA shop");
        ApplicationDatabase seen =
                ApplicationDatabase.of(opaque).seenAt(database.plainUrl()).as(database.user(), database.password());

        assertThat(seen.open(TIMEOUT)).asString().startsWith("a pool of connections to ");
        assertThat(schemaOf(seen.inSchema("shop"))).isEqualTo("shop");
        assertThat(schemaOf(seen)).as("control").isEqualTo("public");
    }

    @Test
    void withoutALoginOrWithAPasswordInTheUrlTheApplicationsPoolIsUsedItself() {
        ApplicationDatabase application = ApplicationDatabase.of(opaque);

        for (ApplicationDatabase each : List.of(
                application,
                application.seenAt(database.plainUrl()),
                // the password in it may be an old one
                application.seenAt(database.url()).as(database.user(), database.password()))) {
            assertThat(each.open(TIMEOUT))
                    .asString()
                    .startsWith("the application's pool, " + opaque.getClass().getName())
                    .contains("idgen.jdbc.url");
        }
    }
}
