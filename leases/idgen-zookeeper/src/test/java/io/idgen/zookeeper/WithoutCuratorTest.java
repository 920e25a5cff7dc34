package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** An application has this module on its class path, and not the libraries that the module needs. */
class WithoutCuratorTest {

    /** Runs in a class loader without some jars. */
    public static final class Application {
        private Application() {}

        /** Returns the outcome of a first id from sources over JDBC, with the given settings. */
        public static String start(String... settings) {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:without-curator;DB_CLOSE_DELAY=-1");
            IdSources.Builder builder = IdSources.builder().source("orders").resource(DataSource.class, database);
            for (String each : settings) {
                builder.set(each.split("=")[0], each.split("=")[1]);
            }
            try (IdSources sources = builder.build()) {
                return sources.get("orders").nextId() > 0 ? "an id" : "no id";
            } catch (IdGenerationException e) {
                return e.toString();
            }
        }
    }

    private static String start(String missing, String... settings) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!each.contains(missing)) {
                urls.add(new File(each).toURI().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                return (String) loader.loadClass(Application.class.getName())
                        .getMethod("start", String[].class)
                        .invoke(null, (Object) settings);
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    @Test
    void sourcesOverJdbcNeedNoCurator() throws Exception {
        assertThat(start("curator-")).isEqualTo("an id");
        assertThat(start("zookeeper-3")).isEqualTo("an id");
    }

    @Test
    void aWorkerIdFromZooKeeperIsRefusedAtTheStartAndTheArtifactIsNamed() throws Exception {
        String[] settings = {"idgen.worker.assigner=zookeeper", "idgen.zookeeper.connect=localhost:1"};
        assertThat(start("curator-", settings))
                .contains("ConfigurationException", "leased from zookeeper", "org.apache.curator:curator-framework");
    }

    /** The other processes lease from ZooKeeper, so a lease from the database could be the same worker id. */
    @Test
    void theDatabaseIsNoReplacementForAZooKeeperThatIsSet() throws Exception {
        assertThat(start("curator-", "idgen.zookeeper.connect=localhost:1"))
                .contains("ConfigurationException", "org.apache.curator:curator-framework");
        assertThat(start("no such jar", "idgen.zookeeper.connect=localhost:1"))
                .as("control: with Curator")
                .contains("ConfigurationException", "jdbc and zookeeper");
    }
}
