package io.idgen.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InspectorServerTest {
    private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

    private final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    private InspectorServer server;

    private URI uri;

    @BeforeEach
    void start() throws IOException {
        server = InspectorServer.start(0, InstantSource.fixed(NOW));
        uri = URI.create(server.url());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri.resolve(path)));
    }

    private HttpRequest.Builder question(String path, String json) {
        return HttpRequest.newBuilder(uri.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    private HttpResponse<String> ask(String path, String json) throws Exception {
        return send(question(path, json));
    }

    /** Sends any text as a request, and returns the first line of the answer. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), uri.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
                answer.append((char) c);
            }
            return answer.toString().strip();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/style.css", "/app.js", "/messages.js", "/icon.svg", "/api/presets", "/nothing"})
    void everyAnswerForbidsWhatThePageDoesNotNeed(String path) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(path.equals("/nothing") ? 404 : 200);
        assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
                .contains("same-origin");
        assertThat(response.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    }

    @Test
    void thePageHasNoInlineScriptAndNamesNoOtherHost() throws Exception {
        for (String path : new String[] {"/", "/style.css", "/app.js"}) {
            assertThat(get(path).body())
                    .doesNotContain("://")
                    .doesNotContainPattern("<script(?![^>]*src=)")
                    .doesNotContainPattern("\\son\\w+=")
                    .doesNotContain("innerHTML");
        }
    }

    @Test
    void aHostOfAnotherNameIsRefused() throws Exception {
        assertThat(raw("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .contains("403");
        assertThat(raw("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))
                .contains("403");
        assertThat(raw("GET / HTTP/1.0\r\n\r\n")).doesNotContain("200");
        String host = "127.0.0.1:" + uri.getPort();
        assertThat(raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .contains("200");
        host = "localhost:" + uri.getPort();
        assertThat(raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .contains("200");
        assertThat(raw("GET / HTTP/1.1\r\nHost: " + host + ".evil.example\r\nConnection: close\r\n\r\n"))
                .contains("403");
    }

    @Test
    void anotherSitesPageIsRefused() throws Exception {
        String json = "{\"ids\":[\"1\"]}";
        assertThat(send(question("/api/inspect", json).header("Origin", "http://evil.example"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(question("/api/inspect", json).header("Origin", "null")).statusCode())
                .isEqualTo(403);
        String own = "http://127.0.0.1:" + uri.getPort();
        assertThat(send(question("/api/inspect", json).header("Origin", own)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aQuestionIsJsonAndPosted() throws Exception {
        HttpRequest.Builder form = HttpRequest.newBuilder(uri.resolve("/api/inspect"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{\"ids\":[\"1\"]}"));
        assertThat(send(form).statusCode()).isEqualTo(415);
        assertThat(get("/api/inspect").statusCode()).isEqualTo(405);
        assertThat(ask("/", "{}").statusCode()).isEqualTo(405);
        assertThat(ask("/api/inspect", "{").statusCode()).isEqualTo(400);
        assertThat(ask("/api/inspect", "null").statusCode()).isEqualTo(400);
        assertThat(ask("/api/inspect", "{\"ids\":[[]]}").statusCode()).isEqualTo(400);
        assertThat(ask("/api/inspect", "{\"ids\":[null]}").statusCode()).isEqualTo(400);
        assertThat(get("/../InspectorServer.class").statusCode()).isEqualTo(404);
    }

    @Test
    void aQuestionOfMoreThan64KibIsRefused() throws Exception {
        String json = "{\"ids\":[\"1\"],\"epoch\":\"%s\"}";
        int frame = json.length() - 2;
        assertThat(ask("/api/inspect", String.format(json, " ".repeat(InspectorServer.MOST_BYTES - frame)))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> refused =
                ask("/api/inspect", String.format(json, " ".repeat(InspectorServer.MOST_BYTES - frame + 1)));
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("at most 65536 bytes");
    }

    private static String ids(int count) {
        return LongStream.range(0, count).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void aQuestionIsAboutAThousandIdsAtMost() throws Exception {
        assertThat(ask("/api/inspect", "{\"ids\":" + ids(1000) + "}").statusCode())
                .isEqualTo(200);
        assertThat(ask("/api/inspect", "{\"ids\":" + ids(1001) + "}").statusCode())
                .isEqualTo(400);
        assertThat(ask("/api/inspect", "{\"ids\":[]}").statusCode()).isEqualTo(400);
        assertThat(ask("/api/generate", "{\"count\":1001,\"worker\":1}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void theArticlesIdIsTakenApartWithStringsForNumbers() throws Exception {
        String answer = ask(
                        "/api/inspect",
                        "{\"layout\":\"41-5-5-12\",\"epoch\":\"2016-01-01T00:00:00Z\",\"ids\":[\"225912364091068416\"]}")
                .body();

        assertThat(answer)
                .contains("\"id\":\"225912364091068416\"", "\"instant\":\"2017-09-15T09:35:04.848Z\"")
                .contains("\"datacenter\":2,\"worker\":5,\"sequence\":0,\"plausible\":true")
                .contains("{\"name\":\"time\",\"shift\":22,\"width\":41,\"value\":\"53861704848\"}")
                .contains("\"verdict\":null");
    }

    @Test
    void withoutALayoutAnIdIsIdgensAndTheOtherPlausiblePresetsAreNamed() throws Exception {
        String answer =
                ask("/api/inspect", "{\"ids\":[\"225912364091068416\"]}").body();

        assertThat(answer)
                .contains("\"preset\":\"idgen\"", "\"instant\":\"2025-09-15T09:35:04.848Z\"")
                .contains("\"others\":[{\"preset\":\"twitter\",\"instant\":\"2012-07-19T11:17:59.505Z\","
                        + "\"datacenter\":2,\"worker\":5,\"sequence\":0},{\"preset\":\"discord\"")
                .contains("{\"preset\":\"tsid\"")
                .doesNotContain("js-safe");
        assertThat(ask("/api/inspect", "{\"ids\":[\"225912364091068416\"],\"layout\":\"twitter\"}")
                        .body())
                .contains("\"others\":[{\"preset\":\"idgen\"")
                .doesNotContain("{\"preset\":\"twitter\",\"instant\"");
    }

    @Test
    void noAnswerHasTheCommandLineInIt() throws Exception {
        List<String> answers = List.of(
                ask("/api/inspect", "{\"ids\":[\"03229A1924045000\",\"-5\",\"-x\",\"--x\",\"x\",\"\"]}")
                        .body(),
                ask("/api/inspect", "{\"ids\":[\"1\"],\"form\":\"octal\"}").body(),
                ask("/api/inspect", "{\"ids\":[\"9223372036854775807\"],\"layout\":\"js-safe\"}")
                        .body(),
                ask("/api/layout", "{\"layout\":\"twiter\"}").body(),
                ask("/api/layout", "{\"layout\":\"41-5-5-11\"}").body(),
                ask("/api/layout", "{\"epoch\":\"2016-01-01\"}").body(),
                ask("/api/generate", "{\"worker\":99,\"count\":1}").body(),
                ask("/api/generate", "{\"worker\":1,\"count\":0}").body());

        assertThat(answers.get(0)).contains("if it has another form, choose hex");
        assertThat(answers).allSatisfy(answer -> assertThat(answer).doesNotContain("--from", "--layout", "--help"));
        for (String page : List.of("/", "/app.js", "/messages.js")) {
            assertThat(get(page).body()).doesNotContain("idgen serve", "--from");
        }
    }

    @Test
    void idsAreMadeOfNow() throws Exception {
        assertThat(ask("/api/generate", "{\"layout\":\"idgen\",\"worker\":3,\"datacenter\":1,\"count\":1}")
                        .body())
                .contains("\"datacenter\":1,\"worker\":3", "\"instant\":\"2026-11-21T00:00:00");
    }

    @Test
    void questionsAtTheSameTimeNeverGetTheSameId() throws Exception {
        try (InspectorServer running = InspectorServer.start(0, InstantSource.system())) {
            uri = URI.create(running.url());
            HttpRequest.Builder question =
                    question("/api/generate", "{\"layout\":\"idgen\",\"worker\":3,\"count\":100}");
            List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                            () -> client.sendAsync(question.build(), HttpResponse.BodyHandlers.ofString()))
                    .limit(20)
                    .toList();

            assertThat(answers.stream()
                            .map(CompletableFuture::join)
                            .flatMap(answer -> Pattern.compile("\"id\":\"(\\d+)\"")
                                    .matcher(answer.body())
                                    .results()
                                    .map(id -> id.group(1))))
                    .hasSize(2000)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void whatDoesNotFitIsRefusedInTheWordsOfTheCore() throws Exception {
        assertThat(ask("/api/generate", "{\"worker\":32,\"count\":1}").body()).contains("does not fit in 5 bits");
        assertThat(ask("/api/generate", "{\"worker\":1,\"count\":1,\"moment\":\"2000-01-01T00:00:00Z\"}")
                        .body())
                .contains("outside the layout");
        assertThat(ask(
                                "/api/generate",
                                "{\"worker\":1,\"count\":500,\"layout\":\"38-13-10-2@10ms\",\"moment\":\"2026-01-01T00:00:00Z\"}")
                        .body())
                .contains("has 4 ids of one worker");
        assertThat(ask("/api/generate", "{\"worker\":1,\"count\":1000,\"layout\":\"40-13-10-0@1s\"}")
                        .body())
                .contains("would take too long");
        assertThat(ask("/api/layout", "{\"layout\":\"twiter\"}").body()).contains("a layout is one of");
    }

    @Test
    void itListensOnThisMachineAlone() {
        assertThat(server.url()).startsWith("http://127.0.0.1:");
    }

    /** Opens connections that begin a request and never finish it. */
    private List<Socket> unfinished(int count, String beginning) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), uri.getPort());
            sockets.add(socket);
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }
        return sockets;
    }

    /** 100 of them occupy all threads until the server drops the requests. */
    @ParameterizedTest
    @ValueSource(ints = {4, 100})
    @Tag("matrix")
    void requestsThatAreNeverFinishedDoNotKeepOthersFromAnAnswer(int count) throws Exception {
        String host = "Host: 127.0.0.1:" + uri.getPort() + "\r\n";
        String head = "GET / HTTP/1.1\r\n" + host;
        String body = "POST /api/inspect HTTP/1.1\r\n" + host
                + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
        List<Socket> sockets = new ArrayList<>();
        try {
            sockets.addAll(unfinished(count / 2, head));
            sockets.addAll(unfinished(count / 2, body));

            assertThat(send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)))
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    @Tag("matrix")
    void answersThatAreNeverReadDoNotKeepOthersFromAnAnswer() throws Exception {
        String ids = Stream.generate(() -> "\"1\"").limit(1000).collect(Collectors.joining(","));
        String body = "{\"layout\":\"idgen\",\"ids\":[" + ids + "]}";
        byte[] questions = ("POST /api/inspect HTTP/1.1\r\nHost: 127.0.0.1:" + uri.getPort()
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .repeat(10) // together more than the buffers of a connection
                .getBytes(StandardCharsets.US_ASCII);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.setReceiveBufferSize(1024);
                socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), uri.getPort()));
                socket.getOutputStream().write(questions);
            }

            assertThat(send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)))
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "999999999999999",
                "9999999999999999",
                "-1",
                "-999999999999999",
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "+292278994-08-17T07:12:55.807Z",
                "-292275055-05-16T16:47:04.192Z",
                "-100000000-01-01T00:00:00Z",
                "2024-01-01T00:00:00.0000001Z"
            })
    void aWildEpochOrMomentIsAnsweredOrRefusedInWords(String wild) throws Exception {
        String epoch = "\"epoch\":\"" + wild + "\"";
        for (String layout : new String[] {"41-5-5-12", "62-0-0-1", "39-16-8@10ms,sequence-above-worker"}) {
            String asked = "{\"layout\":\"" + layout + "\"," + epoch;
            assertAnswered(ask("/api/layout", asked + "}"));
            assertAnswered(ask("/api/inspect", asked + ",\"ids\":[\"1\",\"9223372036854775807\"]}"));
            assertAnswered(ask("/api/generate", asked + ",\"worker\":0,\"count\":1}"));
            assertAnswered(ask(
                    "/api/generate",
                    "{\"layout\":\"" + layout + "\",\"moment\":\"" + wild + "\",\"worker\":0,\"count\":1}"));
        }
    }

    /** Checks that the server answers, or refuses with a message. Wide layouts contain times that are far away. */
    private static void assertAnswered(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isIn(200, 400);
        if (response.statusCode() == 400) {
            assertThat(response.body()).startsWith("{\"error\":\"").hasSizeGreaterThan(40);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+999999999-12-31T23:59:59Z", "-999999999-01-01T00:00:00Z"})
    void anEpochThatMillisecondsCannotNameIsRefused(String wild) throws Exception {
        HttpResponse<String> response = ask("/api/layout", "{\"epoch\":\"" + wild + "\"}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("further from 1970 than milliseconds can count");
    }
}
