package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.testing.LogLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Warnings about misspelt variables in the environment, which also has variables of other programs. */
class SettingsTest {
    private static final List<Setting<?>> KNOWN = List.of(
            Setting.<String>of("strategy", "A strategy.", text -> text),
            Setting.<String>of("worker.id", "A worker id.", text -> text));

    private static List<String> misspelt(String variable) {
        return Settings.environment(Map.of(variable, "segment")).misspelt(KNOWN);
    }

    @Test
    void aVariableThatIsNearlyASettingIsNamedWithThatSetting() {
        assertThat(misspelt("IDGEN_STRATGY"))
                .containsExactly(
                        "the environment variable IDGEN_STRATGY is ignored; the setting is called" + " IDGEN_STRATEGY");
        assertThat(misspelt("IDGEN_WORKERID"))
                .containsExactly("the environment variable IDGEN_WORKERID is ignored; the setting is called"
                        + " IDGEN_WORKER_ID");
    }

    @Test
    void variablesOfOthersAreNotSpokenOf() {
        assertThat(misspelt("IDGEN_STRATEGY")).isEmpty();
        assertThat(misspelt("IDGEN_HOME")).isEmpty();
        assertThat(misspelt("STRATGY")).isEmpty();
    }

    @Test
    void theCheckOfAllSettingsLogsIt() {
        try (LogLines log = new LogLines(Settings.class)) {
            new Settings(List.of(Settings.environment(Map.of("IDGEN_STRATGY", "segment")))).check(KNOWN);

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING the environment variable IDGEN_STRATGY");
        }
    }
}
