package io.idgen.cli;

import io.idgen.cli.analysis.IdStream;
import io.idgen.cli.analysis.IdStream.Analysis;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Analyzes a file of ids. */
@Command(
        name = "analyze",
        description =
                "Analyzes ids, one decimal number per line: their time, their workers, duplicates with the likely cause."
                        + " Exit code 1 if there are duplicates, or numbers that cannot be ids of the layout.")
final class Analyze implements Callable<Integer> {
    private static final int MOST_NAMED = 8;
    private static final int MOST_QUOTED = 40;

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Parameters(paramLabel = "<file>", description = "A file with the ids, or - for standard input.")
    private String file = "-";

    @Override
    public Integer call() {
        Analysis analysis = read(new IdStream(layout.orDefault(), idgen.clock()));
        if (analysis.ids() == 0) {
            throw none(analysis);
        }
        output.show(analysis, text(analysis));
        boolean clean = analysis.duplicates().count() == 0 && analysis.outside().count() == 0;
        return clean ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private Analysis read(IdStream ids) {
        boolean fromFile = !file.equals("-");
        // Latin-1 maps each byte to a character, so a line with anything but digits is refused in any encoding
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                fromFile ? Files.newInputStream(Path.of(file)) : idgen.in(), StandardCharsets.ISO_8859_1))) {
            long number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (!line.isBlank()) {
                    ids.add(id(line.strip(), number));
                }
            }
            return ids.analysis();
        } catch (NoSuchFileException e) {
            throw new BadInputException("there is no file " + e.getFile() + "; name a file with one id per line", e);
        } catch (IOException e) {
            throw new BadInputException(
                    "cannot read " + file + " (" + e.getMessage() + "); name a file that this user may read", e);
        }
    }

    private long id(String line, long number) {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException e) {
            throw new BadInputException(
                    name() + ", line " + number + ": one decimal id of at most 64 bits is expected, got '"
                            + (line.length() <= MOST_QUOTED ? line : line.substring(0, MOST_QUOTED) + "...")
                            + "'; remove such lines, such as a header",
                    e);
        }
    }

    private String name() {
        return file.equals("-") ? "standard input" : file;
    }

    private BadInputException none(Analysis analysis) {
        return new BadInputException(
                analysis.outside().count() == 0
                        ? name() + " contains no ids; write one per line, as SELECT id FROM orders prints them"
                        : "none of the " + analysis.outside().count() + " numbers in " + name() + ", such as "
                                + analysis.outside().first().get(0) + ", can be an id of layout "
                                + analysis.layout() + " yet; set their layout with --layout and --epoch");
    }

    private static String text(Analysis analysis) {
        return String.join(
                "\n",
                analysis.ids() + " ids of layout " + analysis.layout() + ", from " + analysis.first() + " to "
                        + analysis.last(),
                workers(analysis.workers()),
                "duplicates: " + analysis.duplicates().count()
                        + (analysis.cause().isEmpty() ? "" : ". " + analysis.cause()),
                "outside: " + analysis.outside().count()
                        + analysis.outside().first().stream()
                                .findFirst()
                                .map(", such as "::concat)
                                .orElse(""));
    }

    /** Returns how many ids the busiest workers have. */
    static String workers(Map<String, Long> idsOfWorkers) {
        int count = idsOfWorkers.size();
        return idsOfWorkers.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMED)
                .map(worker -> worker.getKey() + " " + worker.getValue())
                .collect(Collectors.joining(", ", count + " workers: ", count > MOST_NAMED ? ", ..." : ""));
    }
}
