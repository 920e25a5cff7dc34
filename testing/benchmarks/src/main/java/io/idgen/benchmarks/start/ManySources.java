package io.idgen.benchmarks.start;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.benchmarks.OwnJvm;
import io.idgen.core.config.IdSources;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/** The program that opens many sources over one database, and reports what they use. */
final class ManySources {
    /** The time to open all of them, with an id of each, in ms. */
    static final String OPEN = "open";

    static final String THREADS = "threads";
    static final String CONNECTIONS = "connections";

    /** Used heap in KiB. */
    static final String HEAP = "heap";

    /** The time to close all of them, in ms. */
    static final String CLOSE = "close";

    /** The number of threads that remain after that. */
    static final String LEFT = "left";

    private ManySources() {}

    /** Runs in a fork. The arguments are the strategy, the number of sources, and URL, user and password. */
    public static void main(String[] args) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[2]);
        config.setUsername(args[3]);
        config.setPassword(args[4]);
        config.setMaximumPoolSize(1); // a larger pool opens its connections in the background
        try (HikariDataSource pool = new HikariDataSource(config)) {
            open("warm-up", args[0], 1, pool).close();
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();
            long connections = connections(pool);
            long heap = usedHeap();
            Map<String, Double> report = new LinkedHashMap<>();
            long begin = System.nanoTime();
            IdSources sources = open("source", args[0], Integer.parseInt(args[1]), pool);
            report.put(OPEN, (System.nanoTime() - begin) / 1e6);
            report.put(THREADS, (double) ManagementFactory.getThreadMXBean().getThreadCount() - threads);
            report.put(CONNECTIONS, (double) connections(pool) - connections);
            report.put(HEAP, (usedHeap() - heap) / 1024.0);
            begin = System.nanoTime();
            sources.close();
            report.put(CLOSE, (System.nanoTime() - begin) / 1e6);
            report.put(LEFT, (double) ManagementFactory.getThreadMXBean().getThreadCount() - threads);
            OwnJvm.report(report);
        }
    }

    /** Opens sources and generates an id with each. */
    private static IdSources open(String name, String strategy, int count, HikariDataSource pool) {
        IdSources.Builder builder =
                IdSources.builder().resource(DataSource.class, pool).set("idgen.strategy", strategy);
        for (int i = 0; i < count; i++) {
            builder.source(name + i);
            if (!strategy.equals("snowflake")) {
                builder.set("idgen.sources." + name + i + ".start", "1");
            }
        }
        IdSources sources = builder.build();
        for (int i = 0; i < count; i++) {
            long unused = sources.get(name + i).nextId();
        }
        return sources;
    }

    private static long connections(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
