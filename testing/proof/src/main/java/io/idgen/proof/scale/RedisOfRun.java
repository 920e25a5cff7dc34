package io.idgen.proof.scale;

import io.idgen.core.lease.LeaseStore;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis that appends each command to a file. The processes share its connections in turn. */
final class RedisOfRun implements Server {
    private static final Duration WINDOW = Duration.ofMinutes(3);

    private final RedisServer server;
    private final List<RedisScripts> connections;
    private final AtomicInteger processes = new AtomicInteger();

    RedisOfRun(int connections) throws IOException {
        server = RedisServer.start("--appendonly", "yes");
        this.connections = IntStream.range(0, connections)
                .mapToObj(each -> RedisScripts.connectingTo(uri()))
                .toList();
        new RedisWorkerIds(this.connections.get(0)).mark("default", WINDOW);
    }

    private String uri() {
        return "redis://127.0.0.1:" + server.port() + "/0?timeout=5s";
    }

    @Override
    public String version() throws IOException {
        return "Redis " + info().get("redis_version");
    }

    @Override
    public LeaseStore leases() {
        return new RedisWorkerIds(connections.get(processes.getAndIncrement() % connections.size()));
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("idgen.worker.assigner", "redis", "idgen.redis.uri", uri());
    }

    @Override
    public long pid() throws IOException {
        return Long.parseLong(info().get("process_id"));
    }

    @Override
    public Map<String, Long> counters() throws IOException {
        return figures(Map.of(
                "scripts", info -> calls(info, "cmdstat_evalsha"),
                "scripts sent whole", info -> calls(info, "cmdstat_eval"),
                "bytes received", info -> Long.parseLong(info.get("total_net_input_bytes"))));
    }

    @Override
    public Map<String, Long> gauges() throws IOException {
        return figures(Map.of(
                "bytes of the append-only file", info -> Long.parseLong(info.get("aof_current_size")),
                "bytes of memory", info -> Long.parseLong(info.get("used_memory")),
                "connections", info -> Long.parseLong(info.get("connected_clients"))));
    }

    private Map<String, Long> figures(Map<String, ToLongFunction<Map<String, String>>> wanted) throws IOException {
        Map<String, String> info = info();
        Map<String, Long> figures = new LinkedHashMap<>();
        new TreeMap<>(wanted).forEach((name, figure) -> figures.put(name, figure.applyAsLong(info)));
        return figures;
    }

    private static long calls(Map<String, String> info, String command) {
        return Long.parseLong(info.getOrDefault(command, "calls=0,").replaceAll("calls=(\\d+),.*", "$1"));
    }

    private Map<String, String> info() throws IOException {
        return server.command("INFO", "all")
                .lines()
                .filter(line -> line.contains(":"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1),
                        (one, other) -> one));
    }

    @Override
    public void close() {
        connections.forEach(RedisScripts::close);
        server.close();
    }
}
