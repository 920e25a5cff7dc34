package io.idgen.benchmarks;

import com.github.f4b6a3.tsid.TsidFactory;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.snowflake.Snowflake;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Times the first id of a new JVM: {@code java -cp benchmarks.jar io.idgen.benchmarks.FirstId [JVMs]}. */
public final class FirstId {
    private static final String TSID_CREATOR = "tsid-creator";
    private static final String IN_CODE = "idgen snowflake, worker id in code";
    private static final String IN_SETTINGS = "idgen snowflake, worker id from settings";
    private static final String LEASED = "idgen snowflake, leased from H2 in memory";
    private static final String SOURCE = "orders";

    private FirstId() {}

    /**
     * Measures and prints.
     *
     * @param args the number of JVMs for each subject
     */
    public static void main(String[] args) {
        Map<String, List<String>> subjects = new LinkedHashMap<>();
        for (String each : List.of(TSID_CREATOR, IN_CODE, IN_SETTINGS, LEASED)) {
            subjects.put(each, List.of());
        }
        new NewJvms(args).print(InNewJvm.class, subjects);
    }

    /**
     * Generates the first id. Until then it uses no lambda, because the first one takes tens of milliseconds in a JVM,
     * which would count for the step that uses it.
     */
    static final class InNewJvm {
        private InNewJvm() {}

        public static void main(String[] args) {
            long begin = System.nanoTime();
            TsidFactory tsids = null;
            IdSource ids = null;
            if (args[0].equals(TSID_CREATOR)) {
                tsids = TsidFactory.builder().withNodeBits(4).withNode(1).build();
            } else {
                ids = source(args[0]);
            }
            long built = System.nanoTime();
            long id = next(tsids, ids);
            long first = System.nanoTime();
            long nextId = next(tsids, ids);
            long second = System.nanoTime();
            if (nextId <= id) {
                throw new IllegalStateException(nextId + " after " + id);
            }
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("built, ms", (built - begin) / 1e6);
            figures.put("first id, ms", (first - built) / 1e6);
            figures.put("sum, ms", (first - begin) / 1e6);
            figures.put("second id, us", (second - first) / 1e3);
            figures.put("loaded classes", (double)
                    ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
            NewJvms.report(figures);
        }

        private static long next(@Nullable TsidFactory tsids, @Nullable IdSource ids) {
            if (tsids != null) {
                return tsids.create().toLong();
            }
            return ids == null ? 0 : ids.nextId();
        }

        private static IdSource source(String subject) {
            if (subject.equals(IN_CODE)) {
                return Snowflake.builder().workerId(1).build();
            }
            IdSources.Builder sources = IdSources.builder().source(SOURCE);
            if (subject.equals(IN_SETTINGS)) {
                sources.set("idgen.worker.id", "1");
            } else {
                sources.set("idgen.jdbc.url", "jdbc:h2:mem:ids;DB_CLOSE_DELAY=-1")
                        .set("idgen.jdbc.initialize-schema", "always");
            }
            return sources.build().get(SOURCE);
        }
    }
}
