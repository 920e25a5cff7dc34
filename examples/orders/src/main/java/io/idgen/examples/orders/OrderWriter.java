package io.idgen.examples.orders;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A way to write an order with its lines in one transaction. */
interface OrderWriter {

    /** What readers of the report call it. */
    String name();

    /** Writes one order; if it throws, nothing of the order is written. */
    Written write(OrderFiles.Order order);

    /**
     * The ids of an order and its lines.
     *
     * @param statementsBefore how many statements had been sent when the last of the ids was known; null where the database
     *     makes the ids
     */
    record Written(
            long orderId, List<Long> lineIds, @Nullable Long statementsBefore) {}
}
