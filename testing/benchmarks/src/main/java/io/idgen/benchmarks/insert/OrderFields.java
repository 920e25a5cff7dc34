package io.idgen.benchmarks.insert;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;
import java.time.LocalDate;

/** The fields of an order except its id. */
@MappedSuperclass
abstract class OrderFields {
    @Column(nullable = false, length = 20)
    String customer = "ALFKI";

    @Column(nullable = false)
    LocalDate orderedOn = LocalDate.of(2026, 11, 20);

    @Column(nullable = false, length = 40)
    String shipCountry = "Germany";

    /** Returns the id, which {@code persist()} has set. */
    abstract Object id();
}
