package io.idgen.examples.orders;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.csv.CSVRecord;

/** A line of a CSV file. A missing or malformed field fails with the file, line and name of the field. */
record CsvRow(String file, long line, CSVRecord fields) {

    int integer(String field) {
        return read(field, "a whole number", Integer::valueOf);
    }

    BigDecimal amount(String field) {
        return read(field, "a number", BigDecimal::new);
    }

    LocalDateTime dateTime(String field) {
        return read(
                field,
                "a date and time like 1996-07-04 00:00:00.000",
                text -> LocalDateTime.parse(text.replace(' ', 'T')));
    }

    String text(String field) {
        return optional(field).orElseThrow(() -> new InputException(file, line, field, "is missing"));
    }

    /** Returns the text of a field; empty if the field is empty or {@code NULL}. */
    Optional<String> optional(String field) {
        if (!fields.isMapped(field) || !fields.isSet(field)) {
            throw new InputException(file, line, field, "is missing");
        }
        return Optional.of(fields.get(field).strip()).filter(text -> !text.isEmpty() && !text.equals("NULL"));
    }

    private <T> T read(String field, String expected, Function<String, T> reader) {
        String text = text(field);
        try {
            return reader.apply(text);
        } catch (NumberFormatException | DateTimeParseException e) {
            throw new InputException(file, line, field, "'" + text + "' is not " + expected);
        }
    }
}
