package io.idgen.proof.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command writes its pages. */
public final class Results {
    @Option(names = "--results", description = "A folder for the page of each run.")
    private @Nullable Path folder;

    /**
     * Prints a page, and writes it to the folder if there is one.
     *
     * @param name the name of its file, without the ending
     * @param page the text
     * @throws IOException if the file cannot be written
     */
    public void write(String name, String page) throws IOException {
        System.out.println(page);
        if (folder != null) {
            Files.writeString(folder.resolve(name + ".md"), page);
        }
    }

    /**
     * Begins a page.
     *
     * @param title its title
     * @param command what repeats the run, with its options
     * @param conditions more about the machine and the servers, with a separator before it; may be empty
     * @return the title, and a paragraph with the command, the date and the machine
     */
    public static StringBuilder page(String title, String command, String conditions) {
        return new StringBuilder("# %s\n\nWritten by `%s` on %s.\nMachine: %s, %d cores; %s %s%s.\n\n"
                .formatted(
                        title,
                        command,
                        LocalDate.now(ZoneOffset.UTC),
                        Machine.processor(),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.vm.version"),
                        conditions));
    }
}
