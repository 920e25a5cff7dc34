package io.idgen.examples.orders;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** The fields of an order except its id. */
@MappedSuperclass
abstract class OrderFields {
    @Column(name = "order_number")
    int orderNumber;

    String customer = "";

    @Column(name = "ordered_at")
    LocalDateTime orderedAt = LocalDateTime.MIN;

    @Column(name = "ship_country")
    @Nullable
    String shipCountry;

    void fill(OrderFiles.Order order) {
        orderNumber = order.number();
        customer = order.customer();
        orderedAt = order.orderedAt();
        shipCountry = order.shipCountry();
    }
}
