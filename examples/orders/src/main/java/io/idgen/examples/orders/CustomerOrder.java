package io.idgen.examples.orders;

import io.idgen.hibernate.SnowflakeId;
import io.idgen.jdbc.SerialNumbers;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order with an id of idgen, set by {@code persist()}, and a reference for customers, set by the constructor. */
@Entity
@Table(name = "example_orders")
class CustomerOrder extends OrderFields {
    @Id
    @SnowflakeId
    @Nullable
    Long id;

    String reference = "";

    @OneToMany(mappedBy = "order", cascade = CascadeType.PERSIST)
    List<OrderLine> lines = new ArrayList<>();

    /** Called by Hibernate. */
    CustomerOrder() {}

    CustomerOrder(SerialNumbers references) {
        this.reference = references.next();
    }
}
