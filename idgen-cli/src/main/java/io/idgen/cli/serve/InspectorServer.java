package io.idgen.cli.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Resources;
import io.idgen.core.IdGenerationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the inspector page to browsers on this machine, and answers the page's requests. Listens only on 127.0.0.1.
 *
 * <p>Pages of other sites in the same browser have no access. A request must name this server in its Host header,
 * because a foreign name that resolves to 127.0.0.1 (DNS rebinding) arrives with that name. If it has an Origin header,
 * that must be this page. API requests must have a content type that browsers do not send across sites without a
 * preflight. No response allows other origins to read it.
 */
public final class InspectorServer implements AutoCloseable {

    /** The largest request: {@value} bytes. */
    public static final int MOST_BYTES = 64 * 1024;

    private static final System.Logger LOG = System.getLogger(InspectorServer.class.getName());

    /** The number of threads. Browsers keep connections open, and each incomplete request holds a thread. */
    private static final int THREADS = 32;

    /** After this many seconds, the JDK's server drops an incomplete request, and an answer that is not read. */
    private static final String SECONDS = "5";

    private static final String JSON_TYPE = "application/json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private static final Map<String, Page> PAGES = Map.of(
            "/", new Page("index.html", "text/html; charset=utf-8"),
            "/style.css", new Page("style.css", "text/css; charset=utf-8"),
            "/app.js", new Page("app.js", "text/javascript; charset=utf-8"),
            "/messages.js", new Page("messages.js", "text/javascript; charset=utf-8"),
            "/icon.svg", new Page("icon.svg", "image/svg+xml"));

    private static final Map<String, String> SECURITY = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri"
                    + " 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final HttpServer server;
    private final ExecutorService threads;
    private final Inspector inspector;
    private final Set<String> hosts;

    /** A file of the page. */
    private record Page(String file, String type) {}

    /** The reason why a request is rejected. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refusal(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    private InspectorServer(HttpServer server, ExecutorService threads, InstantSource clock) {
        this.server = server;
        this.threads = threads;
        this.inspector = new Inspector(clock);
        int port = server.getAddress().getPort();
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
    }

    /**
     * Starts a server.
     *
     * @param port the port, 1 to 65535; 0 for any free port
     * @param clock the current time
     * @return a running server; close it after use
     * @throws IOException if the port is in use, or this user may not use it
     */
    public static InspectorServer start(int port, InstantSource clock) throws IOException {
        // the first server of a process reads these once; without them, a client that stops would hold its thread
        // forever
        System.setProperty("sun.net.httpserver.maxReqTime", SECONDS);
        System.setProperty("sun.net.httpserver.maxRspTime", SECONDS);
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        InspectorServer server = new InspectorServer(http, threads, clock);
        http.createContext("/", server::handle);
        http.setExecutor(threads);
        http.start();
        return server;
    }

    /**
     * Returns the URL of the page.
     *
     * @return a URL for a browser on this machine
     */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            SECURITY.forEach(exchange.getResponseHeaders()::set);
            try {
                answer(exchange);
            } catch (Refusal e) {
                refuse(exchange, e.status, String.valueOf(e.getMessage()));
            } catch (BadInputException | IllegalArgumentException | IdGenerationException e) {
                refuse(exchange, 400, String.valueOf(e.getMessage()));
            } catch (JacksonException e) {
                refuse(exchange, 400, "the request is not the expected JSON: " + e.getOriginalMessage());
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "a request failed, which is a bug", e);
                refuse(exchange, 500, "this is a bug; report it with the output of idgen serve");
            }
        }
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        // the rest of the request is not read
        exchange.getResponseHeaders().set("Connection", "close");
        send(exchange, status, JSON_TYPE, JSON.writeValueAsBytes(Map.of("error", why)));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean bodyless = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, bodyless ? -1 : body.length);
        if (!bodyless) {
            exchange.getResponseBody().write(body);
        }
    }

    private void answer(HttpExchange exchange) throws IOException, Refusal {
        checkSite(exchange.getRequestHeaders());
        String path = exchange.getRequestURI().getPath();
        Page page = PAGES.get(path);
        if (page != null) {
            checkMethod(exchange, "GET", "HEAD");
            send(exchange, 200, page.type, Resources.read(InspectorServer.class, page.file));
            return;
        }
        Object answer = switch (path) {
            case "/api/presets" -> {
                checkMethod(exchange, "GET");
                yield Inspector.presets();
            }
            case "/api/layout" -> Inspector.layout(question(exchange, Inspector.LayoutQuestion.class));
            case "/api/inspect" -> inspector.inspect(question(exchange, Inspector.InspectQuestion.class));
            case "/api/generate" -> inspector.generate(question(exchange, Inspector.GenerateQuestion.class));
            default -> throw new Refusal(404, "there is no page at this address; the inspector is at /");
        };
        send(exchange, 200, JSON_TYPE, JSON.writeValueAsBytes(answer));
    }

    private void checkSite(Headers headers) throws Refusal {
        String host = headers.getFirst("Host");
        if (host == null || !hosts.contains(host)) {
            throw new Refusal(403, "the host must be one of " + hosts);
        }
        String origin = headers.getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host)) {
            throw new Refusal(403, "the request must come from this server's own page");
        }
    }

    private static void checkMethod(HttpExchange exchange, String... allowed) throws Refusal {
        if (!Set.of(allowed).contains(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().set("Allow", String.join(", ", allowed));
            throw new Refusal(405, "the method must be " + String.join(" or ", allowed));
        }
    }

    private static <T> T question(HttpExchange exchange, Class<T> type) throws IOException, Refusal {
        checkMethod(exchange, "POST");
        String contentType = exchange.getRequestHeaders().getFirst("Content-Type");
        if (contentType == null || !contentType.split(";", 2)[0].strip().equalsIgnoreCase(JSON_TYPE)) {
            throw new Refusal(415, "the content type must be " + JSON_TYPE);
        }
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (body.length > MOST_BYTES) {
            throw new Refusal(413, "a request may have at most " + MOST_BYTES + " bytes; send fewer ids");
        }
        @Nullable T question = JSON.readValue(body, type);
        if (question == null) {
            throw new Refusal(400, "the request must be a JSON object");
        }
        return question;
    }
}
