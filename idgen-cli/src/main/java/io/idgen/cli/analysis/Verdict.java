package io.idgen.cli.analysis;

import io.idgen.text.InspectedId;
import java.util.List;

/** The result of a comparison of ids: how they differ, or why they are equal. */
public sealed interface Verdict permits Duplicates, Difference {

    /**
     * Returns the verdict as text, with its reasons and what to check next.
     *
     * @return English sentences, with times in UTC
     */
    String text();

    /**
     * Compares two ids of one layout.
     *
     * @return {@link Duplicates} if the ids are equal, else their {@link Difference}
     * @throws IllegalArgumentException if the layout cannot have these ids
     */
    static Verdict of(InspectedId one, InspectedId other) {
        return one.equals(other) ? new Duplicates(List.of(one)) : new Difference(one, other);
    }
}
