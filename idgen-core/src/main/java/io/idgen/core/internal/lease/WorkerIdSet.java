package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of worker ids, written as numbers and ranges: {@code 0-3,7}. */
public record WorkerIdSet(String text, BitSet ids) {
    public static final WorkerIdSet EMPTY = new WorkerIdSet("", new BitSet());

    /**
     * Parses a set.
     *
     * @throws IllegalArgumentException if a part is neither a number nor an ascending range
     */
    public static WorkerIdSet parse(String text) {
        Pattern range = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");
        BitSet ids = new BitSet();
        for (String part : text.strip().split(",", -1)) {
            Matcher matcher = range.matcher(part);
            int first = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 1;
            int last = !matcher.matches() ? 0 : matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (last < first) {
                throw new IllegalArgumentException(
                        "comma-separated worker ids and ascending ranges are expected, for example 0-3,7, got '" + text
                                + "'");
            }
            ids.set(first, last + 1);
        }
        return new WorkerIdSet(text.strip(), ids);
    }

    public boolean contains(int worker) {
        return ids.get(worker);
    }

    /** Returns the largest worker id, or 0 if the set is empty. */
    public int largest() {
        return Math.max(0, ids.length() - 1);
    }

    /** Returns the worker ids of a range whose worker is in this set, in any datacenter. */
    public Set<Integer> workerIds(SnowflakeLayout layout, int firstWorkerId, int workers) {
        Set<Integer> found = new HashSet<>();
        for (int workerId = firstWorkerId; workerId < firstWorkerId + workers; workerId++) {
            if (contains(WorkerKey.of("", layout, workerId).worker())) {
                found.add(workerId);
            }
        }
        return found;
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return text;
    }
}
