package io.idgen.examples.withouthibernate.mybatisplus;

import io.idgen.examples.withouthibernate.NewOrder;
import io.idgen.examples.withouthibernate.Orders;
import java.util.Objects;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders with MyBatis-Plus. */
@Service
public class MybatisPlusOrders implements Orders {
    private final CustomerOrderMapper orders;
    private final OrderLineMapper lines;

    MybatisPlusOrders(CustomerOrderMapper orders, OrderLineMapper lines) {
        this.orders = orders;
        this.lines = lines;
    }

    @Override
    @Transactional
    public long place(NewOrder order) {
        CustomerOrder saved = new CustomerOrder(order.customer());
        orders.insert(saved); // sets its id
        lines.insert(order.lines().stream()
                .map(line -> new OrderLine(saved, line.product(), line.quantity()))
                .toList());
        return Objects.requireNonNull(saved.getId());
    }
}
