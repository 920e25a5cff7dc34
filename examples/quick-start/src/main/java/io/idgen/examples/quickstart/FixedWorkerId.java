package io.idgen.examples.quickstart;

import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;

/** A worker id that you choose, on a database from which other processes lease any free one. */
public final class FixedWorkerId {
    private FixedWorkerId() {}

    /**
     * Prints the worker id of an id.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.jdbc.url", "jdbc:h2:mem:fixed;DB_CLOSE_DELAY=-1")
                .set("idgen.worker.reserved", "0-3") // in all processes
                .set("idgen.worker.id", "2") // in one process
                .source("orders")
                .build()) {
            long id = sources.get("orders").nextId();
            System.out.println("worker id " + SnowflakeLayout.IDGEN.parse(id).worker());
        }
    }
}
