package io.idgen.benchmarks.start;

import com.github.f4b6a3.tsid.TsidFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.benchmarks.OwnJvm;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.snowflake.Snowflake;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The program that generates the first id of its JVM, and times each step. Until then it uses no lambda and no string
 * concatenation: the first one takes tens of milliseconds in a JVM, which would count for the step that uses it.
 */
final class FirstId {
    /** The time from the start of the JVM to this program. */
    static final String JVM = "jvm";

    /** The pool of the application, with one query. */
    static final String POOL = "pool";

    /** Creating the source. */
    static final String BUILD = "build";

    /** The first id. */
    static final String FIRST = "first";

    /** The time of all steps after the start of the JVM. */
    static final String TOTAL = "total";

    /** The second id, in µs. */
    static final String SECOND = "second";

    /** Loaded classes. */
    static final String CLASSES = "classes";

    private static final String SOURCE = "orders";

    /** The work of the program. */
    enum Subject {
        TSID_CREATOR("tsid-creator", false),
        IN_CODE("idgen snowflake, fixed worker id, built in code", false),
        IN_SETTINGS("idgen snowflake, fixed worker id, from settings", false),
        QUERY("HikariCP, one query", true),
        LEASED("HikariCP, one query; idgen snowflake, leased", true),
        SEGMENT("HikariCP, one query; idgen segment", true);

        final String title;
        final boolean usesDatabase;

        Subject(String title, boolean usesDatabase) {
            this.title = title;
            this.usesDatabase = usesDatabase;
        }
    }

    private FirstId() {}

    /** Runs in a fork. The arguments are the subject, and the URL, user and password of a database. */
    public static void main(String[] args) throws SQLException {
        Subject subject = Subject.valueOf(args[0]);
        long entered = System.currentTimeMillis();
        long begin = System.nanoTime();
        HikariDataSource pool = subject.usesDatabase ? pool(args[1], args[2], args[3]) : null;
        long pooled = System.nanoTime();
        TsidFactory tsids = null;
        IdSource ids = null;
        if (subject == Subject.TSID_CREATOR) {
            tsids = TsidFactory.builder().withNodeBits(4).withNode(1).build();
        } else if (subject != Subject.QUERY) {
            ids = source(subject, pool);
        }
        long built = System.nanoTime();
        long id = next(tsids, ids);
        long first = System.nanoTime();
        long nextId = next(tsids, ids);
        long second = System.nanoTime();
        Map<String, Double> report = new LinkedHashMap<>();
        report.put(CLASSES, (double) ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        report.put(JVM, (double) entered - ManagementFactory.getRuntimeMXBean().getStartTime());
        report.put(POOL, (pooled - begin) / 1e6);
        report.put(BUILD, (built - pooled) / 1e6);
        report.put(FIRST, (first - built) / 1e6);
        report.put(TOTAL, (first - begin) / 1e6);
        report.put(SECOND, (second - first) / 1e3);
        if (subject != Subject.QUERY && nextId <= id) {
            throw new IllegalStateException(nextId + " after " + id);
        }
        if (ids != null) {
            ids.close(); // releases the worker id
        }
        OwnJvm.report(report);
    }

    private static long next(@Nullable TsidFactory tsids, @Nullable IdSource ids) {
        if (tsids != null) {
            return tsids.create().toLong();
        }
        return ids == null ? 0 : ids.nextId();
    }

    private static HikariDataSource pool(String url, String user, String password) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1")) {
            rows.next();
        }
        return pool;
    }

    private static IdSource source(Subject subject, @Nullable HikariDataSource pool) {
        if (subject == Subject.IN_CODE) {
            return Snowflake.builder().workerId(1).build();
        }
        IdSources.Builder sources = IdSources.builder().source(SOURCE);
        if (pool == null) {
            sources.set("idgen.worker.id", "1");
        } else {
            sources.resource(DataSource.class, pool);
        }
        if (subject == Subject.SEGMENT) {
            sources.set("idgen.strategy", "segment").set("idgen.sources.orders.start", "1");
        }
        return sources.build().get(SOURCE);
    }
}
