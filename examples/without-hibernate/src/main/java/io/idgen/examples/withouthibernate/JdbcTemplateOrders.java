package io.idgen.examples.withouthibernate;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Orders with Spring's JdbcTemplate. */
public final class JdbcTemplateOrders implements Orders {
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final IdSource orderIds;
    private final IdSource lineIds;

    /**
     * Creates an object that places orders in a database.
     *
     * @param dataSource the database
     * @param sources the ids, also for other tables
     */
    public JdbcTemplateOrders(DataSource dataSource, IdSources sources) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.orderIds = sources.get("customer_order");
        this.lineIds = sources.get("order_line");
    }

    @Override
    public long place(NewOrder order) {
        long orderId = orderIds.nextId();
        List<Object[]> lines = order.lines().stream()
                .map(line -> new Object[] {lineIds.nextId(), orderId, line.product(), line.quantity()})
                .toList();
        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO customer_order (id, customer) VALUES (?, ?)", orderId, order.customer());
            jdbc.batchUpdate(
                    "INSERT INTO order_line (id, customer_order, product, quantity) VALUES (?, ?, ?, ?)", lines);
        });
        return orderId;
    }
}
