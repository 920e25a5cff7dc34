package io.idgen.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.config.IdSources;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.Names;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that would clear a terminal, forge a log line or reverse text if a message did not escape them. */
class HostileTextTest {
    private static final String HOSTILE = "x\033[2J\r\nWARNING forged\u202Etxt\u2028\u009B1m";
    private static final String ESCAPED = "x\\u001B[2J\\u000D\\u000AWARNING forged\\u202Etxt\\u2028\\u009B1m";

    @Test
    void hiddenCharactersAreShownAsTheirCodes() {
        assertThat(Characters.line(HOSTILE)).isEqualTo(ESCAPED);
        assertThat(Characters.lines("a\n\tb\r\033")).isEqualTo("a\n\tb\\u000D\\u001B");
    }

    @Test
    void textThatPeopleReadStaysAsItIs() {
        String text = "Bestellungen für 東京, ٣ עברית, \uD83D\uDE00 \\ '\"";

        assertThat(Characters.line(text)).isEqualTo(text);
        assertThat(Characters.lines(text)).isEqualTo(text);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("a layout", () -> SnowflakeLayout.parse(HOSTILE)),
                refusal("an epoch", () -> SnowflakeLayout.parseEpoch(HOSTILE)),
                refusal("a clock policy", () -> ClockPolicy.parse(HOSTILE)),
                refusal("a duration", () -> Durations.parse(HOSTILE)),
                refusal("a name", () -> SegmentAllocator.checkName(HOSTILE)),
                refusal("a namespace", () -> Snowflake.builder().namespace(HOSTILE)),
                refusal("a namespace in the settings", () -> open("idgen.worker.namespace")),
                refusal("a layout in the settings", () -> open("idgen.snowflake.layout")),
                refusal("a policy in the settings", () -> open("idgen.snowflake.clock-policy")),
                refusal("an assigner in the settings", () -> open("idgen.worker.assigner")),
                refusal("a number in the settings", () -> open("idgen.worker.id")),
                refusal("a strategy in the settings", () -> open("idgen.strategy")),
                refusal("a setting that does not exist", () -> open("idgen." + HOSTILE)));
    }

    private static Arguments refusal(String of, Executable call) {
        return Arguments.of(of, call);
    }

    private static void open(String setting) {
        try (IdSources sources = IdSources.builder()
                .source("orders")
                .settings(Map.of(setting, HOSTILE), "the test")
                .build()) {
            sources.get("orders").nextId();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void aRefusalQuotesItsValueWithoutHiddenCharacters(String of, Executable call) {
        RuntimeException e = assertThrows(RuntimeException.class, call);

        assertThat(e.getMessage()).contains(ESCAPED);
        assertThat(e.getMessage().chars().filter(Characters::isHidden)).isEmpty();
    }

    /** A line feed, an escape sequence, a change of the writing direction, a tag, and half of a surrogate pair. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\033[2J", "\u202E", "\uDB40\uDC41", "\uD83D", "\uDE00"})
    void aNameHasNoHiddenCharacter(String hidden) {
        assertThat(Names.check("a name", "Käufe, 東京 \uD83D\uDE00", 20)).isEqualTo("Käufe, 東京 \uD83D\uDE00");

        for (String name : List.of("a" + hidden + "b", hidden + "a", "a" + hidden)) {
            assertThatThrownBy(() -> Names.check("a name", name, 20))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("a name is 1 to 20 characters, none of them a control character");
        }
    }

    @Test
    void aReportOfAStoreEscapesNamesInRows() {
        assertThat(new Finding(Finding.Level.OK, "reserved", HOSTILE).text()).isEqualTo(ESCAPED);
    }

    @Test
    void anExceptionKeepsTheLinesOfItsMessageAndNothingElseThatIsHidden() {
        IdGenerationException e = new IdGenerationException(ErrorCode.TABLE_MISSING, "create it by\nCREATE\033[2J");

        assertThat(e).hasMessage(ErrorCode.TABLE_MISSING.code() + ": create it by\nCREATE\\u001B[2J");
    }
}
