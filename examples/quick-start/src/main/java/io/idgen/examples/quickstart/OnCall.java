package io.idgen.examples.quickstart;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.ops.Growth;
import io.idgen.ops.IdgenTables;
import io.idgen.ops.Repair;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** The code blocks of {@code docs/operations.md}. */
public final class OnCall {
    private OnCall() {}

    /**
     * Repairs all tables after a backup was restored.
     *
     * @param dataSource the database
     * @return the changes on one line
     */
    public static String afterARestore(DataSource dataSource) {
        IdgenTables tables = new IdgenTables(dataSource).restoredFrom(Instant.parse("2026-11-22T03:00:00Z"));
        String changes = Repair.of(tables).afterRestore().toString();
        return changes;
    }

    /**
     * Prepares a promoted server, before the application connects to it.
     *
     * @param dataSource the promoted server
     * @return the changes on one line
     */
    public static String afterAPromotion(DataSource dataSource) {
        String changes = Repair.of(new IdgenTables(dataSource)).afterPromotion().toString();
        return changes;
    }

    /**
     * Lowers horizons after a wrong clock has left them far ahead.
     *
     * @param repair the repair for the database
     */
    public static void afterAWrongClock(Repair repair) {
        repair.lowerHorizons("default", SnowflakeLayout.IDGEN, "orders.id", "order_lines.id");
    }

    /**
     * Ends the reservation of a worker id.
     *
     * @param repair the repair for the database
     */
    public static void endReservation(Repair repair) {
        repair.unreserve("default", 2);
    }

    /**
     * Adds a database to the strategy stepped.
     *
     * @param db1 the first database of the old list
     * @param db2 the second one
     * @param db3 the new database
     */
    public static void grow(DataSource db1, DataSource db2, DataSource db3) {
        Growth.to(List.of(new IdgenTables(db1), new IdgenTables(db2), new IdgenTables(db3)))
                .grow(change -> System.out.println(change));
    }

    /**
     * Moves the namespace to another layout.
     *
     * @param repair the repair for the database
     * @param wider the new layout
     */
    public static void changeLayout(Repair repair, SnowflakeLayout wider) {
        repair.changeLayout("default", SnowflakeLayout.IDGEN, wider);
    }
}
