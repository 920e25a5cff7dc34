package io.idgen.examples.orders;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A line with an id of idgen, set by {@code persist()}. */
@Entity
@Table(name = "example_order_lines")
class OrderLine extends LineFields {
    @Id
    @SnowflakeId
    @Nullable
    Long id;

    @ManyToOne(optional = false)
    @JoinColumn(name = "order_id")
    @Nullable
    CustomerOrder order;
}
