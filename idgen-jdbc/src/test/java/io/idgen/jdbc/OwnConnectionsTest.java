package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code idgen.jdbc.url} on each database, with idgen's own HikariCP pool. */
@Tag("databases")
class OwnConnectionsTest {

    @ParameterizedTest
    @EachDatabase
    void aUrlIsEnoughOnEachDatabase(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertFirstId(database);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "HSQLDB"})
    void aUrlIsEnoughForTheServersOfEmbeddedDatabases(TestDatabase kind) {
        try (Database database = kind.createShared()) {
            assertFirstId(database);
        }
    }

    @Test
    void aSourceCountsInADatabaseOfItsOwn() throws SQLException {
        try (Database one = TestDatabase.H2.createShared();
                Database other = TestDatabase.H2.createShared();
                IdSources sources = sources(one.url())
                        .set("idgen.acquire-timeout", "30s")
                        .set("idgen.sources.tickets.jdbc.url", other.url())
                        .set("idgen.sources.tickets.start", "7")
                        .build()) {
            assertThat(sources.get("orders").nextId()).isEqualTo(1);
            assertThat(sources.get("tickets").nextId()).isEqualTo(7);
            assertThat(Sql.rows(other.dataSource(), "SELECT name FROM idgen_counter"))
                    .containsExactly("tickets");
        }
    }

    private static IdSources.Builder sources(String url) {
        return IdSources.builder()
                .set("idgen.strategy", "sequence-table")
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1");
    }

    private static void assertFirstId(Database database) {
        // a busy machine may need longer for a first connection than a caller usually waits
        try (IdSources sources =
                sources(database.url()).set("idgen.acquire-timeout", "30s").build()) {
            assertThat(sources.get("orders").nextIds(3)).containsExactly(1, 2, 3);
        }
    }
}
