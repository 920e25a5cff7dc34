package io.idgen.proof;

import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Controls an {@link IdProcess} and its network, and reads its ids, even after it was killed. */
final class Client {
    private static final int MOST_IDS = 4_000_000;

    final FaultProxy network;
    final ChildJvm process;
    final SteppedClock clock;
    private final Path log;
    private final Map<Source, IdLog> ids = new EnumMap<>(Source.class);
    private final long startNanos = System.nanoTime();
    private long endNanos; // 0 until it ends

    private Client(FaultProxy network, int processes, Path folder) throws IOException {
        Path file = folder.resolve("clock");
        this.network = network;
        this.log = folder.resolve(IdProcess.LOG);
        this.clock = new SteppedClock(file);
        for (Source source : Source.on(network.url())) {
            ids.put(source, log(folder, source));
        }
        this.process = ChildJvm.start(
                List.of("env", SteppedClock.VARIABLE + "=" + file),
                System.getProperty("java.class.path"),
                IdProcess.class,
                List.of(),
                List.of(network.url(), folder.toString(), String.valueOf(processes)));
    }

    /** Starts a process; does not wait for its first ids. */
    static Client start(String url, int processes, Path parent) throws IOException {
        return new Client(FaultProxy.before(url), processes, Files.createTempDirectory(parent, "process"));
    }

    /** Opens the file with the ids of a source. */
    static IdLog log(Path folder, Source source) {
        return IdLog.open(folder.resolve(source.text()), MOST_IDS);
    }

    private void end() {
        if (endNanos == 0) {
            endNanos = System.nanoTime();
        }
    }

    /** Returns the time from its start to its end, after it has ended. */
    Span life() {
        return new Span(startNanos, endNanos);
    }

    IdLog ids(Source source) {
        return Objects.requireNonNull(ids.get(source));
    }

    /** Returns how many leases it has lost because another process took the row. */
    long rowsTaken() throws IOException {
        if (!Files.exists(log)) {
            return 0; // it was killed before
        }
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) { // its last character may be cut
            return lines.filter(IdProcess.ROW_TAKEN::equals).count();
        }
    }

    /** Asks the process to end: from now on it owes no ids. */
    void terminate() throws IOException {
        end();
        process.signal("TERM");
    }

    /** Kills the process. Its ids remain readable. */
    void kill() {
        end();
        process.kill();
        network.close();
    }
}
