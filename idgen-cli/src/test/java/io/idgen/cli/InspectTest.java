package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import java.util.List;
import org.junit.jupiter.api.Test;

class InspectTest {
    private static final String NOW = "2026-11-21T00:00:00Z";
    private static final String ARTICLE = "225912364091068416";
    private static final String ARTICLE_EPOCH = "2016-01-01T00:00:00Z";

    private static Run inspect(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "inspect";
        System.arraycopy(args, 0, all, 1, args.length);
        return Run.at(NOW, all);
    }

    @Test
    void oneIdUnderALayoutIsOneObject() {
        assertThat(inspect(ARTICLE, "--layout", "41-5-5-12", "--epoch", ARTICLE_EPOCH, "--json")
                        .printed())
                .isEqualToIgnoringNewLines(
                        "{\"id\":\"225912364091068416\",\"layout\":\"41-5-5-12 from 2016-01-01T00:00:00Z\","
                                + "\"instant\":\"2017-09-15T09:35:04.848Z\",\"datacenter\":2,\"worker\":5,\"sequence\":0,"
                                + "\"plausible\":true}");
        assertThat(inspect(ARTICLE, "--epoch", ARTICLE_EPOCH).printed())
                .contains("2017-09-15 09:35:04.848, #0, @(2,5), UTC", "03229A1924045000", "`- sequence, 12 bits: 0");
    }

    @Test
    void equalIdsAreExplained() {
        Run equal = inspect(ARTICLE, "175928847299117063", ARTICLE);

        assertThat(equal.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(equal.err()).contains("if their layout is idgen: Id " + ARTICLE + " of 2025-09-15T09:35:04.848Z");
    }

    @Test
    void severalIdsAreAnArray() {
        assertThat(inspect("1", "2", "--layout", "twitter", "--json").printed())
                .startsWith("[{\"id\":\"1\"")
                .contains("{\"id\":\"2\"");
        assertThat(inspect(ARTICLE, "175928847299117063").printed())
                .startsWith(ARTICLE)
                .contains("\n\n175928847299117063 can be an id of");
    }

    @Test
    void anIdThatEndsAsJavaScriptRoundsItIsPointedOut() {
        Run rounded = inspect("225912364091068400"); // node -p 225912364091068416

        assertThat(rounded.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(rounded.err())
                .startsWith("225912364091068400 ends as JavaScript or a spreadsheet rounds it")
                .contains("from 225912364091067376 to 225912364091069424", "send ids as strings");
        // node -p '[175928847299117063, 264905529753604321, 9123372036854775807].join(" ")'
        for (String id : List.of("175928847299117060", "264905529753604320", "9123372036854776000")) {
            assertThat(inspect(id).err()).contains("ends as JavaScript");
        }
        assertThat(inspect(ARTICLE).err()).as("control: the true id").isEmpty();
        assertThat(inspect("9007199254740990").err())
                .as("control: exact in JavaScript")
                .isEmpty();
    }

    @Test
    void withoutALayoutThereIsOneEntryForEachPlausiblePreset() {
        assertThat(inspect(ARTICLE, "--json").printed())
                .startsWith("[")
                .contains("\"layout\":\"idgen\"", "\"layout\":\"twitter\"", "\"layout\":\"tsid\"")
                .doesNotContain("js-safe");
        assertThat(inspect("0x03229A1924045000").printed())
                .contains("225912364091068416 can be an id of")
                .contains("  twitter    2012-07-19 11:17:59.505, #0, @(2,5), UTC");
    }

    @Test
    void aBadIdIsOneLineThatSaysWhatToDo() {
        assertThat(inspect("-5").refusal()).contains("an id is never negative, got -5");
        assertThat(inspect("99999999999999999999").refusal())
                .contains("'99999999999999999999' is not an id in decimal", "1 to 19 characters, got 20");
        assertThat(inspect("9223372036854775808").refusal()).contains("too large for an id");
        assertThat(inspect("03229A1924045000").refusal()).contains("in hex with 0x");
        assertThat(inspect("--nonsense", "5").refusal()).contains("Unknown option: '--nonsense'");
        assertThat(inspect("--layuot", "idgen", "5").refusal()).contains("did you mean --layout");
        assertThat(inspect().refusal()).contains("no ids; give them as arguments");
    }

    @Test
    void anIdOfTheFutureIsDecodedAndMarked() {
        Run run = inspect("9123372036854775807", "--layout", "idgen");
        Run json = inspect("9123372036854775807", "--layout", "idgen", "--json");

        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out()).contains("2092-12-04 17:03:17.641", "not plausible: no id can have this time yet");
        assertThat(json.out()).contains("\"instant\":\"2092-12-04T17:03:17.641Z\"", "\"plausible\":false");
    }

    @Test
    void anIdOfNoPlausiblePresetIsDecodedUnderAllOfThem() {
        Run run = inspect("9223372036854775807");

        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out())
                .contains("9223372036854775807 lies in the future for every preset:\n  idgen      2093-09-06")
                .contains("--layout, --epoch")
                .doesNotContain("js-safe");
    }

    @Test
    void aBadLayoutOrEpochIsRefused() {
        assertThat(inspect(ARTICLE, "--layout", "twiter").refusal()).contains("a layout is one of", "got 'twiter'");
        assertThat(inspect(ARTICLE, "--layout", "41-5-5-11").refusal()).contains("sum to 62", "give 1 more");
        assertThat(inspect(ARTICLE, "--epoch", "2016-01-01").refusal()).contains("an instant with its zone");
    }
}
