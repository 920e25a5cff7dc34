package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.lease.RowHistory.Change;
import io.idgen.core.lease.LeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the traces that real processes have written, by the protocol as it ships, and the history of their rows. */
public final class TraceFiles {
    private static final Pattern LINE = Pattern.compile(LeaseTraceFile.COMPLETE + "(\\d+) (.*)");

    /** The system property with the folder to which a process writes its traces. */
    public static final String FOLDER = LeaseTraceFile.FOLDER;

    private final List<TraceReplay> replays = new ArrayList<>();
    private final Map<Notice, Integer> notices = new EnumMap<>(Notice.class);
    private long entries;
    private boolean complete = true;

    /**
     * Reads and replays all traces of a namespace.
     *
     * @param folder the folder to which the processes wrote
     * @param terms the terms of all processes
     * @param timing their times
     */
    public TraceFiles(Path folder, LeaseStore.Terms terms, LeasedWorker.Timing timing) {
        LeaseProtocol protocol = new LeaseProtocol(terms, timing.renew(), timing.keepHorizon(), timing.replicaLag());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith(terms.namespace() + "-"))
                    .sorted()
                    .toList()) {
                List<Object> trace = read(file);
                entries += trace.size();
                trace.stream()
                        .filter(LeaseStep.class::isInstance)
                        .forEach(step -> notices.merge(((LeaseStep) step).notice(), 1, Integer::sum));
                replays.add(new TraceReplay(file.getFileName().toString(), protocol, trace));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the entries of a file from the last one that was lost on. */
    private List<Object> read(Path file) throws IOException {
        List<Object> trace = new ArrayList<>();
        Map<Long, String> byNumber = new TreeMap<>();
        for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\n")) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                byNumber.put(Long.valueOf(matcher.group(1)), matcher.group(2));
            }
        }
        long next = 1;
        for (Map.Entry<Long, String> each : byNumber.entrySet()) {
            if (each.getKey() != next) {
                trace.clear();
                complete = false;
            }
            trace.add(RecordText.parse(each.getValue()));
            next = each.getKey() + 1;
        }
        return trace;
    }

    /** Returns the number of traces. */
    public int count() {
        return replays.size();
    }

    /** Returns the number of entries in all traces. */
    public long entries() {
        return entries;
    }

    /** Returns whether no trace has lost its beginning. */
    public boolean isComplete() {
        return complete;
    }

    /** Returns how many leases were lost because another process took the row. */
    public int rowsTaken() {
        return notices.getOrDefault(Notice.ROW_TAKEN, 0);
    }

    /** Returns how many leases were lost because another server answered. */
    public int otherServers() {
        return notices.getOrDefault(Notice.OTHER_SERVER, 0);
    }

    /** Returns how many extensions took effect although their answers were lost. */
    public int extendedUnseen() {
        return notices.getOrDefault(Notice.EXTENDED_UNSEEN, 0);
    }

    /** Returns how many processes stopped because a copy of them seemed to run. */
    public int copied() {
        return notices.getOrDefault(Notice.COPIED, 0);
    }

    /** Returns the first step that the protocol does not allow. */
    public Optional<String> forbiddenStep() {
        return replays.stream().flatMap(replay -> replay.forbidden().stream()).findFirst();
    }

    /** Returns the first change of a row that no statement of a process explains. */
    public Optional<String> forbiddenChange(List<Change> history) {
        return new RowHistory(history)
                .forbidden(replays.stream()
                        .flatMap(replay -> replay.sent().stream())
                        .toList());
    }

    /** Returns the first grant to a process that the history does not have. A takeover may have lost it. */
    public Optional<String> missingChange(List<Change> history) {
        return new RowHistory(history)
                .missing(replays.stream()
                        .flatMap(replay -> replay.granted().stream())
                        .toList());
    }
}
