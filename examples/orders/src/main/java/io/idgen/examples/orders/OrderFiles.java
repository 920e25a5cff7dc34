package io.idgen.examples.orders;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Reads orders and their lines from CSV files. Without a file, reads the sample of the example. */
final class OrderFiles {
    private OrderFiles() {}

    /** An order with its lines. */
    record Order(
            int number,
            String customer,
            LocalDateTime orderedAt,
            @Nullable String shipCountry,
            List<Line> lines) {}

    /** A line of an order. */
    record Line(int productId, BigDecimal unitPrice, int quantity) {}

    /**
     * Reads both files.
     *
     * @throws IllegalArgumentException if a field is missing or malformed, or the order of a line is missing
     */
    static List<Order> read(@Nullable Path orderFile, @Nullable Path lineFile) throws IOException {
        Map<Integer, Order> orders = new LinkedHashMap<>();
        for (CSVRecord row : rows(orderFile, "orders.csv")) {
            int number = read(row, "orderID", Integer::valueOf);
            orders.put(
                    number,
                    new Order(
                            number,
                            read(row, "customerID", Function.identity()),
                            read(row, "orderDate", text -> LocalDateTime.parse(text.replace(' ', 'T'))),
                            row.get("shipCountry").equals("NULL") ? null : row.get("shipCountry"),
                            new ArrayList<>()));
        }
        for (CSVRecord row : rows(lineFile, "order-lines.csv")) {
            Line line = new Line(
                    read(row, "productID", Integer::valueOf),
                    read(row, "unitPrice", BigDecimal::new),
                    read(row, "quantity", Integer::valueOf));
            read(row, "orderID", text -> Objects.requireNonNull(orders.get(Integer.valueOf(text)), "no such order"))
                    .lines()
                    .add(line);
        }
        return List.copyOf(orders.values());
    }

    private static List<CSVRecord> rows(@Nullable Path file, String sample) throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (Reader reader = file == null ? resource("/sample/" + sample) : Files.newBufferedReader(file);
                CSVParser parser = CSVParser.parse(reader, format)) {
            return parser.getRecords();
        }
    }

    private static <T> T read(CSVRecord row, String field, Function<String, T> reader) {
        try {
            return reader.apply(row.get(field));
        } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
            throw new IllegalArgumentException(
                    "row " + row.getRecordNumber() + ", field " + field + ": " + e.getMessage(), e);
        }
    }

    static Reader resource(String name) {
        return new InputStreamReader(
                Objects.requireNonNull(OrderFiles.class.getResourceAsStream(name), name), StandardCharsets.UTF_8);
    }
}
