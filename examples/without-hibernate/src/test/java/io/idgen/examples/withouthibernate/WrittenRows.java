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

    /** Returns the number of inserts; a batch counts once. */
    int executions() {
        return executions;
    }

    /** Returns the number of inserted rows. */
    int rows() {
        return rows;
    }

    /** Returns the number of connections with inserts. */
    int connections() {
        return connections.size();
    }
}
