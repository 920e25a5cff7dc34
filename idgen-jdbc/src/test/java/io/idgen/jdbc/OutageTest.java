package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An outage that lasts as long as the reserve, at 20,000 ids per second. It begins at the worst moment: right before
 * the reserve is used. {@code -Doutage.seconds=60} tests the default reserve.
 */
@Tag("matrix")
class OutageTest {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 3));
    private static final Duration PATIENCE = OUTAGE.plusMinutes(1);

    private static final long NEEDED = EvenLoad.IDS_PER_SECOND * OUTAGE.toSeconds();

    @Test
    void costsNoCallAndLetsNoCallerWait() throws Exception {
        ExecutorService atOnce = Executors.newCachedThreadPool();
        try {
            List<Future<Figures>> outages = Stream.of(TestDatabase.POSTGRESQL, TestDatabase.MARIADB)
                    .flatMap(kind -> Stream.of(
                            atOnce.submit(() -> outage(kind, "refuses", FaultProxy::refuse)),
                            atOnce.submit(() -> outage(kind, "is silent", FaultProxy::silence))))
                    .toList();
            for (Future<Figures> outage : outages) {
                Figures figures = outage.get();
                System.out.println(figures);
                assertThat(figures.failedCalls).as("failed calls, %s", figures).isZero();
                assertThat(figures.waits).as("calls that waited, %s", figures).isZero();
            }
        } finally {
            atOnce.shutdownNow();
        }
    }

    /** The effect of an outage. It lasts until as many ids were generated as the reserve is for. */
    private record Figures(
            String outage,
            long ids,
            long failedCalls,
            long waits,
            Duration slowestCall,
            long left,
            long requests,
            long step) {}

    private static Figures outage(TestDatabase kind, String how, Consumer<FaultProxy> fault) throws Exception {
        try (Database database = withTables(kind);
                FaultProxy network = FaultProxy.before(database.url());
                IdSources sources = sources(network.url());
                EvenLoad load = new EvenLoad(sources.get("orders"), (id, callMillis) -> {})) {
            long before = 0; // the sizes of the last two refills
            long last = 0;
            while (last < NEEDED * 0.9 || last > before * 1.9) {
                long known = maxId(database);
                Await.until("a refill", PATIENCE, () -> maxId(database) > known);
                before = last;
                last = maxId(database) - known;
            }
            long end = maxId(database);
            long reserve = end - last;
            Await.until("the reserve's turn", PATIENCE, () -> load.highest() > reserve - EvenLoad.IDS_PER_SECOND / 20);

            long requests = network.requests();
            long waits = waits(sources);
            load.forgetSlowestCall(); // the first call opened a connection
            long highest = load.highest();
            fault.accept(network);
            // in ids, since a busy machine generates those that it missed all at once
            Await.until("the ids of the outage", PATIENCE, () -> load.highest() - highest > NEEDED);
            waits = waits(sources) - waits;
            requests = network.requests() - requests;
            network.pass();
            Await.until("a refill after the outage", PATIENCE, () -> maxId(database) > end);
            Await.until("ids of that refill", PATIENCE, () -> load.highest() > end);
            load.end();

            load.assertUniqueAndRising();
            return new Figures(
                    kind + " " + how + " for " + NEEDED + " ids",
                    load.ids(),
                    load.failedCalls(),
                    waits,
                    load.slowestCall(),
                    end - highest,
                    requests,
                    last);
        }
    }

    private static long waits(IdSources sources) {
        return sources.snapshots().get("orders").waits().calls();
    }

    private static Database withTables(TestDatabase kind) {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    private static IdSources sources(String url) {
        return IdSources.builder()
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.url", url)
                .set("idgen.sources.orders.start", "1")
                .set("idgen.segment.step", Long.toString(NEEDED / 4)) // adapts to the load
                .set("idgen.segment.reserve", OUTAGE.toSeconds() + "s")
                .set("idgen.acquire-timeout", "60s") // before and after the outage, a busy machine may be late
                .build();
    }

    private static long maxId(Database database) throws SQLException {
        return Sql.rows(database.dataSource(), "SELECT next_id FROM idgen_counter").stream()
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(1);
    }
}
