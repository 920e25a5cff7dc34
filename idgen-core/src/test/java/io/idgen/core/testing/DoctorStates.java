package io.idgen.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.util.List;

/** Checks the doctor's answers to the states of a store. */
public final class DoctorStates {
    private DoctorStates() {}

    /**
     * Compares an answer with the expected one.
     *
     * @param level the most urgent level of the answer
     * @param pattern a regular expression that a finding of this level matches, as {@code subject: text}
     */
    public static void check(String store, String state, List<Finding> answer, Level level, String pattern) {
        List<String> texts = answer.stream()
                .filter(each -> each.level() == level)
                .map(each -> each.subject() + ": " + each.text())
                .toList();

        assertThat(texts)
                .as("%s of %s, %s", level, store, state)
                .anySatisfy(text -> assertThat(text).containsPattern(pattern));
        assertThat(Finding.worst(answer)).as("%s, %s: %s", store, state, answer).isEqualTo(level);
    }
}
