package io.idgen.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Where a table goes: to the terminal, and into a page between {@code <!-- table:NAME -->} and {@code <!-- /table -->} if
 * there is one. Each table says on which machine it was measured, when, and what else the machine did meanwhile.
 */
public final class Page {
    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "also puts the table into this page, in place of the one of its name")
    private @Nullable Path file;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    private final MachineLoad load = new MachineLoad();

    /** A page for the terminal alone. */
    public Page() {}

    /**
     * Prints a table.
     *
     * @param name the table's, as its command's
     * @param lines of Markdown
     */
    public void print(String name, List<String> lines) {
        List<String> all = new ArrayList<>(lines);
        all.add("");
        all.add("Measured on " + LocalDate.now(ZoneOffset.UTC) + " on " + Machine.text() + ", " + load.told() + ".");
        String text = String.join("\n", all) + "\n";
        PrintWriter out = spec == null
                ? new PrintWriter(System.out, true, java.nio.charset.StandardCharsets.UTF_8)
                : spec.commandLine().getOut();
        out.println();
        out.println(text);
        out.flush();
        if (file != null) {
            try {
                Files.writeString(file, replaced(Files.readString(file), name, text));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The page with the table of this name replaced. */
    static String replaced(String page, String name, String table) {
        String begin = "<!-- table:" + name + " -->";
        String end = "<!-- /table -->";
        int from = page.indexOf(begin);
        int to = from < 0 ? -1 : page.indexOf(end, from);
        if (to < 0) {
            throw new IllegalArgumentException("the page has no lines " + begin + " and " + end + "; add them");
        }
        return page.substring(0, from + begin.length()) + "\n" + table + page.substring(to);
    }
}
