package io.idgen.redis;

import io.idgen.jdbc.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Controls a {@link LeasingProcess}, and reads its ids. */
final class Child implements AutoCloseable {
    private final ChildJvm process;
    private final Path file;

    private Child(ChildJvm process, Path file) {
        this.process = process;
        this.file = file;
    }

    /** Starts a process with a short lease and window. The settings have the form {@code name=value}. */
    static Child start(String uri, String... settings) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(
                uri, file.toString(), "idgen.worker.lease=1s", "idgen.worker.window=3s", "idgen.acquire-timeout=60s"));
        arguments.addAll(List.of(settings));
        return new Child(ChildJvm.start(LeasingProcess.class, arguments), file);
    }

    void awaitReady() throws IOException {
        process.awaits(LeasingProcess.READY);
    }

    /** Requests ids, without waiting for them. */
    void ask(int count) throws IOException {
        process.tell(Integer.toString(count));
    }

    /** Waits for the requested ids, and returns all ids of the process. */
    long[] awaitDrawn() throws IOException {
        process.awaits(LeasingProcess.DRAWN);
        return Files.readAllLines(file).stream().mapToLong(Long::parseLong).toArray();
    }

    long[] draw(int count) throws IOException {
        ask(count);
        return awaitDrawn();
    }

    void pause() throws IOException {
        process.signal("STOP");
    }

    void resume() throws IOException {
        process.signal("CONT");
    }

    @Override
    public void close() throws IOException {
        process.close();
        Files.deleteIfExists(file);
    }
}
