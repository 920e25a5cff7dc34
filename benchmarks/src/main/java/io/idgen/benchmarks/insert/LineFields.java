package io.idgen.benchmarks.insert;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;

/** A line of an order without its id. */
@MappedSuperclass
abstract class LineFields {
    @Column(nullable = false)
    int productId = 42;

    @Column(nullable = false)
    int quantity = 12;

    @Column(nullable = false)
    long unitPriceCents = 18_60;
}
