package io.idgen.cli.choose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.cli.Run;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChoiceTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            writers | processes | outage | short | strategy        | settings
            idgen   | 1         | 0s     | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc
            idgen   | 40        | 150s   | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc
            idgen   | 40        | 151s   | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc idgen.worker.window=181s
            idgen   | 40        | 10min  | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc idgen.worker.window=630s
            idgen   | 40        | 2h     | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc idgen.worker.window=7230s
            idgen   | 40        | 2d     | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc idgen.worker.window=24h
            idgen   | 512       | 0s     | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc
            idgen   | 513       | 0s     | no    | snowflake       | idgen.snowflake.layout=41-11-11 idgen.worker.assigner=jdbc
            idgen   | 65536     | 0s     | no    | snowflake       | idgen.snowflake.layout=41-16-6 idgen.worker.assigner=jdbc
            idgen   | 1         | 0s     | yes   | segment         | -
            idgen   | 9000      | 60s    | yes   | segment         | -
            idgen   | 1         | 61s    | yes   | segment         | idgen.segment.reserve=61s
            idgen   | 1         | 1h     | yes   | segment         | idgen.segment.reserve=1h
            others  | 1         | 0s     | no    | native-sequence | idgen.sources.<name>.sequence=<the sequence that the others use>
            others  | 1         | 0s     | yes   | native-sequence | idgen.sources.<name>.sequence=<the sequence that the others use>
            others  | 1         | 5min   | yes   | native-sequence | idgen.sources.<name>.sequence=<the sequence that the others use>
            others  | 1         | 60s    | no    | snowflake       | idgen.snowflake.layout=idgen idgen.worker.assigner=jdbc
            """, useHeadersInDisplayName = true)
    void theStrategyFollowsFromTheNeeds(
            String writers, int processes, String outage, String isShort, String strategy, String settings) {
        Choice choice = Choice.of(new Needs(
                writers.equals("others"),
                false,
                processes,
                Choose.duration("--outage", outage),
                isShort.equals("yes"),
                false));

        assertThat(choice.strategy()).isEqualTo(strategy);
        List<String> shown = new ArrayList<>();
        choice.settings().forEach((key, value) -> shown.add(key + "=" + value));
        assertThat(shown.remove(0)).isEqualTo("idgen.strategy=" + strategy);
        assertThat(String.join(" ", shown)).isEqualTo(settings == null ? "" : settings);
        assertThat(choice.reasons()).isNotEmpty();
        assertThat(choice.costs()).isNotEmpty();
    }

    static List<Needs> everyNeed() {
        List<Needs> all = new ArrayList<>();
        for (int bits = 0; bits < 16; bits++) {
            for (int processes : new int[] {1, 512, 513, 20_000, Needs.MOST_PROCESSES}) {
                for (Duration outage : List.of(Duration.ZERO, Duration.ofSeconds(90), Duration.ofDays(30))) {
                    all.add(new Needs(
                            (bits & 1) > 0, (bits & 2) > 0, processes, outage, (bits & 4) > 0, (bits & 8) > 0));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("everyNeed")
    void layoutsHaveAWorkerIdForEachProcess(Needs needs) {
        Choice choice = Choice.of(needs);

        if (choice.strategy().equals("snowflake")) {
            SnowflakeLayout layout = SnowflakeLayout.parse(choice.layout());
            assertThat(1L << (layout.workerBits() + layout.datacenterBits())).isGreaterThanOrEqualTo(needs.processes());
        } else {
            assertThat(choice.layout()).isEmpty();
        }
        assertThat(choice.reasons().toString().contains("PublicIds")).isEqualTo(needs.leaveTheHouse());
        assertThat(choice.reasons().toString().contains("IdCodec")).isEqualTo(needs.texts());
    }

    @Test
    void theSettingsOpenASource() {
        Choice choice = Choice.of(new Needs(false, false, 513, Duration.ofDays(1), false, false));
        IdSources.Builder builder = IdSources.builder().source("orders");
        choice.settings().forEach(builder::set);
        builder.set("idgen.worker.assigner", "single-process"); // the name of this host has no number

        try (IdSources sources = builder.build()) {
            IdSource orders = sources.get("orders");
            assertThat(orders.nextId()).isPositive();
        }
    }

    @Test
    void itsDefaultsAreThoseOfTheLibrary() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "settings.md"));

        assertThat(page)
                .contains("| `idgen.worker.window` | `" + Choice.DEFAULT_WINDOW.toSeconds() + "s` |")
                .contains("| `idgen.segment.reserve` | `" + Choice.DEFAULT_RESERVE.toSeconds() + "s` |");
    }

    @Test
    void optionsAnswerTheQuestions() {
        String printed = Run.of(
                        "choose",
                        "--writers",
                        "idgen",
                        "--ids",
                        "texts",
                        "--processes",
                        "4",
                        "--outage",
                        "5min",
                        "--short",
                        "no",
                        "--public",
                        "yes")
                .printed();

        assertThat(printed)
                .contains("Use snowflake, layout idgen:", "PublicIds", "IdCodec.BASE32")
                .contains("  idgen.strategy=snowflake\n", "  idgen.worker.window=330s\n");
    }

    @Test
    void wrongAnswersAreRefused() {
        assertThat(Run.of("choose", "--writers", "me").refusal())
                .contains("--writers must be idgen or others, got 'me'");
        assertThat(Run.of("choose", "--processes", "x").refusal()).contains("--processes must be a whole number");
        assertThat(Run.of("choose", "--outage", "5").refusal())
                .contains("--outage must be a number with s, min, h or d");
        assertThatThrownBy(() -> new Needs(false, false, 65_537, Duration.ZERO, false, false))
                .hasMessage("the number of processes must be 1 to 65536, got 65537");
        assertThatThrownBy(() -> new Needs(false, false, 1, Duration.ofDays(31), false, false))
                .hasMessageContaining("the outage must be 0s to 30d");
    }

    private static Needs asked(StringWriter shown, String typed) throws IOException {
        return new Questions(new BufferedReader(new StringReader(typed)), new PrintWriter(shown))
                .ask(null, null, "8", null, null, null);
    }

    @Test
    void aTerminalIsAskedForWhatNoOptionGives() throws IOException {
        StringWriter shown = new StringWriter();

        Needs needs = asked(shown, "others\ntext\ntexts\n90s\n\nyes\n");

        assertThat(needs).isEqualTo(new Needs(true, true, 8, Duration.ofSeconds(90), false, true));
        assertThat(shown.toString())
                .contains("The answer must be numbers or texts, got 'text'")
                .doesNotContain("How many processes");
    }

    @Test
    void withoutATerminalTheMissingOptionsAreNamed() {
        assertThatThrownBy(() -> new Questions(null, new PrintWriter(new StringWriter()))
                        .ask("idgen", null, "8", null, "no", "no"))
                .hasMessage("there is no terminal to ask in; also give --ids, --outage");
    }
}
