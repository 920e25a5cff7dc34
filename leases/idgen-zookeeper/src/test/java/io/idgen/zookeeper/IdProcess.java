package io.idgen.zookeeper;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * A child process that generates an id each millisecond, with a lease or, as a control, with a naive worker id. A
 * leasing process closes its source when its input ends.
 */
final class IdProcess implements AutoCloseable {
    private static final String READY = "ready";
    private static final String NAIVE = "naive";
    private static final long PAUSE_NANOS = 1_000_000;

    private final ChildJvm process;
    private final Path file;
    private final IdLog log;

    private IdProcess(ChildJvm process, Path file, IdLog log) {
        this.process = process;
        this.file = file;
        this.log = log;
    }

    /** Starts a process that leases its worker id. The settings have the form {@code name=value}. */
    static IdProcess leasing(String... settings) throws IOException {
        return start(List.of(settings));
    }

    /** Starts a process that uses a worker id of a naive scheme. */
    static IdProcess naive(int workerId) throws IOException {
        return start(List.of(NAIVE, Integer.toString(workerId)));
    }

    private static IdProcess start(List<String> words) throws IOException {
        Path file = Files.createTempFile("idgen-ids", null);
        List<String> arguments = new ArrayList<>(List.of(file.toString()));
        arguments.addAll(words);
        ChildJvm process = ChildJvm.start(IdProcess.class, arguments);
        process.awaits(READY);
        return new IdProcess(process, file, IdLog.open(file));
    }

    /** The arguments are a file, and then settings or a naive worker id. */
    public static void main(String[] arguments) throws IOException {
        IdLog log = IdLog.open(Path.of(arguments[0]));
        if (arguments[1].equals(NAIVE)) {
            draw(new NaiveSnowflake(Integer.parseInt(arguments[2]))::nextId, log);
            return;
        }
        IdSources.Builder builder = IdSources.builder().source("orders");
        for (String setting : List.of(arguments).subList(1, arguments.length)) {
            builder.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        try (IdSources sources = builder.build()) {
            draw(sources.get("orders")::nextId, log);
        }
    }

    private static void draw(LongSupplier source, IdLog log) throws IOException {
        Thread drawing = new Thread(() -> {
            while (log.hasRoom()) {
                try {
                    log.append(source.getAsLong());
                } catch (IdGenerationException e) {
                    System.out.println("no id: " + e.getMessage());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
        drawing.setDaemon(true);
        drawing.start();
        System.out.println(READY);
        while (System.in.read() >= 0) {
            // waits until the input ends
        }
    }

    /** Suspends the process, as a pause of its machine does. */
    void stop() throws IOException {
        process.signal("STOP");
    }

    void goOn() throws IOException {
        process.signal("CONT");
    }

    LongStream ids() {
        return log.from(0);
    }

    long count() {
        return log.count();
    }

    /** Returns the worker id of the last id. */
    int lastWorkerId() {
        SnowflakeParts parts = SnowflakeLayout.IDGEN.parse(log.last());
        return (parts.datacenter() << SnowflakeLayout.IDGEN.workerBits()) + parts.worker();
    }

    @Override
    public void close() throws IOException {
        process.kill();
        Files.deleteIfExists(file);
    }
}
