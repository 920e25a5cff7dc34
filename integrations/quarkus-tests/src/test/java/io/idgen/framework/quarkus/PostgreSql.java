package io.idgen.framework.quarkus;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** A new database for the application. */
public final class PostgreSql implements QuarkusTestResourceLifecycleManager {
    private Database database;

    @Override
    public Map<String, String> start() {
        database = TestDatabase.POSTGRESQL.create();
        return Map.of(
                "quarkus.datasource.jdbc.url", database.plainUrl(),
                "quarkus.datasource.username", database.user(),
                "quarkus.datasource.password", database.password());
    }

    @Override
    public void stop() {
        database.close();
    }
}
