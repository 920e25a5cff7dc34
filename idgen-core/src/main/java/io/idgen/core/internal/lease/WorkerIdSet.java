package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A set of worker ids, written as numbers and ranges: {@code 0-3,7}. */
public record WorkerIdSet(List<Range> ranges) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    public static final WorkerIdSet EMPTY = new WorkerIdSet(List.of());

    /** The worker ids from the first to the last, both included. */
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
     * Parses a set.
     *
     * @throws IllegalArgumentException if a part is neither a number nor an ascending range
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
                "comma-separated worker ids and ascending ranges are expected, for example 0-3,7, got '" + text + "'");
    }

    public boolean contains(int worker) {
        return ranges.stream().anyMatch(range -> range.first <= worker && worker <= range.last);
    }

    /** Returns the largest worker id, or 0 if the set is empty. */
    public int largest() {
        int largest = 0;
        for (Range range : ranges) {
            largest = Math.max(largest, range.last);
        }
        return largest;
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
        return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
    }
}
