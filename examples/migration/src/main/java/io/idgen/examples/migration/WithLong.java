package io.idgen.examples.migration;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The second version: the database still generates the ids, but the attributes hold any {@code BIGINT}. */
final class WithLong {
    private WithLong() {}

    static List<Object> orderWithTwoLines() {
        CustomerOrder order = new CustomerOrder();
        return List.of(order, new OrderLine(order), new OrderLine(order));
    }

    @Entity
    @Table(name = "orders")
    static class CustomerOrder {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;
    }

    @Entity
    @Table(name = "order_line")
    static class OrderLine {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
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
