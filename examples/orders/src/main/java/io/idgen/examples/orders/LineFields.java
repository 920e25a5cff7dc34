package io.idgen.examples.orders;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;
import java.math.BigDecimal;

/** The fields of an order line except its id and its order. */
@MappedSuperclass
abstract class LineFields {
    @Column(name = "product_id")
    int productId;

    @Column(name = "unit_price")
    BigDecimal unitPrice = BigDecimal.ZERO;

    int quantity;

    void fill(OrderFiles.Line line) {
        productId = line.productId();
        unitPrice = line.unitPrice();
        quantity = line.quantity();
    }
}
