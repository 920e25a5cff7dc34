package io.idgen.examples.orders;

import io.idgen.jdbc.SerialNumbers;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hibernate.Session;

/**
 * Writes orders with Hibernate. {@code persist()} sets the ids of the order and its lines; the commit sends the inserts
 * in batches.
 */
final class HibernateOrders implements OrderWriter {
    private final EntityManagerFactory factory;
    private final SerialNumbers references;
    private final SerialNumbers invoiceNumbers;

    HibernateOrders(EntityManagerFactory factory, SerialNumbers references, SerialNumbers invoiceNumbers) {
        this.factory = factory;
        this.references = references;
        this.invoiceNumbers = invoiceNumbers;
    }

    @Override
    public String name() {
        return "Hibernate, @SnowflakeId";
    }

    @Override
    public Written write(OrderFiles.Order input) {
        return factory.callInTransaction(entities -> {
            CustomerOrder order = new CustomerOrder(references);
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

    /** Writes the invoice of an order, and returns its number. Numbers of invoices have no gaps. */
    String bill(long orderId) {
        return factory.callInTransaction(entities -> {
            String number = entities.unwrap(Session.class).doReturningWork(invoiceNumbers::next);
            entities.persist(new Invoice(number, orderId));
            return number;
        });
    }
}
