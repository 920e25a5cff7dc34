package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdSourcesTest {
    private static final List<String> LEVELS = List.of("code", "system property", "environment", "file", "bind");

    private final String namespace = UUID.randomUUID().toString();

    @TempDir
    private Path folder;

    /** A strategy with a setting. Records which sources it opened with which value, and which were closed. */
    private static final class Probe implements IdStrategy {
        static final Setting<String> WORD =
                Setting.<String>of("probe.word", "A word.", Function.identity()).withDefault("none");

        final Map<String, String> words = new TreeMap<>();
        final List<String> closed = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger opens = new AtomicInteger();
        final List<String> warm = new ArrayList<>();
        String failingToStart = "";
        Set<String> failingToClose = Set.of();
        Consumer<String> beforeOpening = name -> {};

        @Override
        public String name() {
            return "probe";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(WORD);
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(42, () -> open(context));
        }

        private IdSource open(SourceContext context) {
            String name = context.name();
            beforeOpening.accept(name);
            opens.incrementAndGet();
            words.put(name, context.get(WORD));
            return new IdSource() {
                @Override
                public long nextId() {
                    return 7;
                }

                @Override
                public void warmUp() {
                    if (name.equals(failingToStart)) {
                        throw new IllegalStateException(name + " does not start");
                    }
                    warm.add(name);
                }

                @Override
                public void close() {
                    closed.add(name);
                    if (failingToClose.contains(name)) {
                        throw new IllegalStateException(name + " does not close");
                    }
                }
            };
        }
    }

    /** Returns a builder that sees neither this JVM's properties nor its environment. */
    private static IdSources.Builder builder() {
        return IdSources.builder().environment(new Properties(), Map.of());
    }

    /** Returns a builder whose snowflakes use a namespace of this test alone. */
    private IdSources.Builder snowflakes() {
        return builder().set("idgen.worker.namespace", namespace).set("idgen.worker.assigner", "single-process");
    }

    private static IdSources.Builder probes(Probe probe) {
        return builder().set("idgen.strategy", "probe").strategy(probe);
    }

    private static ConfigurationException refused(ErrorCode code, IdSources.Builder builder) {
        ConfigurationException e = assertThrows(ConfigurationException.class, builder::build);
        assertThat(e.code()).isEqualTo(code);
        return e;
    }

    // origins of settings

    /**
     * Returns sources with a value of the key in the given place and in all places of lower precedence. The value is
     * the name of its place.
     */
    private IdSources sourcesThatKnow(Probe probe, String key, String strongest) throws IOException {
        Properties system = new Properties();
        Map<String, String> environment = new HashMap<>();
        IdSources.Builder builder = IdSources.builder()
                .environment(system, environment)
                .strategy(probe)
                .set("idgen.strategy", "probe");
        Map<String, String> known = new HashMap<>();
        for (String level : LEVELS.subList(LEVELS.indexOf(strongest), LEVELS.size())) {
            switch (level) {
                case "code" -> builder.set(key, level);
                case "system property" -> system.setProperty(key, level);
                case "environment" ->
                    environment.put(key.toUpperCase(Locale.ROOT).replace('.', '_'), level);
                case "file" ->
                    builder.file(Files.writeString(folder.resolve("idgen.properties"), key + "=" + level + "\n"));
                default -> known.put("probe.word", level);
            }
        }
        SourceBinder binder = SourceBinder.of(builder);
        binder.bind("orders", known);
        return binder.sources();
    }

    @ParameterizedTest
    @ValueSource(strings = {"code", "system property", "environment", "file", "bind"})
    void theStrongestPlaceWinsForAllSources(String strongest) throws IOException {
        Probe probe = new Probe();
        try (IdSources sources = sourcesThatKnow(probe, "idgen.probe.word", strongest)) {
            sources.get("orders");

            assertThat(probe.words).containsEntry("orders", strongest);
        }
    }

    @Test
    void aSettingForOneSourceBeatsTheOneForAllFromWhereverItComes() {
        Probe probe = new Probe();
        Properties system = new Properties();
        system.setProperty("idgen.sources.shop.orders.probe.word", "orders of the shop");
        try (IdSources sources = IdSources.builder()
                .environment(system, Map.of("IDGEN_SOURCES_INVOICES_PROBE_WORD", "invoices"))
                .strategy(probe)
                .set("idgen.strategy", "probe")
                .set("idgen.probe.word", "all")
                .source("invoices")
                .source("refunds")
                .build()) {
            sources.get("shop.orders");
            sources.get("invoices");
            sources.get("refunds");

            assertThat(probe.words)
                    .isEqualTo(Map.of("shop.orders", "orders of the shop", "invoices", "invoices", "refunds", "all"));
        }
    }

    @Test
    void theLastBindingOfANameAppliesUntilItsSourceIsOpen() {
        Probe probe = new Probe();
        SourceBinder binder = SourceBinder.of(probes(probe));
        try (IdSources sources = binder.sources()) {
            binder.bind("orders", Map.of("probe.word", "first"));
            SourcePlan second = binder.bind("orders", Map.of("probe.word", "second"));
            assertThat(binder.bind("orders", Map.of("probe.word", "second"))).isSameAs(second);
            assertThat(binder.bind("orders", Map.of())).isSameAs(second);
            assertThat(sources.plan("orders")).isSameAs(second);
            IdSource orders = sources.get("orders");
            binder.bind("orders", Map.of("probe.word", "third"));

            assertThat(sources.get("orders")).isSameAs(orders);
            assertThat(probe.words).isEqualTo(Map.of("orders", "second"));
            assertThat(probe.opens).hasValue(1);
        }
    }

    /** Starts a thread, and returns when it is in the given state. */
    private static Thread start(Runnable run, Thread.State waits) {
        Thread thread = new Thread(run);
        thread.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (thread.getState() != waits) {
            assertThat(System.nanoTime()).as("a thread that waits").isLessThan(deadline);
            Thread.onSpinWait();
        }
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void settingsOfOtherLibrariesAreNotLookedAt() throws IOException {
        Path file = Files.writeString(folder.resolve("application.properties"), "spring.main.banner=off\nidgenx=1\n");

        builder().file(file).set("hibernate.show_sql", "true").build().close();
    }

    // refusals

    @Test
    void anUnknownKeyIsRefusedWithTheNearestKnownOnesAndWithoutItsValue() {
        ConfigurationException e = refused(ErrorCode.UNKNOWN_SETTING, builder().set("idgen.worker.idd", "hunter2"));

        assertThat(e.getMessage())
                .startsWith("IDGEN-101: no setting is called idgen.worker.idd; the nearest known are idgen.worker.id, ")
                .doesNotContain("hunter2");
    }

    @Test
    void aSettingThatOnlySingleSourcesHaveIsAnsweredWithItsName() {
        assertThat(refused(ErrorCode.UNKNOWN_SETTING, builder().set("idgen.limit", "2147483648")))
                .hasMessageContaining(
                        "no setting is called idgen.limit; the nearest known are idgen.sources.<name>.limit");
    }

    @ParameterizedTest
    @CsvSource({
        "orders.worker.idd, worker.id",
        "orders.strateg, strategy",
        "customer-order-positions-of-the-shop.worker.idd, worker.id",
        "customer-order-positions-of-the-shop.strateg, strategy"
    })
    void anUnknownKeyOfASourceIsRefusedWithTheNearestKnownOnes(String key, String nearest) {
        ConfigurationException e = refused(ErrorCode.UNKNOWN_SETTING, builder().set("idgen.sources." + key, "hunter2"));

        assertThat(e.getMessage())
                .contains("no setting is called idgen.sources." + key + ";")
                .containsPattern("nearest known are .*\\b" + nearest + "(,|$)")
                .doesNotContain("hunter2");
    }

    @Test
    void environmentVariablesThatAreNotKnownAreIgnored() {
        Map<String, String> environment = Map.of("IDGEN_SERVICE_HOST", "10.0.0.1", "IDGEN_PORT", "tcp://10.0.0.1:80");

        try (IdSources sources = IdSources.builder()
                .environment(new Properties(), environment)
                .set("idgen.worker.assigner", "single-process")
                .set("idgen.worker.namespace", namespace)
                .source("orders")
                .build()) {
            assertThat(sources.get("orders").nextId()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "code, code",
        "system property, system property idgen.worker.id",
        "environment, environment variable IDGEN_WORKER_ID",
        "file, /etc/idgen.properties"
    })
    void aBadValueNamesWhereItCameFrom(String level, String origin) {
        Properties system = new Properties();
        Map<String, String> environment = new HashMap<>();
        IdSources.Builder builder =
                IdSources.builder().environment(system, environment).source("orders");
        switch (level) {
            case "code" -> builder.set("idgen.worker.id", "three");
            case "system property" -> system.setProperty("idgen.worker.id", "three");
            case "environment" -> environment.put("IDGEN_WORKER_ID", "three");
            default -> builder.settings(Map.of("idgen.worker.id", "three"), origin);
        }

        assertThat(refused(ErrorCode.INVALID_SETTING, builder))
                .hasMessage("IDGEN-102: idgen.worker.id: a whole number from 0 to 2147483647 is expected, got 'three'"
                        + " (from " + origin + ")");
    }

    @Test
    void aWorkerIdThatDoesNotFitIsRefusedWithItsOrigin() {
        Properties system = new Properties();
        system.setProperty("idgen.worker.id", "32");

        assertThat(refused(
                        ErrorCode.INVALID_SETTING,
                        IdSources.builder().environment(system, Map.of()).source("orders")))
                .hasMessageContainingAll("idgen.worker.id", "32", "31", "5", "system property idgen.worker.id");
    }

    @Test
    void anUnknownStrategyIsRefusedWithTheKnownOnes() {
        ConfigurationException e = refused(
                ErrorCode.UNKNOWN_STRATEGY,
                probes(new Probe()).set("idgen.strategy", "snowflakes").source("orders"));

        assertThat(e)
                .hasMessageContainingAll(
                        "idgen.strategy: no strategy is called 'snowflakes'",
                        "known are probe, snowflake",
                        "idgen-jdbc",
                        "(from code)");
    }

    @Test
    void anUnknownWorkerIsRefusedWithTheRangeAndTheWaysOut() {
        assertThat(refused(ErrorCode.WORKER_ID_UNKNOWN, builder().source("orders")))
                .hasMessageContainingAll(
                        "idgen.jdbc.data-source or idgen.jdbc.url", "idgen.worker.id to a number from 0 to 31")
                .hasMessageNotContaining("single-process");
    }

    @Test
    void anUnknownSourceIsRefusedWithTheNearest() {
        try (IdSources sources = probes(new Probe())
                .source("orders")
                .source("invoices")
                .source("order-positions")
                .source("customers")
                .build()) {
            for (Function<String, ?> call :
                    List.<Function<String, ?>>of(sources::get, sources::plan, sources::strategy)) {
                ConfigurationException e = assertThrows(ConfigurationException.class, () -> call.apply("order"));

                assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SOURCE);
                assertThat(e)
                        .hasMessageContainingAll(
                                "no source is called 'order'; the nearest known are orders, ", "idgen.sources.order.");
            }
        }
        try (IdSources none = builder().build()) {
            assertThat(assertThrows(ConfigurationException.class, () -> none.get("orders")))
                    .hasMessageContaining("none is known");
        }
    }

    // strategies

    @Test
    void allSettingsAreListedByName() {
        List<Setting<?>> settings = IdSources.settings();

        assertThat(settings)
                .extracting(Setting::toString)
                .isSorted()
                .contains("idgen.strategy", "idgen.snowflake.clock-policy", "idgen.worker.id");
        assertThat(settings).allSatisfy(setting -> {
            assertThat(setting.meaning()).endsWith(".");
            setting.defaultText()
                    .ifPresent(text ->
                            assertThat((Object) setting.parser().apply(text)).isNotNull());
        });
    }

    @Test
    void sourcesWithEqualSettingsShareOneSnowflake() {
        try (IdSources sources = snowflakes()
                .source("orders")
                .source("invoices")
                .set("idgen.sources.logs.worker.namespace", namespace + " of logs")
                .build()) {
            IdSource orders = sources.get("orders");

            assertThat(orders).isInstanceOf(Snowflake.class);
            assertThat(sources.get("invoices")).isSameAs(orders);
            assertThat(sources.get("logs")).isNotSameAs(orders);
            assertThat(sources.get("orders")).isSameAs(orders);
        }
    }

    @Test
    void aSnowflakeIsAsItsSettingsSay() {
        Clock clock = Clock.fixed(Instant.parse("2026-11-20T08:00:00.123Z"), ZoneOffset.UTC);
        try (IdSources sources = builder()
                .clock(clock)
                .set("idgen.worker.namespace", namespace)
                .set("idgen.worker.id", "517")
                .set("idgen.snowflake.layout", "41-10-12")
                .set("idgen.snowflake.epoch", "2020-01-01T00:00:00Z")
                .set("idgen.snowflake.clock-policy", "run-ahead:1s")
                .source("orders")
                .build()) {
            SnowflakeLayout layout = SnowflakeLayout.parse("41-10-12").withEpoch(Instant.parse("2020-01-01T00:00:00Z"));

            assertThat(sources.strategy("orders")).isEqualTo("snowflake");
            assertThat(layout.parse(sources.plan("orders").largestId()))
                    .isEqualTo(new SnowflakeParts(layout.end(), 0, 1023, 4095));
            assertThat(layout.parse(sources.get("orders").nextId()).worker()).isEqualTo(517);
            assertThat(sources.get("orders"))
                    .isInstanceOfSatisfying(
                            Snowflake.class,
                            snowflake -> assertThat(snowflake.layout()).isEqualTo(layout));
        }
    }

    @ParameterizedTest
    @CsvSource({"3, a power of two", "0, from 1 to"})
    void aBoundOfStartOffsetsThatCannotBeRightIsRefused(String bound, String message) {
        assertThat(refused(
                        ErrorCode.INVALID_SETTING,
                        snowflakes()
                                .set("idgen.snowflake.start-offset-below", bound)
                                .source("orders")))
                .hasMessageContainingAll("idgen.snowflake.start-offset-below", message, "got", bound, "(from code)");
    }

    @Test
    void whatIsHandedInReachesTheStrategy() {
        List<Object> seen = new ArrayList<>();
        IdStrategy curious = new IdStrategy() {
            @Override
            public String name() {
                return "curious";
            }

            @Override
            public List<Class<?>> resources() {
                return List.of(CharSequence.class, Number.class);
            }

            @Override
            public SourcePlan plan(SourceContext context) {
                return new SourcePlan(1, () -> open(context));
            }

            private IdSource open(SourceContext context) {
                seen.add(context.resource(CharSequence.class).orElseThrow());
                seen.add(context.resource(Number.class).isPresent());
                throw context.refusal(Strategies.STRATEGY, "that is enough");
            }
        };
        try (IdSources sources = builder()
                .strategy(curious)
                .resource(CharSequence.class, "handed in")
                .set("idgen.sources.orders.strategy", "curious")
                .build()) {
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> sources.get("orders"));

            assertThat(e).hasMessage("IDGEN-102: idgen.strategy: that is enough (from code)");
        }
        assertThat(seen).containsExactly("handed in", false);
    }

    @Test
    void anObjectThatNoStrategyLooksUpIsRefusedWithTheTypeThatIsMeant() {
        WorkerIdAssigner nine = new WorkerIdAssigner() {
            @Override
            public int workerId() {
                return 9;
            }
        };
        ConfigurationException meant = refused(withResource(builder(), nine));
        assertThat(meant.code()).isEqualTo(ErrorCode.UNKNOWN_RESOURCE);
        assertThat(meant)
                .hasMessageContaining("no strategy reads a resource of type "
                        + nine.getClass().getName())
                .hasMessageContaining("pass it as io.idgen.core.config.WorkerIdAssigner");

        assertThat(refused(builder().resource(CharSequence.class, "no use")))
                .hasMessageContaining("no strategy reads a resource of type java.lang.CharSequence; known are"
                        + " io.idgen.core.IdgenListener, io.idgen.core.config.WorkerIdAssigner,"
                        + " io.idgen.core.lease.LeaseStore");
    }

    @SuppressWarnings("unchecked")
    private static <T> IdSources.Builder withResource(IdSources.Builder builder, T object) {
        return builder.resource((Class<T>) object.getClass(), object);
    }

    private static ConfigurationException refused(IdSources.Builder builder) {
        return assertThrows(ConfigurationException.class, builder::build);
    }

    // opening and closing

    @Test
    void nothingIsOpenedBeforeItIsGot() {
        Probe probe = new Probe();
        SourceBinder binder = SourceBinder.of(probes(probe).source("orders"));
        try (IdSources sources = binder.sources()) {
            binder.bind("invoices", Map.of());
            sources.plan("orders");
            sources.strategy("invoices");

            assertThat(probe.opens).hasValue(0);
        }
        assertThat(probe.closed).isEmpty();
    }

    @Test
    void eagerSourcesAreOpenedAndWarmedUpWhenAllAreBuilt() {
        Probe probe = new Probe();

        probes(probe)
                .set("idgen.startup", "eager")
                .set("idgen.sources.lazy.startup", "lazy")
                .source("orders")
                .source("lazy")
                .build()
                .close();

        assertThat(probe.warm).containsExactly("orders");
        assertThat(probe.closed).containsExactly("orders");
    }

    @Test
    void ifAnEagerSourceCannotStartThoseThatHaveStartedAreClosed() {
        Probe probe = new Probe();
        probe.failingToStart = "orders";
        IdSources.Builder builder =
                probes(probe).set("idgen.startup", "eager").source("invoices").source("orders");

        assertThat(assertThrows(IllegalStateException.class, builder::build)).hasMessage("orders does not start");

        assertThat(probe.warm).containsExactly("invoices");
        assertThat(probe.closed).contains("invoices");
    }

    @Test
    void aSourceIsOpenedOnceHoweverManyThreadsAskForIt() throws Exception {
        CountDownLatch allAsked = new CountDownLatch(1);
        Probe probe = new Probe();
        probe.beforeOpening = name -> await(allAsked);
        Set<IdSource> got = Collections.synchronizedSet(new HashSet<>());
        try (IdSources sources = probes(probe).source("orders").build()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                // the first thread waits in the strategy, the others wait for the lock
                threads.add(start(
                        () -> got.add(sources.get("orders")),
                        i == 0 ? Thread.State.TIMED_WAITING : Thread.State.WAITING));
            }
            allAsked.countDown();
            for (Thread thread : threads) {
                thread.join(30_000);
            }

            assertThat(got).containsExactly(sources.get("orders"));
            assertThat(probe.opens).hasValue(1);
        }
        assertThat(probe.closed).containsExactly("orders");
    }

    @Test
    void closingClosesTheLatestFirstAndOnlyWhatWasOpened() {
        Probe probe = new Probe();
        IdSources sources = probes(probe)
                .source("a")
                .source("b")
                .source("c")
                .source("unused")
                .build();
        List.of("b", "c", "a").forEach(sources::get);

        sources.close();
        sources.close();

        assertThat(probe.closed).containsExactly("a", "c", "b");
    }

    @Test
    void closingGoesOnAfterASourceThatDoesNotClose() {
        Probe probe = new Probe();
        probe.failingToClose = Set.of("b", "c");
        IdSources sources = probes(probe).source("a").source("b").source("c").build();
        List.of("a", "b", "c").forEach(sources::get);

        IdGenerationException e = assertThrows(IdGenerationException.class, sources::close);

        assertThat(probe.closed).containsExactly("c", "b", "a");
        assertThat(e).hasRootCauseMessage("c does not close");
        assertThat(e.getSuppressed()).hasSize(1);
        assertThat(e.getSuppressed()[0]).hasMessage("b does not close");
        sources.close();
        assertThat(probe.closed).hasSize(3);
    }

    @Test
    void whatSourcesShareIsMadeOnceAndClosedAfterThem() {
        List<String> events = new ArrayList<>();
        IdStrategy sharing = new IdStrategy() {
            @Override
            public String name() {
                return "sharing";
            }

            @Override
            public SourcePlan plan(SourceContext context) {
                return new SourcePlan(1, () -> open(context));
            }

            private IdSource open(SourceContext context) {
                AutoCloseable pool = context.shared("pool", () -> {
                    events.add("open pool");
                    return () -> events.add("close pool");
                });
                events.add("open " + context.name());
                return new IdSource() {
                    @Override
                    public long nextId() {
                        return pool.hashCode();
                    }

                    @Override
                    public void close() {
                        events.add("close " + context.name());
                    }
                };
            }
        };
        try (IdSources sources = builder()
                .strategy(sharing)
                .set("idgen.strategy", "sharing")
                .source("a")
                .source("b")
                .build()) {
            sources.get("a");
            sources.get("b");
        }

        assertThat(events).containsExactly("open pool", "open a", "open b", "close b", "close a", "close pool");
    }

    @Test
    void aSourceThatFailsToOpenCanBeAskedForAgain() {
        Snowflake.Builder inTheWay =
                Snowflake.builder().namespace(namespace).workerId(0).clockPolicy(ClockPolicy.fail());
        try (IdSources sources = snowflakes().source("orders").build()) {
            Snowflake other = inTheWay.build();
            assertThat(assertThrows(ConfigurationException.class, () -> sources.get("orders"))
                            .code())
                    .isEqualTo(ErrorCode.WORKER_ID_IN_USE);

            other.close();

            assertThat(sources.get("orders").nextId()).isPositive();
        }
    }
}
