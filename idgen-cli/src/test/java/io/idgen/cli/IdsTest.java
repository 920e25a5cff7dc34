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

/** Ids made, converted and measured, and layouts in figures. */
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
    void generatedIdsAsJsonAreStringsInAnyForm() {
        assertThat(Run.of("generate", "--worker", "1", "-n", "2", "--format", "base32", "--json")
                        .printed())
                .matches("\\[\"[0-9A-Z]{13}\",\"[0-9A-Z]{13}\"]\\s*");
    }

    @Test
    void aWorkerIdHasToBeSaidAndToFit() {
        assertThat(Run.of("generate").refusal()).contains("Missing required option: '--worker=<id>'");
        assertThat(Run.of("generate", "--worker", "32").refusal()).contains("does not fit in 5 bits (0..31)");
        assertThat(Run.of("generate", "--worker", "1", "-n", "0").refusal()).contains("--count must be 1 to 1000000");
        assertThat(Run.of("generate", "--worker", "x").refusal()).contains("--worker");
        assertThat(Run.of("generate", "--worker", "1", "--epoch", "2100-01-01T00:00:00Z")
                        .refusal())
                .contains("is in the future");
    }

    @Test
    void anIdIsConvertedToOneFormOrToAll() {
        assertThat(Run.of("convert", "225912364091068416", "--to", "base32").printed())
                .isEqualToIgnoringNewLines("068MT34J08M00");
        assertThat(Run.of("convert", "068MT34J08M004", "--from", "base32-checked", "--json")
                        .printed())
                .isEqualToIgnoringNewLines(
                        "{\"decimal\":\"225912364091068416\",\"hex\":\"03229A1924045000\","
                                + "\"base32\":\"068MT34J08M00\",\"base32-checked\":\"068MT34J08M004\",\"base62\":\"0GggDr9nEwK\"}");
        assertThat(Run.of("convert", "1", "2", "--to", "hex").printed().lines())
                .containsExactly("0000000000000001", "0000000000000002");
        assertThat(Run.of("convert", "1", "--to", "octal").refusal())
                .contains("a text form must be one of decimal, hex");
        assertThat(Run.of("convert", "-1").refusal()).contains("never negative");
    }

    @Test
    void aLayoutIsToldInFigures() {
        assertThat(Run.of("layout", "--layout", "twitter", "--json").printed())
                .contains("\"end\":\"2080-07-10T17:30:30.208Z\"", "\"workers\":1024", "\"fitsJavaScript\":false");
        assertThat(Run.of("layout", "--layout", "js-safe").printed()).contains("JavaScript's numbers can hold");
        assertThat(Run.of("layout").printed().lines()).hasSize(8);
    }

    @Test
    void aLayoutIsFoundForNeedsOrSaidNotToExist() {
        assertThat(Run.of("layout", "--years", "30", "--workers", "200", "--rate", "5000")
                        .printed())
                .contains("workers  256", "8,000 per worker and second");
        assertThat(Run.of("layout", "--years", "300", "--workers", "200000000", "--rate", "5000")
                        .refusal())
                .contains("no layout carries", "ask for fewer workers");
        assertThat(Run.of("layout", "--years", "30").refusal()).contains("--workers=<n>");
    }

    private Path file(Iterable<String> lines) throws IOException {
        return Files.write(folder.resolve("ids.txt"), lines);
    }

    private static List<String> ids(long count) {
        // one worker's first ids of twitter's tick 1,000, then another's
        return LongStream.range(0, count)
                .mapToObj(i -> Long.toString((1000L << 22) + (i % 2 << 12) + i / 2))
                .collect(Collectors.toList());
    }

    @Test
    void aFileOfIdsIsMeasured() throws IOException {
        Path file = file(ids(1000));

        assertThat(Run.at(NOW, "analyze", file.toString(), "--layout", "twitter")
                        .printed())
                .contains("1000 ids", "workers: 2: (0,0) 500, (0,1) 500", "duplicates: 0", "evenness:")
                .containsPattern("\\(0,1\\) \\|@\\| 500 ids, ticks filled to 12.2 %");
        assertThat(Run.at(NOW, "analyze", file.toString(), "--layout", "twitter", "--json")
                        .printed())
                .contains("\"layout\":\"twitter\",\"ids\":1000", "\"bucketMillis\":1,\"ids\":[1000]");
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
                .contains("ids.txt, line 3", "got 'x'");
        assertThat(Run.at(
                                NOW,
                                "analyze",
                                file(Collections.nCopies(5, "9123372036854775807"))
                                        .toString())
                        .refusal())
                .contains("none of the 5 numbers", "--layout and --epoch");
    }
}
