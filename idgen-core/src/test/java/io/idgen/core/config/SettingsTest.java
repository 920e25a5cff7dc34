package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings about misspelt variables in the environment, which also has variables of other programs. */
class SettingsTest {
    private static final List<Setting<?>> KNOWN = List.of(
            Setting.<String>of("strategy", "A strategy.", text -> text),
            Setting.<String>of("worker.id", "A worker id.", text -> text));

    private static List<String> warnings(String variable) {
        Settings settings = new Settings();
        settings.add(variable, "segment", "the environment");
        try (LogLines log = new LogLines(Settings.class)) {
            settings.check(KNOWN);
            return log.lines();
        }
    }

    @Test
    void aVariableThatIsNearlyASettingIsNamedWithThatSetting() {
        assertThat(warnings("IDGEN_STRATGY"))
                .containsExactly("WARNING the environment variable IDGEN_STRATGY is ignored; the setting is called"
                        + " IDGEN_STRATEGY");
        assertThat(warnings("IDGEN_WORKERID"))
                .containsExactly("WARNING the environment variable IDGEN_WORKERID is ignored; the setting is called"
                        + " IDGEN_WORKER_ID");
    }

    @Test
    void variablesOfOthersAreNotSpokenOf() {
        assertThat(warnings("IDGEN_STRATEGY")).isEmpty();
        assertThat(warnings("IDGEN_HOME")).isEmpty();
        assertThat(warnings("STRATGY")).isEmpty();
    }
}
