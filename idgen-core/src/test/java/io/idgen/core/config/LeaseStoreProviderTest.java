package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import io.idgen.test.InMemoryLeaseStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lease stores that modules register under a name, and that settings choose. */
class LeaseStoreProviderTest {
    private static final Function<String, String> NO_CHANGE = text -> text;

    private final String namespace = "provided-" + UUID.randomUUID();

    /** The store of a module, available if its address is set. */
    private record Provided(String name, LeaseStore store) implements LeaseStoreProvider {
        private Setting<String> address() {
            return Setting.of(name + ".address", "Where the store is.", NO_CHANGE);
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(address());
        }

        @Override
        public boolean isAvailable(SourceContext context) {
            return context.isGiven(address());
        }

        @Override
        public LeaseStore open(SourceContext context) {
            context.get(address());
            return store;
        }
    }

    private static IdStrategy leasing(List<LeaseStoreProvider> providers) {
        WorkerIds workerIds = new WorkerIds(Host.LOCAL, new Strategies(Host.LOCAL, List.of()));
        workerIds.add(providers);
        return new SnowflakeStrategy(workerIds);
    }

    private IdSources.Builder builder(String... names) {
        List<LeaseStoreProvider> providers = Stream.of(names)
                .<LeaseStoreProvider>map(name -> new Provided(name, new InMemoryLeaseStore(Clock.systemUTC())))
                .toList();
        return IdSources.builder()
                .environment(new Properties(), Map.of())
                .strategy(leasing(providers))
                .set("idgen.worker.namespace", namespace)
                .source("orders");
    }

    @Test
    void aStoreIsChosenByItsNameAndByDefaultWhereItsAddressIsSet() {
        IdSources.Builder named = builder("cellar", "attic")
                .set("idgen.attic.address", "above")
                .set("idgen.cellar.address", "below")
                .set("idgen.worker.assigner", "cellar");
        IdSources.Builder byDefault =
                builder("cellar", "attic").set("idgen.cellar.address", "below").set("idgen.worker.datacenter-id", "29");
        for (IdSources.Builder builder : List.of(named, byDefault)) {
            try (IdSources sources = builder.build()) {
                assertThat(sources.get("orders").nextId()).isPositive();
            }
        }
    }

    @Test
    void twoStoresThatCouldBeMeantAreRefused() {
        IdSources.Builder both =
                builder("cellar", "attic").set("idgen.attic.address", "above").set("idgen.cellar.address", "below");

        ConfigurationException e = assertThrows(ConfigurationException.class, both::build);
        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_UNKNOWN);
        assertThat(e).hasMessageContaining("from attic and cellar").hasMessageContaining("set idgen.worker.assigner");
        both.set("idgen.worker.assigner", "fixed").set("idgen.worker.id", "1").set("idgen.worker.reserved", "1");
        assertThat(assertThrows(ConfigurationException.class, both::build).code())
                .isEqualTo(ErrorCode.WORKER_ID_UNKNOWN);
        try (IdSources sources =
                both.set("idgen.worker.assigner", "single-process").build()) {
            assertThat(sources.get("orders").nextId()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "redis", "zookeeper"})
    void theNameOfAMissingModuleIsRefusedWithItsDependency(String name) {
        assertThat(assertThrows(
                        ConfigurationException.class,
                        () -> builder().set("idgen.worker.assigner", name).build()))
                .hasMessageContaining("add the dependency io.idgen:idgen-" + name)
                .hasMessageContaining("(from code)");
        for (String key : List.of("idgen." + name + ".address", "idgen.sources.orders." + name + ".address")) {
            assertThat(assertThrows(
                            ConfigurationException.class,
                            () -> builder().set(key, "secret").build()))
                    .hasMessageContaining("no setting is called " + key)
                    .hasMessageContaining("add the dependency io.idgen:idgen-" + name)
                    .hasMessageNotContaining("secret");
        }
    }
}
