package io.idgen.examples.quickstart;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;

/** Ids for parents and children without Hibernate. */
public final class JdbcQuickStart {
    private JdbcQuickStart() {}

    /**
     * Prints an id for an order and ids for its lines.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.worker.id", "1") // a different one in each process
                .source("orders")
                .source("order-lines")
                .build()) {
            IdSource orders = sources.get("orders");
            IdSource lines = sources.get("order-lines");

            long orderId = orders.nextId();
            long[] lineIds = lines.nextIds(10);
            System.out.println("order " + orderId + " with lines " + lineIds[0] + " to " + lineIds[9]);
        }
    }
}
