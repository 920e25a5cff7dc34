package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands that generate, convert and analyze ids, and those for layouts. */
class IdsTest {
    private static final String NOW = "2026-11-21T00:00:00Z";

    @TempDir
    private Path folder;

    @Test
    void generatedIdsAreOfTheWorkerAndInspectReadsThem() {
        List<String> ids = Run.of("generate", "--layout", "twitter", "--datacenter", "2", "--worker", "5", "-n", "3")
                .printed()
                .lines()
                .toList();

        assertThat(ids).hasSize(3).doesNotHaveDuplicates().isSorted();
        assertThat(Run.of("inspect", ids.get(0), "--layout", "twitter", "--json")
                        .printed())
                .contains("\"datacenter\":2,\"worker\":5");
    }

    @Test
    void theFirstIdsOfATimeAreAsThePageHasThem() {
        String[] article = {
            "generate",
            "--layout",
            "41-5-5-12",
            "--epoch",
            "2016-01-01T00:00:00Z",
            "--datacenter",
            "2",
            "--worker",
            "5",
            "--at",
            "2017-09-15T17:35:04.848+08:00",
            "-n",
            "2"
        };

        assertThat(Run.of(article).printed().lines()).containsExactly("225912364091068416", "225912364091068417");
        assertThat(Run.of("generate", "--worker", "1", "--at", "1704067200000").printed())
                .isEqualToIgnoringNewLines("4096");
        assertThat(Run.of("generate", "--worker", "1", "--at", "2026-01-01").refusal())
                .contains("an instant with its zone");
        assertThat(Run.of("generate", "--worker", "1", "--at", "2020-01-01T00:00:00Z")
                        .refusal())
                .contains("outside the layout");
        assertThat(Run.of("generate", "--worker", "1", "--at", "2026-01-01T00:00:00Z", "-n", "4097")
                        .refusal())
                .contains("has 4096 ids of one worker, got 4097");
    }

    @Test
    void aWorkerIdHasToBeSaidAndToFit() {
        assertThat(Run.of("generate").refusal()).contains("with --worker", "a store that leases one: --url");
        assertThat(Run.of("generate", "--at", "2026-01-01T00:00:00Z").refusal()).contains("--at needs --worker");
        assertThat(Run.of("generate", "--worker", "1", "-n", "2", "--json").printed())
                .matches("\\[\"\\d+\",\"\\d+\"]\\s*");
        assertThat(Run.of("generate", "--worker", "32").refusal()).contains("does not fit in 5 bits (0..31)");
        assertThat(Run.of("generate", "--worker", "1", "-n", "0").refusal()).contains("--count must be 1 to 1000000");
        assertThat(Run.of("generate", "--worker", "x").refusal()).contains("--worker");
        assertThat(Run.of("generate", "--worker", "1", "--epoch", "2100-01-01T00:00:00Z")
                        .refusal())
                .contains("is in the future");
    }

    @Test
    void aLayoutIsPrintedInFigures() {
        assertThat(Run.of("layout", "--layout", "twitter", "--json").printed())
                .contains("\"end\":\"2080-07-10T17:30:30.208Z\"", "\"workers\":1024", "\"fitsJavaScript\":false");
        assertThat(Run.of("layout", "--layout", "js-safe").printed()).contains("JavaScript's numbers can hold");
        assertThat(Run.of("layout").printed().lines()).hasSize(8);
    }

    @Test
    void aLayoutIsFoundForNeeds() {
        assertThat(Run.at(NOW, "layout", "--years", "30", "--workers", "200", "--rate", "5000")
                        .printed())
                .as("40 bits of time, 8 of workers and 3 of sequence are needed, and 12 are spare")
                .contains("layout   40-0-14-9 from 2024-01-01T00:00:00Z", "to 2058-11-03", "34 years")
                .contains("workers  16,384", "512,000 per worker and second");
        assertThat(Run.of("layout", "--years", "30").refusal()).contains("--workers=<n>");
    }

    private Path file(Iterable<String> lines) throws IOException {
        return Files.write(folder.resolve("ids.txt"), lines);
    }

    private static List<String> ids(long count) {
        // the first ids of twitter's tick 1,000, from two workers in turn
        return LongStream.range(0, count)
                .mapToObj(i -> Long.toString((1000L << 22) + (i % 2 << 12) + i / 2))
                .collect(Collectors.toList());
    }

    @Test
    void aFileOfIdsIsMeasured() throws IOException {
        Path file = file(ids(1000));

        assertThat(Run.at(NOW, "analyze", file.toString(), "--layout", "twitter")
                        .printed())
                .contains("1000 ids", "2 workers: (0,0) 500, (0,1) 500", "duplicates: 0");
        assertThat(Run.at(NOW, "analyze", file.toString(), "--layout", "twitter", "--json")
                        .printed())
                .contains("\"layout\":\"twitter\",\"ids\":1000", "\"workers\":{\"(0,0)\":500,\"(0,1)\":500}");
    }

    @Test
    void duplicatesAndNumbersThatAreNoIdsExitWithOne() throws IOException {
        List<String> ids = ids(10);
        ids.add(ids.get(9));
        Run run = Run.at(NOW, "analyze", file(ids).toString(), "--layout", "twitter");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out()).contains("duplicates: 1");

        ids.set(10, "-7");
        run = Run.at(NOW, "analyze", file(ids).toString(), "--layout", "twitter");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out()).contains("outside: 1, such as -7");
    }

    @Test
    void aFileThatHasNoIdsIsRefused() throws IOException {
        assertThat(Run.at(NOW, "analyze", folder + "/none.txt").refusal()).contains("there is no file");
        assertThat(Run.at(NOW, "analyze", folder.toString()).refusal()).contains("cannot read " + folder);
        assertThat(Run.at(NOW, "analyze", file(List.of()).toString()).refusal()).contains("contains no ids");
        assertThat(Run.at(NOW, "analyze", file(List.of("1", "", "x")).toString())
                        .refusal())
                .contains("ids.txt, line 3", "got 'x'; remove such lines");
        assertThat(Run.at(
                                NOW,
                                "analyze",
                                file(Collections.nCopies(5, "9123372036854775807"))
                                        .toString())
                        .refusal())
                .contains("none of the 5 numbers", "--layout and --epoch");
    }
}
