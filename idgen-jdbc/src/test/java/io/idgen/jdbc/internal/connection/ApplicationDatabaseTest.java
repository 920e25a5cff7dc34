package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests which connections idgen opens to an application's database. A HikariCP pool: {@code HandedInPoolTest}. */
class ApplicationDatabaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void aUrlGetsAPoolAndAnyOtherDataSourceIsUsedItself() throws Exception {
        try (Database database = TestDatabase.H2.create();
                OwnConnections own = ApplicationDatabase.at(database.plainUrl(), database.user(), database.password())
                        .open(TIMEOUT)) {
            assertThat(own).asString().startsWith("a pool of connections to ");
            DataSource opaque = Wrapped.dataSource(own.dataSource()::getConnection);

            assertThat(ApplicationDatabase.of(opaque).open(TIMEOUT))
                    .asString()
                    .startsWith("the application's pool, " + opaque.getClass().getName())
                    .contains("idgen.jdbc.url");
        }
    }
}
