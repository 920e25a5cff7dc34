package io.idgen.jdbc;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.RestartableServer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is stopped or killed while four threads generate ids from each of its tables, and is restarted. */
class ServerRestartTest {

    @Test
    @Tag("nightly")
    void afterPostgreSqlIsBackIdsGoOnAndNoneIsGivenTwice() throws Exception {
        idsGoOnAndNoneIsGivenTwice(RestartableServer::postgreSql);
    }

    @Test
    @Tag("nightly")
    void afterMariaDbIsBackIdsGoOnAndNoneIsGivenTwice() throws Exception {
        idsGoOnAndNoneIsGivenTwice(RestartableServer::mariaDb);
    }

    @Test
    @Tag("nightly")
    void afterMySqlIsBackIdsGoOnAndNoneIsGivenTwice() throws Exception {
        idsGoOnAndNoneIsGivenTwice(RestartableServer::mySql);
    }

    private static void idsGoOnAndNoneIsGivenTwice(Supplier<RestartableServer> kind) throws Exception {
        try (RestartableServer server = kind.get();
                IdSources sources = sources(server.url());
                Drawing segments = new Drawing(sources.get("orders"), 4);
                Drawing sequence = new Drawing(sources.get("items"), 4)) {
            awaitEach(20, segments, sequence);

            server.stop();
            server.start();
            awaitEach(20, segments, sequence);

            server.kill();
            server.start();
            awaitEach(20, segments, sequence);

            segments.endDistinct();
            sequence.endDistinct();
        }
    }

    private static void awaitEach(int ids, Drawing... drawings) throws Exception {
        for (Drawing drawing : drawings) {
            drawing.awaitEach(ids);
        }
    }

    private static IdSources sources(String url) {
        return IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.reach", "10000000000") // on a slow machine, the threads take more than the default
                .set("idgen.segment.reserve", "0s") // small segments, so that the threads need the database often
                .set("idgen.sources.orders.strategy", "segment")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.sources.items.strategy", "sequence-table")
                .set("idgen.sources.items.start", "1")
                .build();
    }
}
