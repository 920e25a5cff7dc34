package io.idgen.cli.analysis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ids that should not be in a stream: their number, and some examples.
 *
 * @param count how many there are
 * @param first the first of them, each once, at most {@value #MOST_LISTED}; unmodifiable
 */
public record Findings(long count, List<Long> first) {

    /** The largest number of listed ids: {@value}. */
    static final int MOST_LISTED = 100;

    /** Copies the list. */
    public Findings {
        first = List.copyOf(first);
    }

    /** Counts findings and keeps the first ones. */
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
