package io.idgen.text;

import static io.idgen.text.Samples.CLOCK;
import static io.idgen.text.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdInspectorTest {
    private final IdInspector inspector = new IdInspector(CLOCK);

    @Test
    void believesAnIdUntilADayFromNow() {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        Instant edge = NOW.plus(Duration.ofDays(1));
        assertThat(inspector.inspect(layout.firstIdAt(edge), layout).plausible())
                .isTrue();
        assertThat(inspector
                        .inspect(layout.firstIdAt(edge.plusMillis(1)), layout)
                        .plausible())
                .isFalse();
    }

    @Test
    void readsAnIdUnderAllPresetsThatCouldHaveMadeIt() {
        assertThat(names(inspector.inspect(175928847299117063L)))
                .containsExactly("idgen", "twitter", "discord", "instagram", "sonyflake", "tsid");
        long ofToday = SnowflakeLayout.DISCORD.firstIdAt(NOW);
        assertThat(names(inspector.inspect(ofToday))).containsExactly("twitter", "discord", "instagram");
    }

    @Test
    void readsAJavaScriptIdUnderTheLayoutForIt() {
        assertThat(names(inspector.inspect(SnowflakeLayout.JS_SAFE.firstIdAt(NOW))))
                .contains("js-safe");
        assertThat(names(inspector.inspect((1L << 53)))).isNotEmpty().doesNotContain("js-safe");
    }

    @Test
    void doesNotBelieveALayoutWhoseEpochIsYetToCome() {
        var in2016 = new IdInspector(InstantSource.fixed(Instant.parse("2016-06-01T00:00:00Z")));
        assertThat(names(in2016.inspect(42))).containsExactly("twitter", "discord", "instagram", "sonyflake");
    }

    @Test
    void findsNoPresetForWhatIsNoId() {
        assertThat(inspector.inspect(-1)).isEmpty();
        assertThat(inspector.inspect(Long.MIN_VALUE)).isEmpty();
        assertThat(inspector.inspect(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void refusesANegativeIdUnderALayout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inspector.inspect(-1, SnowflakeLayout.IDGEN))
                .withMessageContaining("-1");
    }

    private static Stream<String> names(List<InspectedId> inspected) {
        return inspected.stream().map(id -> id.preset().orElseThrow());
    }
}
