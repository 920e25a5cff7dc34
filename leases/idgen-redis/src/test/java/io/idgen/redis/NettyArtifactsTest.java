package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.StoreUnavailableException;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private static String failure(String without, List<Path> more) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!each.contains(without)) {
                urls.add(new File(each).toURI().toURL());
            }
        }
        for (Path each : more) {
            urls.add(each.toUri().toURL());
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
        assertThat(failure("netty-handler", List.of()))
                .startsWith(ConfigurationException.class.getName())
                .contains("io/netty/handler/", "found {netty-buffer=4.2", "io.netty:netty-bom");
        assertThat(failure("no such jar", List.of()))
                .as("control: with all artifacts")
                .startsWith(StoreUnavailableException.class.getPackageName() + ".StoreUnreachableException");
    }

    @Test
    void artifactsOfTwoMinorVersionsAreRefusedAtTheStart(@TempDir Path folder) throws Exception {
        Path versions = folder.resolve("META-INF/io.netty.versions.properties");
        Files.createDirectories(versions.getParent());
        Files.writeString(versions, """
                netty-buffer.version=4.1.130.Final
                netty-buffer.buildDate=2026-01-01 00:00:00 +0000
                netty-buffer.commitDate=2026-01-01 00:00:00 +0000
                netty-buffer.shortCommitHash=0
                netty-buffer.longCommitHash=0
                netty-buffer.repoStatus=clean
                """);

        assertThat(failure("no such jar", List.of(folder)))
                .startsWith(ConfigurationException.class.getName())
                .contains("do not belong together; found {netty-buffer=4.1.130.Final");
    }
}
