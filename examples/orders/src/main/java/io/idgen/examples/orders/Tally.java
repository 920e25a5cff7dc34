package io.idgen.examples.orders;

import io.idgen.examples.orders.StatementCounter.Counts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what one writer has written, and the SQL traffic of each transaction. */
final class Tally {
    private final List<Transaction> transactions = new ArrayList<>();

    /** The transaction of one order. */
    record Transaction(int orderNumber, OrderWriter.Written written, Counts cost) {
        int lines() {
            return written.lineIds().size();
        }
    }

    void add(Transaction transaction) {
        transactions.add(transaction);
    }

    List<Transaction> transactions() {
        return transactions;
    }

    int orders() {
        return transactions.size();
    }

    int lines() {
        return transactions.stream().mapToInt(Transaction::lines).sum();
    }

    long statements() {
        return transactions.stream().mapToLong(each -> each.cost().statements()).sum();
    }

    long batches() {
        return transactions.stream().mapToLong(each -> each.cost().batches()).sum();
    }

    long connections() {
        return transactions.stream()
                .mapToLong(each -> each.cost().connections())
                .sum();
    }

    /**
     * Returns the largest number of statements before an order's last id was known; null if the database generates the
     * ids.
     */
    @Nullable
    Long mostStatementsBefore() {
        Long most = null;
        for (Transaction each : transactions) {
            Long before = each.written().statementsBefore();
            if (before != null) {
                most = most == null ? before : Math.max(most, before);
            }
        }
        return most;
    }

    /** Returns an order of ten lines if there is one, otherwise the longest. */
    Transaction example() {
        return transactions.stream()
                .filter(each -> each.lines() == 10)
                .findFirst()
                .orElseGet(() -> transactions.stream()
                        .max(Comparator.comparingInt(Transaction::lines))
                        .orElseThrow());
    }
}
