package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code idgen.jdbc.url} on each database, with the pool of HikariCP that is then idgen's own. */
@Timeout(60)
class OwnConnectionsTest {

    @ParameterizedTest
    @EnumSource
    void aUrlIsEnoughOnEachDatabase(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertFirstId(database);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "HSQLDB", "DERBY"})
    void aUrlIsEnoughForTheServersOfEmbeddedDatabases(TestDatabase kind) {
        try (Database database = kind.createShared()) {
            assertFirstId(database);
        }
    }

    private static void assertFirstId(Database database) {
        IdSources.Builder builder = IdSources.builder()
                .set("idgen.strategy", "sequence-table")
                .set("idgen.jdbc.url", database.url())
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1");
        try (IdSources sources = builder.build()) {
            assertThat(sources.get("orders").nextIds(3)).containsExactly(1, 2, 3);
        }
    }
}
