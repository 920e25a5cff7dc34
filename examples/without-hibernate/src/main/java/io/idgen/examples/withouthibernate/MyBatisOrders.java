package io.idgen.examples.withouthibernate;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** Orders with MyBatis. */
public final class MyBatisOrders implements Orders {
    private final SqlSessionFactory sessions;
    private final IdSource orderIds;
    private final IdSource lineIds;

    /**
     * Creates an object that places orders in a database.
     *
     * @param dataSource the database
     * @param sources the ids, also for other tables
     */
    public MyBatisOrders(DataSource dataSource, IdSources sources) {
        Configuration configuration =
                new Configuration(new Environment("shop", new JdbcTransactionFactory(), dataSource));
        configuration.addMapper(Mapper.class);
        this.sessions = new SqlSessionFactoryBuilder().build(configuration);
        this.orderIds = sources.get("customer_order");
        this.lineIds = sources.get("order_line");
    }

    /** The SQL statements. */
    public interface Mapper {
        /**
         * Inserts an order.
         *
         * @param id its id
         * @param order the order
         */
        @Insert("INSERT INTO customer_order (id, customer) VALUES (#{id}, #{order.customer})")
        void insertOrder(@Param("id") long id, @Param("order") NewOrder order);

        /**
         * Inserts a line.
         *
         * @param id its id
         * @param orderId the id of its order
         * @param line the line
         */
        @Insert("INSERT INTO order_line (id, customer_order, product, quantity)"
                + " VALUES (#{id}, #{orderId}, #{line.product}, #{line.quantity})")
        void insertLine(@Param("id") long id, @Param("orderId") long orderId, @Param("line") NewOrder.NewLine line);
    }

    @Override
    public long place(NewOrder order) {
        long orderId = orderIds.nextId();
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            Mapper mapper = session.getMapper(Mapper.class);
            mapper.insertOrder(orderId, order);
            order.lines().forEach(line -> mapper.insertLine(lineIds.nextId(), orderId, line));
            session.commit();
        }
        return orderId;
    }
}
