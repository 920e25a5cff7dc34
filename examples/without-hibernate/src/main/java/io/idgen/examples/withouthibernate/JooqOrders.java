package io.idgen.examples.withouthibernate;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import org.jooq.BatchBindStep;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Orders with jOOQ, here without generated classes. */
public final class JooqOrders implements Orders {
    private static final Table<Record> ORDER = table("customer_order");
    private static final Table<Record> LINE = table("order_line");
    private static final Field<Long> ID = field("id", Long.class);
    private static final Field<Long> ORDER_ID = field("customer_order", Long.class);
    private static final Field<String> CUSTOMER = field("customer", String.class);
    private static final Field<String> PRODUCT = field("product", String.class);
    private static final Field<Integer> QUANTITY = field("quantity", Integer.class);

    private final DSLContext database;
    private final IdSource orderIds;
    private final IdSource lineIds;

    /**
     * Creates an object that places orders in a database.
     *
     * @param database the database
     * @param sources the ids, also for other tables
     */
    public JooqOrders(DSLContext database, IdSources sources) {
        this.database = database;
        this.orderIds = sources.get("customer_order");
        this.lineIds = sources.get("order_line");
    }

    @Override
    public long place(NewOrder order) {
        long orderId = orderIds.nextId();
        database.transaction(transaction -> {
            DSLContext jooq = transaction.dsl();
            jooq.insertInto(ORDER, ID, CUSTOMER)
                    .values(orderId, order.customer())
                    .execute();
            BatchBindStep lines = jooq.batch(jooq.insertInto(LINE, ID, ORDER_ID, PRODUCT, QUANTITY)
                    .values((Long) null, (Long) null, (String) null, (Integer) null));
            for (NewOrder.NewLine line : order.lines()) {
                lines = lines.bind(lineIds.nextId(), orderId, line.product(), line.quantity());
            }
            lines.execute();
        });
        return orderId;
    }
}
