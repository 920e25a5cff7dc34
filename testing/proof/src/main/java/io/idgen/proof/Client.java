package io.idgen.proof;

import io.idgen.core.internal.lease.TraceFiles;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Controls an {@link IdProcess} and its network, and reads its ids, even after it was killed. */
final class Client {
    private static final int MOST_IDS = 4_000_000;

    final FaultProxy network;
    final ChildJvm process;
    final SteppedClock clock;
    private final Map<Source, IdLog> ids = new EnumMap<>(Source.class);
    private final long startNanos = System.nanoTime();
    private long endNanos; // 0 until it ends

    private Client(FaultProxy network, int processes, Path folder, Path traces) throws IOException {
        Path file = folder.resolve("clock");
        this.network = network;
        this.clock = new SteppedClock(file);
        for (Source source : Source.on(network.url())) {
            ids.put(source, log(folder, source));
        }
        this.process = ChildJvm.start(
                List.of("env", SteppedClock.VARIABLE + "=" + file),
                System.getProperty("java.class.path"),
                IdProcess.class,
                List.of("-D" + TraceFiles.FOLDER + "=" + traces),
                List.of(network.url(), folder.toString(), String.valueOf(processes)));
    }

    /** Starts a process; does not wait for its first ids. */
    static Client start(String url, int processes, Path parent) throws IOException {
        return new Client(
                FaultProxy.before(url),
                processes,
                Files.createTempDirectory(parent, "process"),
                parent.resolve("traces"));
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
