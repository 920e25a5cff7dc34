package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdStrategy;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class StrategyServiceTest {
    private static final String SERVICE = IdStrategy.class.getName();

    @Test
    void theClassPathAndTheModulePathOfferTheSameStrategies() throws Exception {
        Path classes = Path.of(SegmentTable.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> onTheClassPath = Files.readAllLines(classes.resolve("META-INF/services/" + SERVICE)).stream()
                .map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
        List<String> onTheModulePath =
                ModuleFinder.of(classes).find("io.idgen.jdbc").orElseThrow().descriptor().provides().stream()
                        .filter(provides -> provides.service().equals(SERVICE))
                        .map(ModuleDescriptor.Provides::providers)
                        .flatMap(List::stream)
                        .toList();

        assertThat(onTheClassPath)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(onTheModulePath);
    }

    @Test
    void theServiceLoaderFindsSegment() {
        assertThat(ServiceLoader.load(IdStrategy.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .map(IdStrategy::name))
                .contains("segment");
    }
}
