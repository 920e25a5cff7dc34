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
    private final StatementCounter counter;

    HibernateOrders(EntityManagerFactory factory, StatementCounter counter) {
        this.factory = factory;
        this.counter = counter;
    }

    @Override
    public String name() {
        return "Hibernate, @SnowflakeId";
    }

    @Override
    public Written write(OrderFiles.Order input) {
        long statementsBefore = counter.counts().executions();
        return factory.callInTransaction(entities -> {
            CustomerOrder order = new CustomerOrder();
            order.fill(input.row());
            entities.persist(order);
            List<Long> lineIds = new ArrayList<>();
            for (CsvRow row : input.lines()) {
                OrderLine line = new OrderLine();
                line.order = order;
                line.fill(row);
                order.lines.add(line);
                entities.persist(line);
                lineIds.add(Objects.requireNonNull(line.id));
            }
            long sent = counter.counts().executions() - statementsBefore;
            return new Written(Objects.requireNonNull(order.id), lineIds, sent);
        });
    }
}
