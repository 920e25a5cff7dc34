package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.LeaseStoreProvider;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrategyServiceTest {
    @ParameterizedTest
    @ValueSource(classes = {IdStrategy.class, LeaseStoreProvider.class})
    void theClassPathAndTheModulePathOfferTheSameServices(Class<?> service) throws Exception {
        Path classes = Path.of(Counters.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> onTheClassPath =
                Files.readAllLines(classes.resolve("META-INF/services/" + service.getName())).stream()
                        .map(line -> line.replaceAll("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .toList();
        List<String> onTheModulePath =
                ModuleFinder.of(classes).find("io.idgen.jdbc").orElseThrow().descriptor().provides().stream()
                        .filter(provides -> provides.service().equals(service.getName()))
                        .map(ModuleDescriptor.Provides::providers)
                        .flatMap(List::stream)
                        .toList();

        assertThat(onTheClassPath)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(onTheModulePath);
    }
}
