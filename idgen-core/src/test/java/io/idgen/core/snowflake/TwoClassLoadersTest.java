package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests applications of one JVM that have each loaded idgen themselves, as in an application server. */
class TwoClassLoadersTest {

    private final String namespace = UUID.randomUUID().toString();

    /** An application with a class loader of its own. */
    private static final class Application implements AutoCloseable {
        private final URLClassLoader loader;

        Application() throws Exception {
            List<URL> path = new ArrayList<>();
            for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
                path.add(new File(each).toURI().toURL());
            }
            loader = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }

        AutoCloseable generator(String namespace) throws Exception {
            Class<?> type = loader.loadClass(TwoClassLoadersTest.class.getName());
            Method opens = type.getDeclaredMethod("open", String.class);
            opens.setAccessible(true);
            try {
                return (AutoCloseable) opens.invoke(null, namespace);
            } catch (InvocationTargetException e) {
                throw (Exception) e.getCause();
            }
        }

        static long[] ids(AutoCloseable generator, int count) throws Exception {
            return (long[]) generator.getClass().getMethod("nextIds", int.class).invoke(generator, count);
        }

        @Override
        public void close() throws IOException {
            loader.close();
        }
    }

    /** Called in each application. */
    static IdSource open(String namespace) {
        return Snowflake.builder().namespace(namespace).workerId(1).build();
    }

    @Test
    void aWorkerIdThatAnotherApplicationOfTheJvmUsesIsRefused() throws Exception {
        try (Application other = new Application();
                AutoCloseable ids = other.generator(namespace)) {
            assertThat(Application.ids(ids, 1)).isNotEmpty();
            assertThatThrownBy(() -> open(namespace))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("worker id 1 in namespace '" + namespace
                            + "' is in use in this JVM by another application, which has loaded idgen itself");
        }
    }

    /** Whether its threads still run is unknown, so the worker id is not given to another application. */
    @Test
    void anApplicationThatNeverClosedItsGeneratorKeepsTheWorkerIdButNotItsClassLoader() throws Exception {
        WeakReference<Object> loader = abandoned();
        for (int i = 0; i < 1_000 && loader.get() != null; i++) {
            System.gc();
        }
        assertThat(loader.get())
                .as("the class loader of the abandoned application")
                .isNull();

        assertThatThrownBy(() -> open(namespace))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("close the generators of the other one, or restart the JVM");
    }

    private WeakReference<Object> abandoned() throws Exception {
        Application application = new Application();
        Application.ids(application.generator(namespace), 1);
        application.loader.close();
        return new WeakReference<>(application.loader);
    }
}
