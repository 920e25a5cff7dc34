package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.fail;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Controls a {@link LeasingProcess}: stops it, kills it and reads its ids; ends it on close. */
final class Leaseholder implements AutoCloseable {
    private final ChildJvm process;
    private final Path file;
    private final IdLog log;

    private Leaseholder(ChildJvm process, Path file, IdLog log) {
        this.process = process;
        this.file = file;
        this.log = log;
    }

    /** Starts a process with settings of the form {@code key=value}. */
    static Leaseholder start(String url, String... settings) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(url, file.toString()));
        arguments.addAll(List.of(settings));
        return new Leaseholder(ChildJvm.start(LeasingProcess.class, arguments), file, IdLog.open(file));
    }

    /** Waits until the process has printed a word. */
    Leaseholder awaits(String word) throws IOException {
        process.awaits(word);
        return this;
    }

    Leaseholder tell(String word) throws IOException {
        process.tell(word);
        return this;
    }

    /** Stops the process, as it stops when its machine is paused. */
    void stop() throws IOException {
        process.signal("STOP");
    }

    void goOn() throws IOException {
        process.signal("CONT");
    }

    /** Tells the process to close its generator and to exit. Does not wait for it. */
    void end() throws IOException {
        tell(LeasingProcess.CLOSE);
        process.endInput();
    }

    /** Kills the process, as a power failure does. Its ids remain readable. */
    void kill() {
        process.kill();
    }

    /** Returns the ids so far in the order in which they were generated; fails if they do not increase. */
    long[] ids() {
        long[] drawn = log.from(0).toArray();
        for (int i = 1; i < drawn.length; i++) {
            if (drawn[i] <= drawn[i - 1]) {
                fail("id %d of the process came after %d", drawn[i], drawn[i - 1]);
            }
        }
        return drawn;
    }

    /** Returns the number of ids so far. */
    int count() {
        return log.count();
    }

    SnowflakeParts last() {
        return SnowflakeLayout.IDGEN.parse(log.last());
    }

    /** Returns whether the process has generated an id of that time or a later one. */
    boolean hasReached(Instant time) {
        return count() > 0 && !last().time().isBefore(time);
    }

    /** Returns the worker id of an id as in the table, with the datacenter in the upper bits. */
    static int workerId(long id) {
        return workerId(SnowflakeLayout.IDGEN.parse(id));
    }

    static int workerId(SnowflakeParts parts) {
        return (parts.datacenter() << SnowflakeLayout.IDGEN.workerBits()) + parts.worker();
    }

    @Override
    public void close() throws IOException {
        kill();
        Files.deleteIfExists(file);
    }
}
