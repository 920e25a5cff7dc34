package io.idgen.zookeeper;

import io.idgen.core.IdGenerationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;

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

    /** Starts a process that leases its worker id from these servers. The values are those of {@link ShortLeases}. */
    static IdProcess leasing(String servers, List<String> values) throws IOException {
        return start(Stream.concat(Stream.of(servers), values.stream()).toList());
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

    /** The arguments are a file, and then servers with values or a naive worker id. */
    public static void main(String[] arguments) throws IOException {
        IdLog log = IdLog.open(Path.of(arguments[0]));
        if (arguments[1].equals(NAIVE)) {
            draw(new NaiveSnowflake(Integer.parseInt(arguments[2]))::nextId, log);
            return;
        }
        try (CuratorFramework client = Servers.client(arguments[1]);
                Snowflake source = ShortLeases.builder(List.of(arguments).subList(2, arguments.length))
                        .leasedFrom(new ZooKeeperWorkerIds(client))
                        .build()) {
            draw(source::nextId, log);
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

    /** Waits until each process has generated 200 more ids. */
    static void awaitMoreOf(Collection<IdProcess> processes) throws Exception {
        Map<IdProcess, Long> enough = new LinkedHashMap<>();
        processes.forEach(each -> enough.put(each, each.count() + 200));
        for (Map.Entry<IdProcess, Long> each : enough.entrySet()) {
            Await.until("more ids", () -> each.getKey().count() >= each.getValue());
        }
    }

    /** Returns how many ids of the processes are equal to another one. */
    static long duplicates(Collection<IdProcess> processes) {
        long[] sorted = processes.stream()
                .flatMapToLong(each -> each.log.from(0))
                .sorted()
                .toArray();
        return IntStream.range(1, sorted.length)
                .filter(i -> sorted[i] == sorted[i - 1])
                .count();
    }

    /** Suspends the process, as a pause of its machine does. */
    void stop() throws IOException {
        process.signal("STOP");
    }

    void goOn() throws IOException {
        process.signal("CONT");
    }

    private long count() {
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
