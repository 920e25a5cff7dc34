package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Shop;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The actuator over HTTP during an outage of PostgreSQL. {@code letters} has snowflakes with a lease, {@code parcels}
 * has segments, and both generate 100 ids per second. {@code stamps} has few ids, and uses them up in the outage.
 */
@Tag("matrix")
@Timeout(600)
class DatabaseOutageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern STATUS = Pattern.compile("\"status\":\"(\\w+)\"");
    private static final Pattern VALUE = Pattern.compile("\"value\":(NaN|\"NaN\"|[0-9.E-]+)");

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
            actuator.await(() -> actuator.meter("idgen.worker.window.remaining", "letters") > 60);
            assertThat(stamps.nextId()).isPositive();
            actuator.await("UP", 200, 1);

            network.refuse();
            actuator.await("DEGRADED", 200, 0.5);
            callersOfStamps.scheduleWithFixedDelay(() -> drawIfAny(stamps), 0, 20, TimeUnit.MILLISECONDS);
            actuator.await("OUT_OF_SERVICE", 503, 0);
            network.pass();
            actuator.await("UP", 200, 1);

            callers.shutdown();
            assertThat(callers.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
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
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .properties(
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
                        "idgen.sources.stamps.segment.reserve=0s",
                        "idgen.acquire-timeout=1m",
                        "logging.level.root=error")
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
    }

    /** A client of the actuator. */
    private static final class Actuator {
        private final HttpClient client = HttpClient.newHttpClient();
        private final String url;

        Actuator(ConfigurableApplicationContext shop) {
            this.url = "http://localhost:" + shop.getEnvironment().getProperty("local.server.port") + "/actuator/";
        }

        /** Waits for a status of the health with its code, and for the meter of the worst source. */
        void await(String status, int code, double worst) throws Exception {
            await(() -> {
                HttpResponse<String> health = get("health/idgen");
                double least = 1;
                for (String source : List.of("letters", "parcels", "stamps")) {
                    least = Math.min(least, meter("idgen.health", source));
                }
                return find(STATUS, health.body()).equals(status) && health.statusCode() == code && least == worst;
            });
        }

        void await(Callable<Boolean> condition) throws Exception {
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.call()) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    fail(
                            "not within %s; the last answer is %s",
                            PATIENCE, get("health/idgen").body());
                }
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, 100, TimeUnit.MILLISECONDS)
                        .get();
            }
        }

        double meter(String name, String source) throws Exception {
            String body = get("metrics/" + name + "?tag=idgen.source:" + source).body();
            return Double.parseDouble(find(VALUE, body).replace("\"", ""));
        }

        private static String find(Pattern pattern, String body) {
            Matcher found = pattern.matcher(body);
            assertThat(found.find()).as(body).isTrue();
            return found.group(1);
        }

        private HttpResponse<String> get(String path) throws Exception {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
