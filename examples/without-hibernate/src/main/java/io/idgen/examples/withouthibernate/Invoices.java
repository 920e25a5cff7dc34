package io.idgen.examples.withouthibernate;

import io.idgen.jdbc.Counters;
import io.idgen.jdbc.SerialNumbers;
import java.time.ZoneId;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Invoices whose numbers have no gaps, with Spring's JdbcTemplate. */
public final class Invoices implements AutoCloseable {
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final SerialNumbers invoices;

    /**
     * Creates an object that writes invoices.
     *
     * @param dataSource the database, with idgen's tables
     */
    public Invoices(DataSource dataSource) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.invoices = numbers(new Counters(dataSource));
    }

    private static SerialNumbers numbers(Counters counters) {
        return SerialNumbers.of(counters, "invoice", "INV-{date:yyyyMMdd}-{number:6}{check}")
                .restart(SerialNumbers.Restart.DAY)
                .zone(ZoneId.of("Europe/Berlin"));
    }

    /**
     * Writes an invoice.
     *
     * @param customer its customer
     * @return its number
     */
    public String write(String customer) {
        return Objects.requireNonNull(transaction.execute(status -> {
            String number = jdbc.execute((ConnectionCallback<String>) invoices::next);
            jdbc.update("INSERT INTO invoice (number, customer) VALUES (?, ?)", number, customer);
            return number;
        }));
    }

    @Override
    public void close() {
        invoices.close();
    }
}
