package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.StoreUnavailableException;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that artifacts of Netty that do not belong together are an error of the configuration, and no outage. */
class NettyArtifactsTest {
    /** Runs in a class loader without some jars. */
    public static final class Connecting {
        private Connecting() {}

        /** Returns the exception of a script; there is no Redis at the address. */
        public static String failure() {
            return assertThrows(Throwable.class, () -> {
                        try (RedisScripts scripts = RedisScripts.connectingTo("redis://127.0.0.1:1")) {
                            scripts.run("return {}", "key", List.of());
                        }
                    })
                    .toString();
        }
    }

    private static String failure(String without) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!each.contains(without)) {
                urls.add(new File(each).toURI().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                return (String) loader.loadClass(Connecting.class.getName())
                        .getMethod("failure")
                        .invoke(null);
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    @Test
    void aConnectionWithoutAnArtifactIsNoOutage() throws Exception {
        assertThat(failure("netty-handler"))
                .startsWith(ConfigurationException.class.getName())
                .contains("io/netty/handler/", "io.netty:netty-bom");
        assertThat(failure("no such jar"))
                .as("control: with all artifacts")
                .startsWith(StoreUnavailableException.class.getPackageName() + ".StoreUnreachableException");
    }
}
