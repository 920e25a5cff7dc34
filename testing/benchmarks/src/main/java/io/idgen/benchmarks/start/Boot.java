package io.idgen.benchmarks.start;

import io.idgen.benchmarks.OwnJvm;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/** The program that boots Hibernate with many entities, and times it. */
final class Boot {
    /** The package of the entities, which are named {@code E0}, {@code E1} and so on. */
    static final String ENTITIES = "entities";

    /** The time from the start of Hibernate to its session factory, in ms. */
    static final String BOOTED = "booted";

    /** The CPU time of the thread that boots, in ms: other load of the machine changes it less. */
    static final String CPU = "cpu";

    /** The first transaction, which inserts a row of each entity, in ms. */
    static final String INSERTED = "inserted";

    /** The time to close the session factory, in ms. */
    static final String CLOSED = "closed";

    private Boot() {}

    /** Runs in a fork. The arguments are the strategy of idgen, and the number of entities. */
    public static void main(String[] args) throws ReflectiveOperationException {
        System.setProperty("org.jboss.logging.provider", "slf4j"); // without a binding, slf4j discards all log lines
        // an application has started its logging before Hibernate
        System.getLogger(Boot.class.getName()).log(System.Logger.Level.INFO, "boots with {0} entities", args[1]);
        List<Class<?>> entities = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            entities.add(Class.forName(ENTITIES + ".E" + i));
        }
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:boot;DB_CLOSE_DELAY=-1");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        SessionFactory factory = new HibernatePersistenceConfiguration("boot")
                .managedClasses(entities)
                .property("jakarta.persistence.nonJtaDataSource", database)
                .property("hibernate.hbm2ddl.auto", "create")
                .property("hibernate.jdbc.batch_size", "50")
                .property("idgen.strategy", args[0])
                .property("idgen.worker.assigner", "jdbc")
                .createEntityManagerFactory();
        long booted = System.nanoTime();
        cpu = threads.getCurrentThreadCpuTime() - cpu;
        factory.inTransaction(session -> entities.forEach(entity -> session.persist(created(entity))));
        long inserted = System.nanoTime();
        factory.close();
        Map<String, Double> report = new LinkedHashMap<>();
        report.put(BOOTED, (booted - begin) / 1e6);
        report.put(CPU, cpu / 1e6);
        report.put(INSERTED, (inserted - booted) / 1e6);
        report.put(CLOSED, (System.nanoTime() - inserted) / 1e6);
        OwnJvm.report(report);
    }

    private static Object created(Class<?> entity) {
        try {
            return entity.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(entity + " has no public constructor", e);
        }
    }
}
