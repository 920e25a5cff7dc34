package io.idgen.examples.quickstart;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;

/** Ids from the segment table: the strategy and the database are set. */
public final class SegmentQuickStart {
    private SegmentQuickStart() {}

    /**
     * Prints an id for an order.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.url", "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
                .set("idgen.sources.orders.start", "1")
                .build()) {
            IdSource orders = sources.get("orders");
            System.out.println("order " + orders.nextId());
        }
    }
}
