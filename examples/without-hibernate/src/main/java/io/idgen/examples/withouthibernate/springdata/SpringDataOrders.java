package io.idgen.examples.withouthibernate.springdata;

import io.idgen.core.IdSource;
import io.idgen.examples.withouthibernate.NewOrder;
import io.idgen.examples.withouthibernate.Orders;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

/** Orders with Spring Data JDBC. */
@Service
public class SpringDataOrders implements Orders {
    private final CustomerOrders orders;
    private final IdSource lineIds;

    SpringDataOrders(CustomerOrders orders, @Qualifier("order_line") IdSource lineIds) {
        this.orders = orders;
        this.lineIds = lineIds;
    }

    @Override
    public long place(NewOrder order) {
        Set<OrderLine> lines = order.lines().stream()
                .map(line -> new OrderLine(lineIds.nextId(), line.product(), line.quantity()))
                .collect(Collectors.toSet());
        CustomerOrder saved = orders.save(new CustomerOrder(null, order.customer(), lines));
        return Objects.requireNonNull(saved.id());
    }
}
