package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code idgen.jdbc.url} on each database, with idgen's own HikariCP pool. */
@Timeout(60)
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
