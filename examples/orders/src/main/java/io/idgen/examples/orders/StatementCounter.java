package io.idgen.examples.orders;

import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Counts the traffic of a data source: single statements, batches and connections. For one thread at a time. */
final class StatementCounter {
    private long statements;
    private long batches;
    private long connections;

    /** The traffic in total, or between two points in time. */
    record Counts(long statements, long batches, long connections) {
        Counts minus(Counts earlier) {
            return new Counts(
                    statements - earlier.statements, batches - earlier.batches, connections - earlier.connections);
        }

        long executions() {
            return statements + batches;
        }
    }

    /** Returns a proxy of the data source that counts. */
    DataSource counting(DataSource dataSource) {
        return ProxyDataSourceBuilder.create(dataSource)
                .afterQuery((execution, queries) -> {
                    synchronized (this) {
                        if (execution.isBatch()) {
                            batches++;
                        } else {
                            statements++;
                        }
                    }
                })
                .afterMethod(call -> {
                    if (call.getTarget() instanceof DataSource
                            && call.getMethod().getName().equals("getConnection")) {
                        synchronized (this) {
                            connections++;
                        }
                    }
                })
                .build();
    }

    synchronized Counts counts() {
        return new Counts(statements, batches, connections);
    }
}
