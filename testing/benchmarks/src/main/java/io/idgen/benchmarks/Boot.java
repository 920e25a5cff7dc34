package io.idgen.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Times the boot of Hibernate with 200 entities on H2 in memory: {@code java -cp benchmarks.jar
 * io.idgen.benchmarks.Boot [JVMs]}. Compiles the entities, so it needs a JDK.
 */
public final class Boot {
    private static final int ENTITIES = 200;
    private static final String PACKAGE = "entities";
    private static final String SEGMENT = "idgen segment";
    private static final String IDGEN = "@io.idgen.hibernate.SnowflakeId";

    private Boot() {}

    /**
     * Measures and prints.
     *
     * @param args the number of JVMs for each subject
     * @throws IOException if the entities cannot be written
     */
    public static void main(String[] args) throws IOException {
        String idgen = compiled(IDGEN, "");
        Map<String, List<String>> subjects = new LinkedHashMap<>();
        subjects.put("assigned by the application", List.of("-cp", compiled("", " = NEXT.incrementAndGet()")));
        subjects.put("SEQUENCE (50)", List.of("-cp", compiled("@jakarta.persistence.GeneratedValue", "")));
        subjects.put("idgen snowflake, leased", List.of("-cp", idgen));
        subjects.put(SEGMENT, List.of("-cp", idgen));
        new NewJvms(args).print(InNewJvm.class, subjects);
    }

    /** Compiles the entities, and returns a class path with them. */
    private static String compiled(String annotation, String value) throws IOException {
        Path folder = Files.createTempDirectory(PACKAGE);
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
        for (int i = 0; i < ENTITIES; i++) {
            String code = """
                    package %1$s;
                    @jakarta.persistence.Entity
                    public class E%2$d {
                        static final java.util.concurrent.atomic.AtomicLong NEXT = new java.util.concurrent.atomic.AtomicLong();
                        @jakarta.persistence.Id %3$s public Long id%4$s;
                        public String name;
                        public E%2$d() {}
                    }
                    """.formatted(PACKAGE, i, annotation, value);
            arguments.add(
                    Files.writeString(folder.resolve("E" + i + ".java"), code).toString());
        }
        @Nullable JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null || compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("no compiler, or it failed; run this with the java of a JDK");
        }
        return folder + File.pathSeparator + System.getProperty("java.class.path");
    }

    /** Boots Hibernate, and inserts a row of each entity. */
    static final class InNewJvm {
        private InNewJvm() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            System.setProperty(
                    "org.jboss.logging.provider", "slf4j"); // without a binding, slf4j discards all log lines
            // an application has started its logging before Hibernate
            System.getLogger(Boot.class.getName()).log(System.Logger.Level.INFO, "boots with {0}", args[0]);
            List<Class<?>> entities = new ArrayList<>();
            for (int i = 0; i < ENTITIES; i++) {
                entities.add(Class.forName(PACKAGE + ".E" + i));
            }
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:boot;DB_CLOSE_DELAY=-1");
            long begin = System.nanoTime();
            SessionFactory factory = new HibernatePersistenceConfiguration("boot")
                    .managedClasses(entities)
                    .property("jakarta.persistence.nonJtaDataSource", database)
                    .property("hibernate.hbm2ddl.auto", "create")
                    .property("hibernate.jdbc.batch_size", "50")
                    .property("idgen.strategy", args[0].equals(SEGMENT) ? "segment" : "snowflake")
                    .createEntityManagerFactory();
            long booted = System.nanoTime();
            factory.inTransaction(session -> entities.forEach(entity -> session.persist(created(entity))));
            long inserted = System.nanoTime();
            factory.close();
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("boot, ms", (booted - begin) / 1e6);
            figures.put("first transaction, a row of each entity, ms", (inserted - booted) / 1e6);
            figures.put("close, ms", (System.nanoTime() - inserted) / 1e6);
            NewJvms.report(figures);
        }

        private static Object created(Class<?> entity) {
            try {
                return entity.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(entity + " has no public constructor", e);
            }
        }
    }
}
