package io.idgen.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Compares the doctor's answers to the states of a store with {@code docs/internals/doctor-states.md}. */
public final class DoctorStates {
    private static final String PAGE = "docs/internals/doctor-states.md";

    private DoctorStates() {}

    /**
     * Compares an answer with the expected one, and with that in the page.
     *
     * @param level the most urgent level of the answer
     * @param pattern a regular expression that a finding of this level matches, as {@code subject: text}
     */
    public static void check(String store, String state, List<Finding> answer, Level level, String pattern)
            throws IOException {
        List<String> texts = answer.stream()
                .filter(each -> each.level() == level)
                .map(each -> each.subject() + ": " + each.text())
                .toList();

        assertThat(texts)
                .as("%s of %s, %s", level, store, state)
                .anySatisfy(text -> assertThat(text).containsPattern(pattern));
        assertThat(Finding.worst(answer)).as("%s, %s: %s", store, state, answer).isEqualTo(level);
        String found = texts.stream()
                .filter(text -> text.matches("(?s).*(" + pattern + ").*"))
                .findFirst()
                .orElseThrow();
        assertThat(page(store, state))
                .as("%s, %s in %s", store, state, PAGE)
                .isEqualTo(level.toString().toLowerCase(Locale.ROOT) + ", `" + found.replaceFirst("(?s):.*", "") + "`");
    }

    /** Returns the answer in the page, whose table has a column for each store; empty if it has none. */
    private static String page(String store, String state) throws IOException {
        Path page = Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
                .map(folder -> folder.resolve(PAGE))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        List<List<String>> table = Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
        int column = table.get(0).indexOf(store);
        return table.stream()
                .filter(line -> line.get(0).equals(state) && line.size() > column)
                .findFirst()
                .map(line -> line.get(column))
                .orElse("");
    }
}
