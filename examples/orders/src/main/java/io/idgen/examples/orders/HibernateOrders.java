package io.idgen.examples.orders;

import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes orders with Hibernate. {@code persist()} sets the ids of the order and its lines; the commit sends the inserts
 * in batches.
 */
final class HibernateOrders implements OrderWriter {
    private final EntityManagerFactory factory;

    HibernateOrders(EntityManagerFactory factory) {
        this.factory = factory;
    }

    @Override
    public String name() {
        return "Hibernate, @SnowflakeId";
    }

    @Override
    public Written write(OrderFiles.Order input) {
        return factory.callInTransaction(entities -> {
            CustomerOrder order = new CustomerOrder();
            order.fill(input);
            entities.persist(order);
            List<Long> lineIds = new ArrayList<>();
            for (OrderFiles.Line each : input.lines()) {
                OrderLine line = new OrderLine();
                line.order = order;
                line.fill(each);
                order.lines.add(line);
                entities.persist(line);
                lineIds.add(Objects.requireNonNull(line.id));
            }
            return new Written(Objects.requireNonNull(order.id), lineIds);
        });
    }
}
