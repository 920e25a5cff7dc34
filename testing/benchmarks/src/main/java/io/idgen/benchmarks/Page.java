package io.idgen.benchmarks;

import io.idgen.cli.measure.MachineDescription;
import io.idgen.cli.measure.MachineLoad;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The output of a table. Prints each part to the terminal, and writes the whole table into a page between {@code <!--
 * table:NAME -->} and {@code <!-- /table -->}, if a page is given. Each table states the machine, the date, and the
 * load of other processes.
 */
public final class Page {
    private static final String BEGIN = "<!-- table:";
    private static final String END = "<!-- /table -->";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "also writes the table into this page, replacing the one of the same name")
    private @Nullable Path file;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    private final List<String> lines = new ArrayList<>();
    private String name = "";
    private MachineLoad load = new MachineLoad();

    /** Called by picocli. */
    public Page() {}

    /**
     * Starts a table. Checks the page before anything is measured.
     *
     * @param table the name of the table, which begins with the name of its command
     * @throws ParameterException if the page cannot be read or written, or has no place for this table
     */
    public void begin(String table) {
        name = table;
        if (file != null) {
            try {
                replaced(Files.readString(file), name, "");
            } catch (IOException e) {
                throw refused(file + " cannot be read; name a page with a place for the table: " + e);
            } catch (IllegalArgumentException e) {
                throw refused(file + ": " + e.getMessage());
            }
            if (!Files.isWritable(file)) {
                throw refused(file + " cannot be written");
            }
        }
        load = new MachineLoad();
    }

    private ParameterException refused(String reason) {
        return new ParameterException(commandLine(), "--out " + reason);
    }

    /**
     * Sets the server that takes part, whose work does not count as other load.
     *
     * @param server its process; empty if it is this process or on another machine
     */
    public void servedBy(Optional<ProcessHandle> server) {
        load = new MachineLoad(server);
    }

    /**
     * Prints a part of the table.
     *
     * @param part lines of Markdown
     */
    public void print(List<String> part) {
        PrintWriter out = commandLine().getOut();
        part.forEach(out::println);
        out.flush();
        lines.addAll(part);
    }

    /** Ends the table, and writes it into the page. */
    public void end() {
        print(List.of(
                "",
                "Measured on " + LocalDate.now(ZoneOffset.UTC) + " on " + MachineDescription.text() + ", " + load.told()
                        + "."));
        if (file != null) {
            try {
                Files.writeString(file, replaced(Files.readString(file), name, String.join("\n", lines)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private CommandLine commandLine() {
        return Objects.requireNonNull(spec, "a command's").commandLine();
    }

    /** Returns the page with the table of this name replaced. */
    static String replaced(String page, String name, String table) {
        String old = table(page, name);
        int from = page.indexOf(beginOf(name)) + beginOf(name).length();
        return page.substring(0, from) + "\n" + table + "\n" + page.substring(from + old.length());
    }

    /** Returns the table of this name. */
    static String table(String page, String name) {
        String begin = beginOf(name);
        int from = page.indexOf(begin) + begin.length();
        int to = from < begin.length() ? -1 : page.indexOf(END, from);
        if (to < 0 || page.substring(from, to).contains(BEGIN)) {
            throw new IllegalArgumentException(
                    "the page has no lines " + begin + " and " + END + " after it; add them where the table belongs");
        }
        return page.substring(from, to);
    }

    private static String beginOf(String name) {
        return BEGIN + name + " -->";
    }
}
