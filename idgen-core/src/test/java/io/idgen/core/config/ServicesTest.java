package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import io.idgen.core.lease.LeaseStore;
import io.idgen.test.InMemoryLeaseStore;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strategies and lease stores that another jar registers as services. */
class ServicesTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final IdSources.Builder builder =
            IdSources.builder().environment(new Properties(), Map.of()).source("orders");

    @TempDir
    private Path folder;

    /** A strategy of a third party. */
    public static final class Attic implements IdStrategy {
        static final Setting<Long> FLOOR = Setting.of("attic.floor", "The floor.", Setting.wholeNumber(1, 99));
        static int loaded;

        /** Called by the service loader. */
        public Attic() {
            loaded++;
        }

        @Override
        public String name() {
            return "attic";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(FLOOR);
        }

        @Override
        public List<Class<?>> resources() {
            return List.of(StringBuilder.class);
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            long floor = context.find(FLOOR).orElse(7L);
            return new SourcePlan(Long.MAX_VALUE, () -> new IdSource() {
                @Override
                public long nextId() {
                    return floor;
                }

                @Override
                public void close() {}
            });
        }
    }

    /** A lease store of a third party that needs no setting. */
    public static final class Cellar implements LeaseStoreProvider {
        /** Called by the service loader. */
        public Cellar() {}

        @Override
        public String name() {
            return "cellar";
        }

        @Override
        public boolean isAvailable(SourceContext context) {
            return true;
        }

        @Override
        public LeaseStore open(SourceContext context) {
            return new InMemoryLeaseStore(Clock.systemUTC());
        }
    }

    /** Adds a jar that registers a service to the class path of this thread. */
    private void register(Class<?> type, Class<?> service) throws IOException {
        Path jar = folder.resolve(service.getSimpleName() + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("META-INF/services/" + type.getName()));
            out.write(service.getName().getBytes(StandardCharsets.UTF_8));
        }
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        Thread.currentThread()
                .setContextClassLoader(new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent));
    }

    @AfterEach
    void removeTheJars() throws IOException {
        ClassLoader last = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(before);
        if (last instanceof URLClassLoader jar && last != before) {
            jar.close();
        }
    }

    @Test
    void aStrategyIsFoundByItsName() throws IOException {
        register(IdStrategy.class, Attic.class);
        try (IdSources sources = builder.set("idgen.strategy", "attic").build()) {
            assertThat(sources.get("orders").nextId()).isEqualTo(7);
        }
    }

    @Test
    void itsSettingsAreKnownWhereAnotherStrategyIsChosen() throws IOException {
        register(IdStrategy.class, Attic.class);
        builder.set("idgen.worker.assigner", "single-process").set("idgen.attic.floor", "9");
        try (IdSources sources = builder.build()) {
            assertThat(sources.strategy("orders")).isEqualTo("snowflake");
        }
        builder.set("idgen.sources.orders.attic.floor", "100");
        assertThat(assertThrows(ConfigurationException.class, builder::build))
                .hasMessageContaining("idgen.sources.orders.attic.floor: a whole number from 1 to 99");
    }

    @Test
    void noStrategyIsLoadedThatNothingNames() throws IOException {
        register(IdStrategy.class, Attic.class);
        int loaded = Attic.loaded;
        builder.set("idgen.strategy", "snowflake")
                .set("idgen.worker.assigner", "single-process")
                .set("idgen.sources.invoices.snowflake.layout", "idgen")
                .build()
                .close();
        assertThat(Attic.loaded).isEqualTo(loaded);
    }

    @Test
    void aLeaseStoreIsFoundByItsName() throws IOException {
        register(LeaseStoreProvider.class, Cellar.class);
        builder.set("idgen.worker.assigner", "cellar").set("idgen.worker.namespace", "services-" + UUID.randomUUID());
        try (IdSources sources = builder.build()) {
            assertThat(sources.get("orders").nextId()).isPositive();
        }
    }
}
