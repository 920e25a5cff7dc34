package io.idgen.examples.orders;

import java.util.List;

/** Writes orders with their lines, each order in one transaction. */
interface OrderWriter {

    /** Returns the name in the report. */
    String name();

    /** Writes one order with its lines. If it throws, nothing of the order is written. */
    Written write(OrderFiles.Order order);

    /** The ids of an order and its lines. */
    record Written(long orderId, List<Long> lineIds) {}
}
