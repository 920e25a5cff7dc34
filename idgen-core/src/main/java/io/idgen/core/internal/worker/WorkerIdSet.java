package io.idgen.core.internal.worker;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Worker ids, written as numbers and ranges: {@code 0-3,7}. */
public record WorkerIdSet(List<Range> ranges) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    public static final WorkerIdSet EMPTY = new WorkerIdSet(List.of());

    /** All worker ids from the first to the last, both included. */
    record Range(int first, int last) {
        @Override
        public String toString() {
            return first == last ? String.valueOf(first) : first + "-" + last;
        }
    }

    public WorkerIdSet {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads a set.
     *
     * @throws IllegalArgumentException if a part is neither a number nor a range whose first number is at most its last
     */
    public static WorkerIdSet parse(String text) {
        List<Range> ranges = new ArrayList<>();
        for (String part : text.strip().split(",", -1)) {
            Matcher matcher = RANGE.matcher(part);
            if (!matcher.matches()) {
                throw unreadable(text);
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (last < first) {
                throw unreadable(text);
            }
            ranges.add(new Range(first, last));
        }
        return new WorkerIdSet(ranges);
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "worker ids and rising ranges of them with commas between are expected, like 0-3,7, got '" + text
                        + "'");
    }

    public boolean contains(int worker) {
        return ranges.stream().anyMatch(range -> range.first <= worker && worker <= range.last);
    }

    /** The largest, or 0 if there is none. */
    public int largest() {
        return ranges.stream().mapToInt(Range::last).max().orElse(0);
    }

    /** Those of a range that are in this set, in whatever datacenter. */
    public Set<Integer> workerIds(SnowflakeLayout layout, int firstWorkerId, int workers) {
        Set<Integer> found = new HashSet<>();
        for (int workerId = firstWorkerId; workerId < firstWorkerId + workers; workerId++) {
            if (contains(FixedWorkers.Key.of("", layout, workerId).worker())) {
                found.add(workerId);
            }
        }
        return found;
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
    }
}
