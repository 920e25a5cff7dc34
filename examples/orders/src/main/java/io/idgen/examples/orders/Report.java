package io.idgen.examples.orders;

import io.idgen.core.IdSource;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.examples.orders.StatementCounter.Counts;
import io.idgen.text.SerialNumber;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Prints the results of the example, for readers who do not know the code. */
final class Report {
    private static final int SHOWN_ORDERS = 3;

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void beginning(Database database, List<OrderFiles.Order> input, String strategy) throws SQLException {
        out.println();
        out.println("Orders and their lines, each order in one transaction, with ids before the insert");
        out.println();
        out.println("database   " + database.description());
        out.printf(
                "input      %,d orders, %,d lines%n",
                input.size(),
                input.stream().mapToInt(order -> order.lines().size()).sum());
        out.println("strategy   " + strategy);
        out.println();
    }

    /** Prints a few orders with their ids, decoded if they are snowflakes. */
    void ids(List<OrderFiles.Order> input, List<OrderWriter.Written> written, IdSource source) {
        out.println("The first orders, with the ids that persist() set:");
        for (int i = 0; i < Math.min(SHOWN_ORDERS, input.size()); i++) {
            long id = written.get(i).orderId();
            out.printf(
                    "  order %d with its %d lines has id %d%s%n",
                    input.get(i).number(),
                    written.get(i).lineIds().size(),
                    id,
                    source instanceof Snowflake snowflake
                            ? " from " + snowflake.layout().parse(id).time()
                            : "");
        }
        out.println();
    }

    void costs(OrderFiles.Order order, Map<String, Counts> costs) {
        out.printf(
                "Order %d with its %d lines took:%n",
                order.number(), order.lines().size());
        costs.forEach((writer, cost) -> out.printf(
                "  %-24s %2d batches, %2d other statements, %d connection%n",
                writer, cost.batches(), cost.statements(), cost.connections()));
        out.println();
    }

    void invoice(OrderFiles.Order order, String number, SerialNumber fields) {
        out.printf(
                "The invoice of order %d is %s, number %d of that day, without gaps.%n",
                order.number(), number, fields.number());
        out.println();
    }

    /** Prints the SQL traffic of idgen on its own connections, and the rows of the database afterwards. */
    void end(Database database) throws SQLException {
        Counts counts = database.idgenCounter().counts();
        out.printf(
                "For all these ids, idgen sent %,d statements over %,d connections of its own.%n",
                counts.executions(), counts.connections());
        out.println();
        out.println("Read back from the database:");
        for (String prefix : List.of("example_", "example_jdbc_", "example_identity_")) {
            for (String table : List.of(prefix + "orders", prefix + "order_lines")) {
                out.printf("  %-29s %,7d rows%n", table, database.count("SELECT COUNT(*) FROM " + table));
            }
        }
    }
}
