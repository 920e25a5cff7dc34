package io.idgen.examples.orders;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Writes orders with plain JDBC: first the ids from an {@link IdSource}, then two batches. */
final class JdbcOrders implements OrderWriter {
    static final String ORDERS = "jdbc-orders";
    static final String LINES = "jdbc-order-lines";

    private final DataSource dataSource;
    private final IdSource orderIds;
    private final IdSource lineIds;

    JdbcOrders(DataSource dataSource, IdSources sources) {
        this.dataSource = dataSource;
        this.orderIds = sources.get(ORDERS);
        this.lineIds = sources.get(LINES);
    }

    /**
     * Returns the sources of the two tables. Counters begin above the ids of these columns. As settings, the columns
     * would cause a warning with {@code snowflake}, which does not read them. Hibernate's entities need neither,
     * because idgen knows their tables from the mapping.
     */
    static IdSources sources(IdSources.Builder builder) {
        SourceBinder binder = SourceBinder.of(builder);
        binder.bind(ORDERS, Map.of("adopt", "example_jdbc_orders.id"));
        binder.bind(LINES, Map.of("adopt", "example_jdbc_order_lines.id"));
        binder.check();
        return binder.sources();
    }

    @Override
    public String name() {
        return "plain JDBC, IdSource";
    }

    @Override
    public Written write(OrderFiles.Order input) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                List<Long> lines =
                        input.lines().stream().map(line -> lineIds.nextId()).toList();
                Written written = new Written(orderIds.nextId(), lines);
                insertOrder(connection, written.orderId(), input);
                insertLines(connection, written, input.lines());
                connection.commit();
                return written;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot write order " + input.number(), e);
        }
    }

    private static void insertOrder(Connection connection, long id, OrderFiles.Order order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO example_jdbc_orders"
                + " (id, order_number, customer, ordered_at, ship_country) VALUES (?, ?, ?, ?, ?)")) {
            insert.setLong(1, id);
            insert.setInt(2, order.number());
            insert.setString(3, order.customer());
            insert.setObject(4, order.orderedAt());
            insert.setString(5, order.shipCountry());
            insert.addBatch();
            insert.executeBatch();
        }
    }

    private static void insertLines(Connection connection, Written ids, List<OrderFiles.Line> lines)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO example_jdbc_order_lines"
                + " (id, order_id, product_id, unit_price, quantity) VALUES (?, ?, ?, ?, ?)")) {
            for (int i = 0; i < lines.size(); i++) {
                insert.setLong(1, ids.lineIds().get(i));
                insert.setLong(2, ids.orderId());
                insert.setInt(3, lines.get(i).productId());
                insert.setBigDecimal(4, lines.get(i).unitPrice());
                insert.setInt(5, lines.get(i).quantity());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
