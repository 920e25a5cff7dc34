package io.idgen.redis;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/** A child process that leases its worker id from Redis, and writes ids to a file on request. */
final class LeasingProcess implements AutoCloseable {
    private static final String READY = "ready";
    private static final String DRAWN = "drawn";

    private final ChildJvm process;
    private final Path file;

    private LeasingProcess(ChildJvm process, Path file) {
        this.process = process;
        this.file = file;
    }

    /** Starts a process with a short lease and window. The settings have the form {@code name=value}. */
    static LeasingProcess start(String uri, String... settings) throws IOException {
        return start(uri, List.of(), settings);
    }

    /** Starts a process with additional JVM options. */
    static LeasingProcess start(String uri, List<String> options, String... settings) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(
                file.toString(),
                "idgen.worker.assigner=redis",
                "idgen.redis.uri=" + uri,
                "idgen.worker.lease=1s",
                "idgen.worker.window=3s",
                "idgen.acquire-timeout=60s"));
        arguments.addAll(List.of(settings));
        return new LeasingProcess(ChildJvm.start(LeasingProcess.class, options, arguments), file);
    }

    /** The arguments are a file, and settings. Each line of the input is a number of ids to write to the file. */
    public static void main(String[] arguments) throws IOException {
        IdSources.Builder builder = IdSources.builder().source("orders");
        for (String setting : List.of(arguments).subList(1, arguments.length)) {
            builder.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        try (IdSources sources = builder.build();
                Scanner input = new Scanner(System.in)) {
            IdSource source = sources.get("orders");
            List<String> ids = new ArrayList<>();
            System.out.println(READY);
            while (input.hasNextInt()) {
                for (int i = input.nextInt(); i > 0; i--) {
                    ids.add(Long.toString(source.nextId()));
                }
                Files.write(Path.of(arguments[0]), ids);
                System.out.println(DRAWN);
            }
        }
    }

    void awaitReady() throws IOException {
        process.awaits(READY);
    }

    /** Requests ids, without waiting for them. */
    void ask(int count) throws IOException {
        process.tell(Integer.toString(count));
    }

    /** Waits for the requested ids, and returns all ids of the process. */
    long[] awaitDrawn() throws IOException {
        process.awaits(DRAWN);
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
