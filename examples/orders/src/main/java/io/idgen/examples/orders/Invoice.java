package io.idgen.examples.orders;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** An invoice with an id, and with a number for the customer and the tax office. */
@Entity
@Table(name = "example_invoices")
class Invoice {
    @Id
    @SnowflakeId
    @Nullable
    Long id;

    String number = "";

    @Column(name = "order_id")
    long orderId;

    /** Called by Hibernate. */
    Invoice() {}

    Invoice(String number, long orderId) {
        this.number = number;
        this.orderId = orderId;
    }
}
