package io.idgen.core.inspect;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ids that should not be in the stream: how many, and some of them to look at.
 *
 * @param count how many there are
 * @param first the first of them, each once, {@value #MOST_LISTED} at most; cannot be changed
 */
public record Findings(long count, List<Long> first) {

    /** How many ids are listed at most: {@value}. */
    public static final int MOST_LISTED = 100;

    /** Keeps a copy of the list. */
    public Findings {
        first = List.copyOf(first);
    }

    /** Counts findings and remembers the first. */
    static final class Builder {
        private final Set<Long> first = new LinkedHashSet<>();
        private long count;

        void add(long id) {
            count++;
            if (first.size() < MOST_LISTED) {
                first.add(id);
            }
        }

        Findings build() {
            return new Findings(count, List.copyOf(first));
        }
    }
}
