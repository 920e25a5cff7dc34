package io.idgen.quarkus.deployment;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.quarkus.test.QuarkusUnitTest;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.shrinkwrap.api.asset.StringAsset;

/** What the applications of the tests have in common. Public, because Quarkus loads the tests with a loader of its own. */
public final class Applications {
    private Applications() {}

    /** Returns an application with one entity and a database of its own. */
    public static QuarkusUnitTest with(String... settings) {
        AtomicReference<Database> database = new AtomicReference<>(); // Quarkus loads a test's class twice
        return new QuarkusUnitTest()
                .withApplicationRoot(archive -> {
                    database.set(TestDatabase.POSTGRESQL.create());
                    archive.addClasses(Chapter.class, Applications.class)
                            .addAsResource(settings(database.get(), settings), "application.properties");
                })
                .setAfterAllCustomizer(() -> database.get().close());
    }

    /** Returns application.properties. */
    public static StringAsset settings(Database database, String... more) {
        return new StringAsset(String.join(
                "\n",
                "quarkus.datasource.db-kind=postgresql",
                "quarkus.datasource.jdbc.url=" + database.plainUrl(),
                "quarkus.datasource.username=" + database.user(),
                "quarkus.datasource.password=" + database.password(),
                "quarkus.hibernate-orm.schema-management.strategy=update",
                "quarkus.devservices.enabled=false",
                "quarkus.http.port=0",
                "quarkus.http.test-port=0",
                "idgen.acquire-timeout=1m",
                String.join("\n", more)));
    }
}
