package io.idgen.redis;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.snowflake.ShortLeases;
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

    /** Starts a process. The settings have the form {@code name=value}, or are values of {@link ShortLeases}. */
    static LeasingProcess start(String uri, String... settings) throws IOException {
        return start(uri, List.of(), settings);
    }

    /** Starts a process with additional JVM options. */
    static LeasingProcess start(String uri, List<String> options, String... settings) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(file.toString(), uri));
        arguments.addAll(List.of(settings));
        return new LeasingProcess(ChildJvm.start(LeasingProcess.class, options, arguments), file);
    }

    /** The arguments are a file, a URI, and settings. Each line of the input is a number of ids to write to the file. */
    public static void main(String[] arguments) throws IOException {
        List<String> settings = List.of(arguments).subList(2, arguments.length);
        try (IdSource source = source(arguments[1], settings);
                Scanner input = new Scanner(System.in)) {
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

    @SuppressWarnings("resource") // ends with the process
    private static IdSource source(String uri, List<String> settings) {
        if (ShortLeases.are(settings)) {
            return ShortLeases.builder(settings)
                    .leasedFrom(new RedisWorkerIds(RedisScripts.connectingTo(uri)))
                    .build();
        }
        IdSources.Builder builder = IdSources.builder()
                .source("orders")
                .set("idgen.worker.assigner", "redis")
                .set("idgen.redis.uri", uri)
                .set("idgen.acquire-timeout", "60s");
        settings.forEach(each -> builder.set(each.split("=", 2)[0], each.split("=", 2)[1]));
        return builder.build().get("orders");
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
