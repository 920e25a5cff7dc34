package io.idgen.benchmarks.insert;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;

/** The fields of an order line except its id. */
@MappedSuperclass
abstract class LineFields {
    @Column(nullable = false)
    int productId = 42;

    @Column(nullable = false)
    int quantity = 12;

    @Column(nullable = false)
    long unitPriceCents = 18_60;
}
