package io.idgen.benchmarks.insert;

import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/**
 * Counts the SQL traffic: of the transactions, which all run on the thread that creates the counter, and of idgen on
 * other threads.
 */
final class StatementCounter {
    private final Thread transactions = Thread.currentThread();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();
    private final AtomicLong beside = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    /**
     * The counts in total, or between two points in time.
     *
     * @param batches batches of the transactions
     * @param statements statements of the transactions outside batches
     * @param beside statements of other threads
     * @param connections connections borrowed from the application's pool
     */
    record Counts(long batches, long statements, long beside, long connections) {
        Counts minus(Counts earlier) {
            return new Counts(
                    batches - earlier.batches,
                    statements - earlier.statements,
                    beside - earlier.beside,
                    connections - earlier.connections);
        }
    }

    Counts counts() {
        return new Counts(batches.get(), statements.get(), beside.get(), connections.get());
    }

    /** Counts the statements of a driver's data source, below all pools. */
    DataSource countingStatements(DataSource driver) {
        return ProxyDataSourceBuilder.create(driver)
                .afterQuery((execution, queries) -> {
                    if (Thread.currentThread() != transactions) {
                        beside.incrementAndGet();
                    } else if (execution.isBatch()) {
                        batches.incrementAndGet();
                    } else {
                        statements.incrementAndGet();
                    }
                })
                .build();
    }

    /** Counts the connections borrowed from the application's pool. */
    DataSource countingConnections(DataSource pool) {
        return ProxyDataSourceBuilder.create(pool)
                .afterMethod(call -> {
                    if (call.getMethod().getName().equals("getConnection")) {
                        connections.incrementAndGet();
                    }
                })
                .build();
    }
}
