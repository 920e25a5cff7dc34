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

    void fill(CsvRow row) {
        orderNumber = row.integer("orderID");
        customer = row.text("customerID");
        orderedAt = row.dateTime("orderDate");
        shipCountry = row.optional("shipCountry").orElse(null);
    }
}
