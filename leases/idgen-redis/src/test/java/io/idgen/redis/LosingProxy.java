package io.idgen.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A proxy before a server that loses one answer on request: it forwards the request, waits until the server has
 * answered, and closes the connection without the answer.
 */
final class LosingProxy implements AutoCloseable {
    private final ServerSocket entrance;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> asked = ConcurrentHashMap.newKeySet(); // servers whose next answer is lost
    private final AtomicReference<String> losing = new AtomicReference<>();

    private LosingProxy(int port) throws IOException {
        this.entrance = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        this.port = port;
        start(this::accept);
    }

    static LosingProxy before(RedisServer server) throws IOException {
        return new LosingProxy(server.port());
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** Loses the answer to the next request that contains the text. */
    void loseAnswerTo(String text) {
        losing.set(text);
    }

    /** Returns whether the answer has been lost. */
    boolean hasLost() {
        return losing.get() == null;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entrance.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            open.add(client);
            open.add(server);
            start(() -> forward(client, server, true));
            start(() -> forward(server, client, false));
        }
    }

    private void forward(Socket from, Socket to, boolean isRequest) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[65_536];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                if (isRequest && isToLose(new String(some, 0, count, StandardCharsets.ISO_8859_1))) {
                    asked.add(to);
                }
                if (!isRequest && asked.remove(from)) {
                    losing.set(null);
                    return;
                }
                out.write(some, 0, count);
            }
        }
    }

    private boolean isToLose(String request) {
        String text = losing.get();
        return text != null && request.contains(text);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // one of the two ends has closed the connection
                    }
                },
                "losing-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
