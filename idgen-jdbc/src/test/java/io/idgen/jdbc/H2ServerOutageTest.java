package io.idgen.jdbc;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Outages of an H2 server with idgen's own pool: H2's driver does not report a lost connection in a way that pools
 * recognise.
 */
@Timeout(60)
class H2ServerOutageTest {

    @Test
    void idsComeBackWithTheServer() throws Exception {
        try (Database database = TestDatabase.H2.createShared();
                FaultProxy network = FaultProxy.before(database.plainUrl());
                IdSources sources = IdSources.builder()
                        .set("idgen.strategy", "sequence-table")
                        .set("idgen.jdbc.url", network.url())
                        .set("idgen.jdbc.user", database.user())
                        .set("idgen.jdbc.password", database.password())
                        .set("idgen.jdbc.initialize-schema", "always")
                        .set("idgen.acquire-timeout", "100ms")
                        .set("idgen.sources.orders.start", "1")
                        .build()) {
            IdSource orders = sources.get("orders");
            Await.until("the first id", () -> isGiven(orders));

            network.refuse();
            assertThrows(IdGenerationException.class, orders::nextId);
            network.pass();

            Await.until("an id after the outage", () -> isGiven(orders));
        }
    }

    private static boolean isGiven(IdSource source) {
        try {
            return source.nextId() > 0;
        } catch (IdGenerationException e) {
            return false;
        }
    }
}
