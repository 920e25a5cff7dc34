package io.idgen.examples.orders;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The orders and their lines of the two files, by order. Reads only the order's number; all other fields are parsed
 * when the order is written, so that a malformed field rolls the order back.
 */
final class OrderFiles {
    private static final String ORDER_NUMBER = "orderID";

    private final Map<Integer, Order> orders = new LinkedHashMap<>();
    private int lines;

    /** The rows of an order: its own row, and one for each of its lines. */
    record Order(CsvRow row, List<CsvRow> lines) {
        int number() {
            return row.integer(ORDER_NUMBER);
        }
    }

    /** The name of a file for messages, and how to open it. */
    interface File {
        Reader open() throws IOException;

        String name();
    }

    /**
     * Reads both files.
     *
     * @throws InputException if an order occurs twice, or the order of a line is missing
     */
    static OrderFiles read(File orderFile, File lineFile) {
        OrderFiles files = new OrderFiles();
        for (CsvRow row : rows(orderFile)) {
            int number = row.integer(ORDER_NUMBER);
            if (files.orders.put(number, new Order(row, new ArrayList<>())) != null) {
                throw new InputException(row.file(), row.line(), ORDER_NUMBER, "order " + number + " stands twice");
            }
        }
        for (CsvRow row : rows(lineFile)) {
            int number = row.integer(ORDER_NUMBER);
            Order order = files.orders.get(number);
            if (order == null) {
                throw new InputException(
                        row.file(),
                        row.line(),
                        ORDER_NUMBER,
                        "there is no order " + number + " in " + orderFile.name());
            }
            order.lines().add(row);
            files.lines++;
        }
        return files;
    }

    private static List<CsvRow> rows(File file) {
        List<CsvRow> rows = new ArrayList<>();
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (Reader reader = file.open();
                CSVParser parser = CSVParser.parse(reader, format)) {
            for (CSVRecord fields : parser) {
                rows.add(new CsvRow(file.name(), parser.getCurrentLineNumber(), fields));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file.name(), e);
        }
        return rows;
    }

    /** Returns all orders, in the order of the file. */
    List<Order> orders() {
        return List.copyOf(orders.values());
    }

    int lines() {
        return lines;
    }
}
