package io.idgen.examples.orders;

import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes orders with Hibernate and IDENTITY, for comparison. Each {@code persist()} is an insert, because only the
 * insert returns the id.
 */
final class IdentityOrders implements OrderWriter {
    private final EntityManagerFactory factory;

    IdentityOrders(EntityManagerFactory factory) {
        this.factory = factory;
    }

    @Override
    public String name() {
        return "Hibernate, IDENTITY";
    }

    @Override
    public Written write(OrderFiles.Order input) {
        return factory.callInTransaction(entities -> {
            IdentityOrder order = new IdentityOrder();
            order.fill(input);
            entities.persist(order);
            List<Long> lineIds = new ArrayList<>();
            for (OrderFiles.Line each : input.lines()) {
                IdentityOrderLine line = new IdentityOrderLine();
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
