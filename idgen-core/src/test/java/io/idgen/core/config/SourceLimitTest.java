package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.testing.LogLines;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests settings of a single source that its strategy, often the default one, cannot keep or does not read. */
class SourceLimitTest {
    private static final String JAVASCRIPT = "9007199254740992";

    private static final Setting<String> COLUMN = Setting.ofSource("probe-column", "A column.", String::strip);

    /** Reads a setting of its own, which no other strategy reads. */
    private static final class Counted implements IdStrategy {
        @Override
        public String name() {
            return "counted";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(COLUMN);
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(1, () -> {
                throw new AssertionError("not opened");
            });
        }
    }

    private static IdSources.Builder builder() {
        return IdSources.builder()
                .strategy(new Counted())
                .set("idgen.worker.namespace", UUID.randomUUID().toString())
                .set("idgen.worker.id", "1");
    }

    @Test
    void aLimitThatSnowflakesReachIsRefusedAndTheMessageNamesTheLayout() {
        assertThatThrownBy(() ->
                        builder().set("idgen.sources.orders.limit", JAVASCRIPT).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idgen.sources.<name>.limit: ids of strategy snowflake reach 9223372036854775807")
                .hasMessageContaining("the limit is " + JAVASCRIPT)
                .hasMessageContaining("idgen.snowflake.layout=js-safe");
    }

    @Test
    void aLimitThatNoSnowflakeKeepsNamesOtherStrategies() {
        assertThatThrownBy(() -> builder()
                        .set("idgen.sources.orders.limit", "2147483648")
                        .set("idgen.snowflake.layout", "js-safe")
                        .build())
                .hasMessageContaining("choose a strategy whose ids are small, for example segment")
                .hasMessageNotContaining("set idgen.snowflake.layout");
    }

    @Test
    void aLimitThatTheStrategyDoesNotReadIsRefused() {
        assertThatThrownBy(() -> builder()
                        .set("idgen.sources.orders.strategy", "counted")
                        .set("idgen.sources.orders.limit", JAVASCRIPT)
                        .build())
                .hasMessageContaining(
                        "source 'orders' has strategy counted, which does not read this setting; remove it,"
                                + " or set idgen.sources.orders.strategy to snowflake");
    }

    @Test
    void aSettingThatTheStrategyDoesNotReadCausesAWarning() {
        try (LogLines log = new LogLines(Strategies.class);
                IdSources sources =
                        builder().set("idgen.sources.orders.probe-column", "x").build()) {
            assertThat(sources.get("orders").nextId()).isPositive();
            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("idgen.sources.<name>.probe-column: source 'orders' has strategy snowflake, which"
                                    + " does not read this setting; remove it, or set idgen.sources.orders.strategy to"
                                    + " counted"));
        }
    }
}
