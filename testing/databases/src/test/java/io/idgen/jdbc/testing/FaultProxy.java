package io.idgen.jdbc.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy in front of a database. Tests can make it cut, silence, delay and restore connections, swallow answers, and
 * send requests again.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)(?=[/,])");

    /** A driver's login takes fewer answers than this. */
    private static final int LOGIN = 8;

    /** The fate of the next answer on an open connection. */
    private enum Answer {
        PASSED,
        /** The request takes effect, and the connection is closed in place of the answer. */
        EATEN,
        /** The answer is swallowed, and the request is sent again. Its second answer is passed. */
        ASKED_AGAIN
    }

    private enum Mode {
        PASS,
        REFUSE,
        SILENT
    }

    private final ServerSocket entrance;
    private final String host;
    private volatile int port;
    private final String url;
    private final boolean isPostgreSql;
    private final Map<Socket, AtomicReference<Answer>> open = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong swallowed = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Mode mode = Mode.PASS;
    private Duration delay = Duration.ZERO;

    private FaultProxy(Matcher address, boolean isPostgreSql) throws IOException {
        this.entrance = new ServerSocket(0, 1_000, InetAddress.getByName("localhost"));
        this.host = address.group(1);
        this.port = Integer.parseInt(address.group(2));
        this.isPostgreSql = isPostgreSql;
        this.url = address.replaceFirst("//" + host + ":" + entrance.getLocalPort());
        start(this::accept);
    }

    /** Creates a proxy in front of the server of a URL, which must contain host and port; of several, the first. */
    public static FaultProxy before(String url) {
        try {
            return new FaultProxy(address(url), url.startsWith("jdbc:postgresql:"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Matcher address(String url) {
        Matcher address = ADDRESS.matcher(url);
        if (!address.find()) {
            throw new IllegalArgumentException("no host and port in " + url);
        }
        return address;
    }

    /** The URL of the same database through this proxy. */
    public String url() {
        return url;
    }

    /** Connects new connections to the port in a URL, and closes all others. */
    public void leadTo(String newUrl) {
        leadTo(Integer.parseInt(address(newUrl).group(2)));
    }

    /** Connects new connections to another port, and closes all others. */
    public void leadTo(int newPort) {
        port = newPort;
        open.keySet().forEach(FaultProxy::close);
    }

    /** The number of round trips: requests of clients that wait for a response, whatever their length. */
    public long requests() {
        return requests.get();
    }

    /** Forwards everything again, including the data that open connections sent during the silence. */
    public void pass() {
        become(Mode.PASS, Duration.ZERO);
    }

    /**
     * Forwards everything, but delays each request. Data that follows a request before its response arrives with it.
     */
    public void delay(Duration perRequest) {
        become(Mode.PASS, perRequest);
    }

    /** Closes all connections, and each new one as soon as it is opened. */
    public void refuse() {
        become(Mode.REFUSE, Duration.ZERO);
        open.keySet().forEach(FaultProxy::close);
    }

    /**
     * Swallows the next answer on each open connection, and closes the connection: the request has taken effect. The
     * answers of a login are passed.
     */
    public void eatAnswers() {
        open.values().forEach(next -> next.set(Answer.EATEN));
    }

    /** The number of answers that were swallowed. */
    public long swallowed() {
        return swallowed.get();
    }

    /**
     * Swallows the next answer on each open connection, sends the request again, and passes its second answer. The
     * answers of a login are passed. Only for PostgreSQL, whose answers have a known end.
     */
    public void repeatRequests() {
        if (!isPostgreSql) {
            throw new UnsupportedOperationException("only for PostgreSQL");
        }
        open.values().forEach(next -> next.set(Answer.ASKED_AGAIN));
    }

    /** Acts as a black hole: connections stay open, new ones are accepted, and nothing arrives in either direction. */
    public void silence() {
        become(Mode.SILENT, Duration.ZERO);
    }

    private void become(Mode newMode, Duration newDelay) {
        lock.lock();
        try {
            mode = newMode;
            delay = newDelay;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until data may be forwarded; throws if the connection is cut. */
    private void hold(Duration pause) throws IOException, InterruptedException {
        long leftNanos = pause.toNanos();
        lock.lock();
        try {
            while (mode == Mode.SILENT || (mode == Mode.PASS && leftNanos > 0)) {
                if (mode == Mode.SILENT) {
                    changed.await();
                } else {
                    leftNanos = changed.awaitNanos(leftNanos);
                }
            }
            if (mode == Mode.REFUSE) {
                throw new IOException("cut");
            }
        } finally {
            lock.unlock();
        }
    }

    private Duration delay() {
        lock.lock();
        try {
            return delay;
        } finally {
            lock.unlock();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entrance.accept();
            open.put(client, new AtomicReference<>(Answer.PASSED));
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException, InterruptedException {
        try (client) {
            hold(Duration.ZERO);
            try (Socket server = new Socket(host, port)) {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                AtomicBoolean answered = new AtomicBoolean(true);
                PostgreSqlExchange exchange = new PostgreSqlExchange();
                AtomicReference<Answer> fate = open.getOrDefault(client, new AtomicReference<>(Answer.PASSED));
                start(() -> answers(server, client, answered, exchange, fate));
                requests(client, server, answered, exchange);
            }
        } finally {
            open.remove(client);
        }
    }

    private void requests(Socket client, Socket server, AtomicBoolean answered, PostgreSqlExchange exchange)
            throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] some = new byte[8192];
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            boolean isFirstPart = answered.getAndSet(false);
            if (isFirstPart) {
                requests.incrementAndGet();
            }
            hold(isFirstPart ? delay() : Duration.ZERO);
            exchange.requested(some, count);
            out.write(some, 0, count);
        }
    }

    private void answers(
            Socket server,
            Socket client,
            AtomicBoolean answered,
            PostgreSqlExchange exchange,
            AtomicReference<Answer> fate)
            throws IOException, InterruptedException {
        try (server;
                client) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] some = new byte[8192];
            int answers = 0;
            boolean begins = true; // the next part is the first one of an answer
            boolean isSwallowed = false;
            boolean isSecond = false; // the answer to a request that was sent again
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                hold(Duration.ZERO);
                if (begins && !isSecond) {
                    answers++;
                    Answer answer = answers > LOGIN ? fate.getAndSet(Answer.PASSED) : Answer.PASSED;
                    if (answer != Answer.PASSED) {
                        swallowed.incrementAndGet();
                    }
                    if (answer == Answer.EATEN) {
                        return;
                    }
                    isSwallowed = answer == Answer.ASKED_AGAIN;
                }
                begins = !isPostgreSql || exchange.answered(some, count);
                if (isSwallowed) {
                    if (begins) {
                        isSwallowed = false;
                        isSecond = true;
                        server.getOutputStream().write(exchange.again());
                    }
                    continue;
                }
                isSecond &= !begins;
                answered.set(true); // set before the write, because the next request may arrive right after it
                out.write(some, 0, count);
            }
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // one of the two ends has closed the connection
                    }
                },
                "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException("a socket does not close", e);
        }
    }

    @Override
    public void close() {
        refuse();
        close(entrance);
    }
}
