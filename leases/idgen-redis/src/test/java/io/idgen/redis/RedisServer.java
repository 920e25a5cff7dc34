package io.idgen.redis;

import io.idgen.jdbc.testing.Await;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * A server process. Runs the program of a Maven artifact, or the one in the system property {@code redis.server}. Has
 * no persistence unless the options enable it.
 */
public final class RedisServer implements AutoCloseable {
    private static final Path PROGRAM = program();
    private static final Duration STARTING = Duration.ofSeconds(60);

    private final Path folder;
    private final int port;
    private final List<String> command;
    private Process process;

    private RedisServer(Path program, Path folder, int port, List<String> arguments) throws IOException {
        this.folder = folder;
        this.port = port;
        this.command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        restart();
    }

    /** Starts a server with additional options, such as {@code --appendonly yes}. */
    public static RedisServer start(String... options) throws IOException {
        return start(PROGRAM, options);
    }

    /** Starts the server of Debian, which has TLS. */
    static RedisServer ofDebian(String... options) throws IOException {
        return start(Path.of("/usr/bin/redis-server"), options);
    }

    private static RedisServer start(Path program, String... options) throws IOException {
        Path folder = Files.createTempDirectory("idgen-redis");
        int port = freePort();
        List<String> arguments = new ArrayList<>(List.of(
                "--port",
                port + "",
                "--bind",
                "127.0.0.1",
                "--dir",
                folder.toString(),
                "--repl-diskless-sync-delay",
                "0",
                "--save",
                ""));
        arguments.addAll(List.of(options));
        return new RedisServer(program, folder, port, arguments);
    }

    /** Starts a replica, and returns when it has all data of its primary. */
    public static RedisServer replicaOf(RedisServer primary) throws Exception {
        RedisServer replica = start("--replicaof", "127.0.0.1", Integer.toString(primary.port));
        replica.awaitLink();
        return replica;
    }

    /** Returns when this replica has all data of its primary. */
    public void awaitLink() throws Exception {
        Await.until("a replica in step", () -> command("INFO", "replication").contains("master_link_status:up"));
    }

    /** Returns when this server has the role {@code master} or {@code slave}. */
    public void awaitRole(String role) throws Exception {
        Await.until("a server with the role " + role, () -> is(role));
    }

    /** Returns when this Sentinel knows a replica. */
    public void awaitReplica(RedisServer replica) throws Exception {
        Await.until(
                "a Sentinel that knows the replica",
                () -> command("SENTINEL", "replicas", "primary").contains(Integer.toString(replica.port)));
    }

    /** Returns the product and its version. */
    public String version() throws IOException {
        return command("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .findFirst()
                .orElseThrow()
                .replace("redis_version:", "Redis ");
    }

    /** Returns when this replica has received everything that its primary has at the time of the call. */
    public void awaitInStepWith(RedisServer primary) throws Exception {
        long offset = primary.offset("master_repl_offset");
        Await.until("a replica in step", () -> offset("slave_repl_offset") >= offset);
    }

    /** Returns whether the server has the role {@code master} or {@code slave}; false if it does not answer. */
    boolean is(String role) {
        try {
            return command("INFO", "replication").contains("role:" + role);
        } catch (IOException e) {
            return false;
        }
    }

    private long offset(String name) throws IOException {
        Matcher matcher = Pattern.compile(name + ":(\\d+)").matcher(command("INFO", "replication"));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** Starts a Sentinel that promotes a replica when its primary has not answered for five seconds. */
    public static RedisServer sentinelOf(RedisServer primary) throws Exception {
        Path folder = Files.createTempDirectory("idgen-sentinel");
        Path file = folder.resolve("sentinel.conf");
        int port = freePort();
        Files.writeString(file, """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor primary 127.0.0.1 %d 1
                sentinel down-after-milliseconds primary 5000
                sentinel failover-timeout primary 10000
                """.formatted(port, folder, primary.port));
        return new RedisServer(PROGRAM, folder, port, List.of(file.toString(), "--sentinel"));
    }

    private static Path program() {
        try {
            String given = System.getProperty("redis.server");
            return given != null
                    ? Path.of(given)
                    : ExecutableProvider.newJarResourceProvider().get().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() throws IOException {
        // the cluster bus of Redis listens on the port plus 10,000
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55_000) {
                    return socket.getLocalPort();
                }
            }
        }
    }

    /** Starts the server again on the same port, with its data from disk. */
    public void restart() throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            Await.until("a server that answers", STARTING, () -> {
                if (!process.isAlive()) {
                    throw new AssertionError("the server ended: " + Files.readString(folder.resolve("log")));
                }
                try {
                    return command("PING").contains("PONG");
                } catch (IOException e) {
                    return false;
                }
            });
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port + "?timeout=60s";
    }

    /** Sends a command on a new connection, and returns the answer as text. */
    public String command(String... words) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                request.append('$')
                        .append(word.length())
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            return answer(new BufferedInputStream(socket.getInputStream()));
        }
    }

    private static String answer(InputStream input) throws IOException {
        String line = line(input);
        if (line.startsWith("$") && !line.equals("$-1")) {
            String text =
                    new String(input.readNBytes(Integer.parseInt(line.substring(1))), StandardCharsets.ISO_8859_1);
            line(input);
            return text;
        }
        if (line.startsWith("*")) {
            List<String> all = new ArrayList<>();
            for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
                all.add(answer(input));
            }
            return String.join("\n", all);
        }
        return line;
    }

    private static String line(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new IOException("the connection ended after '" + line + "'");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    public void kill() {
        if (process.isAlive()) { // its number may be reused
            process.destroyForcibly().onExit().join();
        }
    }

    /** Stops this replica when it has all data of its primary so far. It never gets later data. */
    public void leave(RedisServer primary) throws Exception {
        awaitInStepWith(primary);
        pause();
        primary.command("CLIENT", "KILL", "TYPE", "replica");
    }

    public void pause() throws Exception {
        signal(process.pid(), "STOP");
    }

    public void resume() throws Exception {
        signal(process.pid(), "CONT");
    }

    static void signal(long pid, String name) throws Exception {
        String[] command = {"kill", "-" + name.toUpperCase(Locale.ROOT), Long.toString(pid)};
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new AssertionError(String.join(" ", command));
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
