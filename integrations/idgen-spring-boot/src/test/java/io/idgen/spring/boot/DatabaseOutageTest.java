package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The actuator over HTTP during an outage of PostgreSQL. {@code letters} has snowflakes with a lease, {@code parcels}
 * has segments, and both generate 100 ids per second. {@code stamps} has few ids, and uses them up near the end of the
 * outage. {@code -Doutage.seconds=60} tests the default timeouts of leases and connections.
 */
@Tag("matrix")
@Timeout(600)
class DatabaseOutageTest {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 4));
    private static final boolean SHORT = Integer.getInteger("outage.seconds") == null;
    private static final Duration PATIENCE = OUTAGE.plusMinutes(2);
    private static final long LINE_MILLIS = OUTAGE.toMillis() / 12;

    private static final String UP = "UP";
    private static final String DEGRADED = "DEGRADED";
    private static final String OUT_OF_SERVICE = "OUT_OF_SERVICE";

    @Test
    void healthEndpointAndMetersShowThatIdsComeFromTheReserveAndWhenNoneAreLeft() throws Exception {
        ScheduledExecutorService callers = Executors.newSingleThreadScheduledExecutor();
        ScheduledExecutorService callersOfStamps = Executors.newSingleThreadScheduledExecutor();
        try (Database database = TestDatabase.POSTGRESQL.create();
                FaultProxy network = FaultProxy.before(database.url());
                ConfigurableApplicationContext shop = start(network.url())) {
            Drawing letters = new Drawing(shop.getBean("lettersIdSource", IdSource.class));
            Drawing parcels = new Drawing(shop.getBean("parcelsIdSource", IdSource.class));
            IdSource stamps = shop.getBean("stampsIdSource", IdSource.class);
            callers.scheduleAtFixedRate(letters, 0, 10, TimeUnit.MILLISECONDS);
            callers.scheduleAtFixedRate(parcels, 5, 10, TimeUnit.MILLISECONDS);
            Actuator actuator = new Actuator(shop);
            actuator.await("a window longer than the outage", line -> line.windowSeconds > OUTAGE.toSeconds() + 60);
            assertThat(stamps.nextId()).isPositive();
            actuator.header();
            actuator.await("health before the outage", line -> line.status.equals(UP));

            network.refuse();
            actuator.startClock();
            actuator.await("ids from the reserve", line -> line.status.equals(DEGRADED));
            actuator.await("most of the outage", line -> actuator.millis() > OUTAGE.toMillis() * 3 / 4);
            callersOfStamps.scheduleWithFixedDelay(() -> drawIfAny(stamps), 0, 20, TimeUnit.MILLISECONDS);
            actuator.await("a source without ids", line -> line.status.equals(OUT_OF_SERVICE));
            actuator.await("the end of the outage", line -> actuator.millis() > OUTAGE.toMillis());
            network.pass();
            actuator.await("health after the outage", line -> line.status.equals(UP));
            callers.shutdown();
            assertThat(callers.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            actuator.footer(letters, parcels);

            assertThat(actuator.statuses())
                    .containsSubsequence(UP, DEGRADED, OUT_OF_SERVICE, UP)
                    .endsWith(UP);
            assertThat(actuator.codes).containsOnly("UP 200", "DEGRADED 200", "OUT_OF_SERVICE 503");
            assertThat(actuator.meters).contains("UP 1.0", "DEGRADED 0.5", "OUT_OF_SERVICE 0.0");
            for (Drawing source : List.of(letters, parcels)) {
                assertThat(source.failures.get()).isZero();
                assertThat(source.ids).hasSize((int) source.calls.get());
            }
        } finally {
            callers.shutdownNow();
            callersOfStamps.shutdownNow();
        }
    }

    private static ConfigurableApplicationContext start(String url) {
        List<String> settings = new ArrayList<>(List.of(
                "server.port=0",
                "spring.main.banner-mode=off",
                "spring.datasource.url=" + url,
                "spring.jpa.hibernate.ddl-auto=update",
                "idgen.jdbc.initialize-schema=flyway",
                "spring.jpa.open-in-view=false",
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "management.endpoints.web.exposure.include=health,metrics,idgen",
                "management.endpoint.health.show-details=always",
                "idgen.sources.letters.strategy=snowflake",
                "idgen.sources.parcels.strategy=segment",
                "idgen.sources.parcels.start=1",
                "idgen.sources.parcels.segment.step=10000",
                "idgen.sources.stamps.strategy=segment",
                "idgen.sources.stamps.start=1",
                "idgen.sources.stamps.segment.step=10",
                "idgen.sources.stamps.segment.max-step=10",
                "logging.level.root=error"));
        if (SHORT) {
            settings.addAll(List.of(
                    "idgen.worker.window=2m", // longer, for a busy machine
                    "idgen.worker.lease=3s",
                    "idgen.acquire-timeout=1m"));
        }
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .properties(settings.toArray(String[]::new))
                .run();
    }

    private static void drawIfAny(IdSource source) {
        try {
            source.nextId();
        } catch (IdUnavailableException e) {
            // expected in the outage; the actuator reports it
        }
    }

    /** Calls a source and counts the results. */
    private static final class Drawing implements Runnable {
        private final IdSource source;
        private final Set<Long> ids = ConcurrentHashMap.newKeySet();
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong failures = new AtomicLong();

        Drawing(IdSource source) {
            this.source = source;
        }

        @Override
        public void run() {
            calls.incrementAndGet();
            try {
                ids.add(source.nextId());
            } catch (RuntimeException e) {
                failures.incrementAndGet();
            }
        }

        @Override
        public String toString() {
            return calls + " calls, " + failures + " failed, " + ids.size() + " different ids";
        }
    }

    /** The output of the actuator at one moment. */
    private record Line(int code, String status, double windowSeconds, String text) {}

    /** A client of the actuator. */
    private static final class Actuator {
        private static final Pattern STATUS = Pattern.compile("\"status\":\"(\\w+)\"");
        private static final Pattern VALUE = Pattern.compile("\"value\":(NaN|\"NaN\"|[0-9.E-]+)");

        private final HttpClient client = HttpClient.newHttpClient();
        private final String url;
        private final List<Line> lines = new ArrayList<>();
        private final Set<String> codes = ConcurrentHashMap.newKeySet();
        private final Set<String> meters = ConcurrentHashMap.newKeySet();
        private long startNanos = System.nanoTime();
        private boolean isPrinting;

        Actuator(ConfigurableApplicationContext shop) {
            this.url = "http://localhost:" + shop.getEnvironment().getProperty("local.server.port") + "/actuator/";
        }

        void startClock() {
            startNanos = System.nanoTime();
        }

        long millis() {
            return Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
        }

        void header() {
            isPrinting = true;
            System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ", PostgreSQL cut off for "
                    + OUTAGE.toSeconds() + " s from second 0 on\n\n"
                    + "| second | health, HTTP | letters: window left | outage | parcels: ids left | outage"
                    + " | stamps: ids left | outage |\n|---|---|---|---|---|---|---|---|");
        }

        void footer(Drawing letters, Drawing parcels) {
            System.out.println("\nletters: " + letters + "; parcels: " + parcels + "\n");
        }

        /** Returns the statuses in order, without repetitions. */
        List<String> statuses() {
            List<String> statuses = new ArrayList<>();
            for (Line line : lines) {
                if (statuses.isEmpty() || !statuses.get(statuses.size() - 1).equals(line.status)) {
                    statuses.add(line.status);
                }
            }
            return statuses;
        }

        /** Requests the health at regular intervals, and prints each answer. */
        void await(String what, Predicate<Line> condition) throws Exception {
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            for (Line line = look(); !condition.test(line); line = look()) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    fail("not within %s: %s; the last answer is %s", PATIENCE, what, line);
                }
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, LINE_MILLIS, TimeUnit.MILLISECONDS)
                        .get();
            }
        }

        private Line look() throws IOException, InterruptedException {
            HttpResponse<String> health = get("health/idgen");
            Matcher status = STATUS.matcher(health.body());
            assertThat(status.find()).as(health.body()).isTrue();
            double window = meter("idgen.worker.window.remaining", "letters");
            Line line = new Line(
                    health.statusCode(),
                    status.group(1),
                    window,
                    String.format(
                            Locale.ROOT,
                            "| %.1f | %s, %d | %.0f s | %s | %.0f | %s | %.0f | %s |",
                            millis() / 1000.0,
                            status.group(1),
                            health.statusCode(),
                            window,
                            outage("letters"),
                            meter("idgen.segment.remaining", "parcels"),
                            outage("parcels"),
                            meter("idgen.segment.remaining", "stamps"),
                            outage("stamps")));
            if (isPrinting) {
                lines.add(line);
                codes.add(line.status + " " + line.code);
                worst(line.status);
                System.out.println(line.text);
            }
            return line;
        }

        /** Records the meter of the worst source, if the health has not changed since. */
        private void worst(String status) throws IOException, InterruptedException {
            double health = 1;
            for (String source : List.of("letters", "parcels", "stamps")) {
                health = Math.min(health, meter("idgen.health", source));
            }
            if (get("health/idgen").body().contains("\"status\":\"" + status + "\"")) {
                meters.add(status + " " + health);
            }
        }

        private String outage(String source) throws IOException, InterruptedException {
            double seconds = meter("idgen.store.outage", source);
            return seconds == 0 ? "" : String.format(Locale.ROOT, "%.1f s", seconds);
        }

        private double meter(String name, String source) throws IOException, InterruptedException {
            String body = get("metrics/" + name + "?tag=idgen.source:" + source).body();
            Matcher value = VALUE.matcher(body);
            assertThat(value.find()).as(body).isTrue();
            return Double.parseDouble(value.group(1).replace("\"", ""));
        }

        private HttpResponse<String> get(String path) throws IOException, InterruptedException {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
