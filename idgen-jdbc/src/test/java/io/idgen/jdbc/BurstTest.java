package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small step, a slow database and many concurrent callers. With Leaf, some of them fail (Leaf#143). */
@Timeout(180)
@Tag("databases")
class BurstTest {
    private static final Duration DELAY = Duration.ofMillis(200);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aThousandThreadsGetAnIdEachWithinTheirThreeSeconds(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                FaultProxy network = FaultProxy.before(database.url());
                IdSources sources = sources(network.url())) {
            new IdgenSchema(database.dataSource()).create();
            IdSource orders = sources.get("orders");
            orders.warmUp();
            network.delay(DELAY);
            long before = network.requests();

            Together.assertDistinct(Together.run(1_000, thread -> new long[] {orders.nextId()}));

            // on a machine that is never busy, the last thread waits for this time
            assertThat(DELAY.multipliedBy(network.requests() - before)).isLessThan(Duration.ofSeconds(3));
        }
    }

    private static IdSources sources(String url) {
        return IdSources.builder()
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.url", url)
                .set("idgen.sources.orders.start", "1")
                .set("idgen.segment.step", "10")
                .set("idgen.acquire-timeout", "60s")
                .build();
    }
}
