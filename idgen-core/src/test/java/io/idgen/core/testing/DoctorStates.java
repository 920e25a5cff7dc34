package io.idgen.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The table of states of a store and what the doctor answers, which tests write to {@code target/doctor-states.md}. */
public final class DoctorStates {
    private static final Path FILE = Path.of("target", "doctor-states.md");

    private DoctorStates() {}

    /**
     * Compares an answer with the expected one, and adds it to the table.
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
        Files.writeString(
                FILE,
                "| "
                        + String.join(
                                " | ",
                                store,
                                state,
                                level.toString().toLowerCase(java.util.Locale.ROOT),
                                found.replace("|", "\\|"))
                        + " |\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
