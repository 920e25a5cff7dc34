package io.idgen.examples.quickstart;

import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.SnowflakeBackfill;
import java.time.Instant;

/** Ids for rows of the past, on a database from which other processes lease their worker ids. */
public final class Backfill {
    private Backfill() {}

    /**
     * Prints the time of an id.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.jdbc.url", "jdbc:h2:mem:backfill;DB_CLOSE_DELAY=-1")
                .set("idgen.worker.reserved", "30") // in all processes, before one of them leases worker id 30
                .set("idgen.worker.id", "30") // in the process of the backfill
                .source("orders")
                .build()) {
            Instant created = Instant.parse("2025-03-01T12:00:00Z");
            try (SnowflakeBackfill backfill = sources.backfill("orders").open()) {
                long id = backfill.idAt(created); // for each row, sorted by their times
                System.out.println(SnowflakeLayout.IDGEN.parse(id).time());
            }
        }
    }
}
