package io.idgen.benchmarks.insert;

import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Counts what transactions send, which all run on the thread that makes this, and what idgen sends beside them on its own. */
final class StatementCounter {
    private final Thread transactions = Thread.currentThread();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();
    private final AtomicLong beside = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    /**
     * What was counted, in all or between two moments.
     *
     * @param batches by the transactions
     * @param statements by the transactions, that were no batches
     * @param beside by other threads
     * @param connections taken from the application's pool
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

    /** A driver's data source below all pools, where every statement comes by. */
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

    /** The application's pool, where connections are taken from. */
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
