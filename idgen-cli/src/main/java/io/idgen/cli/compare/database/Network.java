package io.idgen.cli.compare.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy for the database server that simulates an outage. During the outage, it closes all connections, and new ones
 * at once.
 */
public final class Network implements AutoCloseable {
    private static final Pattern ADDRESS =
            Pattern.compile("^(jdbc:(postgresql|mariadb|mysql|h2:tcp)://)([^/:,@?;]+|\\[[^]]+])(?::(\\d+))?(/.*)$");

    private final ServerSocket entrance;
    private final String host;
    private final int port;
    private final String url;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    private Network(Matcher address) throws IOException {
        entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        host = address.group(3);
        port = address.group(4) == null ? defaultPort(address.group(2)) : Integer.parseInt(address.group(4));
        url = address.group(1) + "127.0.0.1:" + entrance.getLocalPort() + address.group(5);
        start(this::accept);
    }

    /** Starts a proxy; empty if the URL does not name a single host. */
    public static Optional<Network> to(String jdbcUrl) throws IOException {
        Matcher address = ADDRESS.matcher(jdbcUrl);
        return address.matches() ? Optional.of(new Network(address)) : Optional.empty();
    }

    private static int defaultPort(String scheme) {
        return switch (scheme) {
            case "postgresql" -> 5432;
            case "h2:tcp" -> 9092;
            default -> 3306;
        };
    }

    /** Returns the URL of the database through this proxy. */
    public String url() {
        return url;
    }

    /** Starts the outage. */
    public void cut() {
        cut = true;
        open.forEach(Network::close);
    }

    /** Ends the outage. */
    public void mend() {
        cut = false;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entrance.accept();
            if (cut) {
                close(client);
                continue;
            }
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket server = new Socket(host, port)) {
            open.add(client);
            open.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            if (cut) {
                return; // the outage began while this thread connected
            }
            start(() -> copy(server, client));
            copy(client, server);
        } finally {
            open.removeIf(Socket::isClosed);
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        }
    }

    private interface SocketTask {
        void run() throws IOException;
    }

    private static void start(SocketTask work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // one of the two sockets is closed, which ends the connection
                    }
                },
                "idgen-compare-network");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot close a socket", e);
        }
    }

    @Override
    public void close() {
        cut();
        close(entrance);
    }
}
