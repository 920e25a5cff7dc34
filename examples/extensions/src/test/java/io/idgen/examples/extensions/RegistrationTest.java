package io.idgen.examples.extensions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.WorkerIdAssigner;
import io.idgen.core.layout.SnowflakeLayout;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that one line registers each extension, and that extensions use only the public parts of idgen. */
class RegistrationTest {

    @Test
    void aStrategyIsAddedInOneLine() {
        AtomicLong counter = new AtomicLong();
        try (IdSources sources = Registration.strategy((name, count) -> counter.addAndGet(count))) {
            assertEquals(1, sources.get("orders").nextId());
            assertEquals("shared-counter", sources.strategy("orders"));
        }
    }

    @Test
    void aLeaseStoreIsAddedInOneLine() {
        ConcurrentHashMap<String, SharedMapLeaseStore.Entry> map = new ConcurrentHashMap<>();
        try (IdSources sources = Registration.leaseStore(map, Clock.systemUTC())) {
            assertTrue(sources.get("orders").nextId() > 0);
            assertEquals(
                    1, map.values().stream().filter(entry -> entry.fence() == 1).count(), "leased worker ids");
        }
    }

    @Test
    void anAssignerIsAddedInOneLine(@TempDir Path folder) throws Exception {
        Path index = Files.writeString(folder.resolve("index"), "3\n");
        assertEquals(3, new PodIndexFile(index).workerId());
        try (IdSources sources = IdSources.builder()
                .resource(WorkerIdAssigner.class, new PodIndexFile(index))
                .source("orders")
                .build()) {
            assertEquals(
                    3,
                    SnowflakeLayout.IDGEN.parse(sources.get("orders").nextId()).worker());
        }
        Path settings = Path.of(
                RegistrationTest.class.getResource("/pod-index.properties").toURI());
        ConfigurationException e = assertThrows(
                ConfigurationException.class,
                () -> Registration.assigner(settings).close());
        assertEquals(ErrorCode.WORKER_ID_UNKNOWN, e.code(), "no pod, no index");
        assertTrue(String.valueOf(e.getMessage()).contains("/etc/podinfo/index"), e.getMessage());
    }

    @Test
    void theModuleRequiresNothingButIdgensCore() throws Exception {
        Path classes = Path.of(PodIndexFile.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        assertEquals(
                Set.of("java.base", "io.idgen.core", "org.jspecify"),
                ModuleFinder.of(classes)
                        .find("io.idgen.examples.extensions")
                        .orElseThrow()
                        .descriptor()
                        .requires()
                        .stream()
                        .map(Requires::name)
                        .collect(Collectors.toSet()));
    }
}
