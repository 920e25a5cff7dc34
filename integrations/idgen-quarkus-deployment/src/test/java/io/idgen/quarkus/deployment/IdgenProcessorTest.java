package io.idgen.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.Setting;
import io.quarkus.deployment.builditem.ConfigDescriptionBuildItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdgenProcessorTest {
    @Test
    void describesEachSettingWithItsDefaultAndItsMeaning() {
        List<ConfigDescriptionBuildItem> described = new ArrayList<>();
        new IdgenProcessor().describe(described::add);

        assertThat(described)
                .extracting(ConfigDescriptionBuildItem::getPropertyName)
                .containsExactlyElementsOf(
                        IdSources.settings().stream().map(Setting::toString).toList());
        assertThat(described)
                .filteredOn(setting -> setting.getPropertyName().equals("idgen.worker.lease"))
                .singleElement()
                .satisfies(lease -> {
                    assertThat(lease.getDefaultValue()).isEqualTo("30s");
                    assertThat(lease.getDocs()).contains("worker id");
                });
    }
}
