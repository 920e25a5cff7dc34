package io.idgen.redis;

import io.idgen.jdbc.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link LeasingProcess} and the ids that it has drawn. */
final class Child implements AutoCloseable {
    private final ChildJvm process;
    private final Path file;

    private Child(ChildJvm process, Path file) {
        this.process = process;
        this.file = file;
    }

    /** Starts a process with short times, and settings with their values. */
    static Child start(String uri, String... settings) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(
                uri,
                file.toString(),
                "idgen.worker.lease=1s",
                "idgen.worker.window=3s",
                "idgen.worker.renew=300ms",
                "idgen.acquire-timeout=60s",
                "idgen.worker.acquire-timeout=60s"));
        arguments.addAll(List.of(settings));
        return new Child(ChildJvm.start(LeasingProcess.class, arguments), file);
    }

    void awaitReady() throws IOException {
        process.awaits(LeasingProcess.READY);
    }

    /** Asks for so many ids, and does not wait for them. */
    void ask(int count) throws IOException {
        process.tell(Integer.toString(count));
    }

    /** Waits for the ids that it was asked for last, and returns all that it has drawn. */
    long[] awaitDrawn() throws IOException {
        process.awaits(LeasingProcess.DRAWN);
        return Files.readAllLines(file).stream().mapToLong(Long::parseLong).toArray();
    }

    long[] draw(int count) throws IOException {
        ask(count);
        return awaitDrawn();
    }

    void pause() throws Exception {
        RedisServer.signal(process.pid(), "STOP");
    }

    void resume() throws Exception {
        RedisServer.signal(process.pid(), "CONT");
    }

    @Override
    public void close() throws IOException {
        process.close();
        Files.deleteIfExists(file);
    }
}
