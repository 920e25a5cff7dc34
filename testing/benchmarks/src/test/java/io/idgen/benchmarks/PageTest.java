package io.idgen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.benchmarks.memory.MemoryTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class PageTest {
    private static final String TWO_TABLES = """
            before
            <!-- table:one -->
            old
            <!-- /table -->
            between
            <!-- table:two -->
            older
            <!-- /table -->
            after
            """;

    @TempDir
    private Path folder;

    /** Prints a table with two parts. */
    @Command(name = "two")
    private static final class TwoParts implements Runnable {
        @Mixin
        private Page page = new Page();

        private boolean isMeasured;

        @Override
        public void run() {
            page.begin("two");
            isMeasured = true;
            page.print(List.of("first part"));
            page.print(List.of("second part"));
            page.end();
        }
    }

    private final TwoParts command = new TwoParts();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Path page) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--out", page.toString());
    }

    @Test
    void onlyTheTableOfTheNameIsReplaced() {
        assertThat(Page.replaced(TWO_TABLES, "two", "new")).isEqualTo(TWO_TABLES.replace("older", "new"));
        assertThat(Page.replaced(TWO_TABLES, "one", "new")).isEqualTo(TWO_TABLES.replace("old\n", "new\n"));
    }

    @Test
    void aPageWithoutThePlaceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Page.replaced(TWO_TABLES, "three", "new"))
                .withMessageContaining("<!-- table:three -->");
    }

    @Test
    void theEndOfAnotherTableIsNotThatOfThisOne() {
        String page = TWO_TABLES.replaceFirst("<!-- /table -->", "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Page.replaced(page, "one", "new"))
                .withMessageContaining("<!-- /table -->");
    }

    @Test
    void allPartsAreInThePageAndOnceOnTheTerminal() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), TWO_TABLES);

        assertThat(run(page)).as(err::toString).isZero();

        String table = out.toString().replace(System.lineSeparator(), "\n");
        assertThat(table).containsOnlyOnce("first part\nsecond part\n").contains("\n\nMeasured on ");
        assertThat(page).hasContent(TWO_TABLES.replace("older\n", table));
    }

    @Test
    void aWrongPageIsRefusedBeforeAnythingIsMeasured() throws IOException {
        Path none = folder.resolve("none.md");
        assertThat(run(none)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--out " + none + " cannot be read");

        Path other = Files.writeString(folder.resolve("other.md"), TWO_TABLES.replace("table:two", "table:three"));
        assertThat(run(other)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--out " + other + ": the page has no lines <!-- table:two -->");

        assertThat(command.isMeasured).isFalse();
    }

    @Test
    void thePageOfTheDocumentationHasAPlaceForEachTable() throws IOException {
        String page = Files.readString(Path.of("../docs/internals/performance-tables.md"));
        Set<String> names = new TreeSet<>(
                new CommandLine(MemoryTables.class).getSubcommands().keySet());
        names.remove("uniqueness"); // printed below each of the others
        names.addAll(List.of("sql-ids", "read-ahead", "first-id", "sources", "boot"));
        for (String database : List.of("h2", "postgresql", "mariadb")) {
            names.add("inserts-" + database);
            names.add("index-" + database);
        }

        assertThat(names)
                .allSatisfy(name ->
                        assertThatCode(() -> Page.replaced(page, name, "")).doesNotThrowAnyException());
    }
}
