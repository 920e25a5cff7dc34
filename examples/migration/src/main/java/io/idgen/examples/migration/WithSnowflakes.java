package io.idgen.examples.migration;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The third version: the application has the ids before the insert. */
final class WithSnowflakes {
    private WithSnowflakes() {}

    static List<Object> orderWithTwoLines() {
        CustomerOrder order = new CustomerOrder();
        return List.of(order, new OrderLine(order), new OrderLine(order));
    }

    @Entity
    @Table(name = "orders")
    static class CustomerOrder {
        @Id
        @SnowflakeId
        @Nullable
        Long id;
    }

    @Entity
    @Table(name = "order_line")
    static class OrderLine {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        @ManyToOne(optional = false)
        @JoinColumn(name = "order_id")
        @Nullable
        CustomerOrder order;

        protected OrderLine() {}

        OrderLine(CustomerOrder order) {
            this.order = order;
        }
    }
}
