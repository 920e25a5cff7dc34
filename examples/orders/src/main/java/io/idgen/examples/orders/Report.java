package io.idgen.examples.orders;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.examples.orders.StatementCounter.Counts;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the results of the example, for readers who do not know the code. */
final class Report {
    private static final int SHOWN_ORDERS = 3;
    private static final int SHOWN_LINES = 3;

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void beginning(Map<String, String> facts) {
        out.println();
        out.println("Orders and their lines, each order in one transaction, with ids before the insert");
        out.println();
        facts.forEach((name, fact) -> out.printf("%-10s %s%n", name, fact));
        out.println();
    }

    /** Prints a few orders with their ids, decoded if they are Snowflake ids. */
    void ids(Tally tally, @Nullable SnowflakeLayout layout) {
        out.println("The first orders, with the ids that persist() set:");
        List<String[]> rows = new ArrayList<>();
        for (Tally.Transaction order : tally.transactions().subList(0, Math.min(SHOWN_ORDERS, tally.orders()))) {
            rows.add(row("order " + order.orderNumber(), order.written().orderId(), layout));
            List<Long> lines = order.written().lineIds();
            for (int i = 0; i < Math.min(SHOWN_LINES, lines.size()); i++) {
                rows.add(row("  line " + (i + 1), lines.get(i), layout));
            }
            if (lines.size() > SHOWN_LINES) {
                rows.add(new String[] {"  … and " + (lines.size() - SHOWN_LINES) + " more"});
            }
        }
        String[] header = layout == null
                ? new String[] {"", "id"}
                : new String[] {"", "id", "time", "datacenter", "worker", "sequence"};
        table(header, rows);
        if (layout == null) {
            out.println("Ids of this strategy are plain numbers: they contain neither time nor worker.");
        }
        out.println();
    }

    private static String[] row(String what, long id, @Nullable SnowflakeLayout layout) {
        if (layout == null) {
            return new String[] {what, Long.toString(id)};
        }
        SnowflakeParts parts = layout.parse(id);
        return new String[] {
            what,
            Long.toString(id),
            parts.time().toString(),
            Integer.toString(parts.datacenter()),
            Integer.toString(parts.worker()),
            Integer.toString(parts.sequence())
        };
    }

    /** Prints what was written, with the SQL traffic. */
    void costs(Map<OrderWriter, Tally> tallies) {
        out.println("Written, and what each order's transaction sent to the database (counted at the data source):");
        List<String[]> rows = new ArrayList<>();
        tallies.forEach((writer, tally) -> rows.add(new String[] {
            writer.name(),
            number(tally.orders()),
            number(tally.lines()),
            perTransaction(tally.batches(), tally),
            perTransaction(tally.statements(), tally),
            perTransaction(tally.connections(), tally),
            tally.mostStatementsBefore() == null ? "each insert" : tally.mostStatementsBefore() + " statements"
        }));
        table(
                new String[] {
                    "", "orders", "lines", "batches", "other statements", "connections", "before the ids were known"
                },
                rows);
        Tally.Transaction example = tallies.values().iterator().next().example();
        out.printf("Order %d with its %d lines took:%n", example.orderNumber(), example.lines());
        tallies.forEach((writer, tally) -> {
            Counts cost = tally.example().cost();
            out.printf(
                    "  %-24s %2d batches, %2d other statements, %d connection%n",
                    writer.name(), cost.batches(), cost.statements(), cost.connections());
        });
        out.println();
    }

    private void table(String[] header, List<String[]> rows) {
        Column[] columns = new Column[header.length];
        for (int i = 0; i < header.length; i++) {
            columns[i] = new Column()
                    .header(header[i])
                    .headerAlign(HorizontalAlign.LEFT)
                    .dataAlign(i == 0 ? HorizontalAlign.LEFT : HorizontalAlign.RIGHT);
        }
        out.println(AsciiTable.builder()
                .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
                .data(columns, rows.toArray(String[][]::new))
                .asString());
    }

    /** Prints the SQL traffic of idgen on its own connections. */
    void idgen(Counts counts, long ids) {
        out.printf(
                "For its %,d ids idgen sent %,d statements over %,d connections of its own.%n",
                ids, counts.executions(), counts.connections());
        out.println();
    }

    /** Prints the rows of the database afterwards. */
    void check(Database database) throws SQLException {
        out.println("Read back from the database:");
        for (String prefix : List.of("example_", "example_jdbc_", "example_identity_")) {
            String orders = prefix + "orders";
            String lines = prefix + "order_lines";
            long orphans = database.count("SELECT COUNT(*) FROM " + lines + " l LEFT JOIN " + orders
                    + " o ON o.id = l.order_id WHERE o.id IS NULL");
            out.printf(
                    "  %-24s %,7d rows,  %-29s %,7d rows,  %d lines without their order%n",
                    orders,
                    database.count("SELECT COUNT(*) FROM " + orders),
                    lines,
                    database.count("SELECT COUNT(*) FROM " + lines),
                    orphans);
        }
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String perTransaction(long count, Tally tally) {
        return tally.orders() == 0 ? "" : String.format(Locale.ROOT, "%.2f", (double) count / tally.orders());
    }
}
