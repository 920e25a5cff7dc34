package io.idgen.spring.boot.units;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** An order, in the database of the unit sales. */
@Entity
@Table(name = "purchase_order")
public class PurchaseOrder {
    /** Set at persist. */
    @Id
    @SnowflakeId
    public @Nullable Long id;

    /** Called by Hibernate. */
    public PurchaseOrder() {}
}
