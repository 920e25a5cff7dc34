package io.idgen.examples.withouthibernate;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Counts the inserts into the tables of the example, and their connections. Not safe for many threads. */
final class WrittenRows implements QueryExecutionListener {
    private final Set<String> connections = new HashSet<>();
    private int executions;
    private int rows;

    DataSource counting(DataSource dataSource) {
        return ProxyDataSourceBuilder.create(dataSource).listener(this).build();
    }

    @Override
    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {}

    @Override
    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        String sql = queries.get(0).getQuery().toLowerCase(Locale.ROOT);
        if (sql.contains("insert into") && (sql.contains("customer_order") || sql.contains("order_line"))) {
            connections.add(execution.getConnectionId());
            executions++;
            rows += Math.max(1, execution.getBatchSize());
        }
    }

    /** How often the database was asked to insert. */
    int executions() {
        return executions;
    }

    /** How many rows it was asked to insert. */
    int rows() {
        return rows;
    }

    /** On how many connections. */
    int connections() {
        return connections.size();
    }
}
