package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdSources;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeLayout;
import io.idgen.core.contract.Together;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A database that is away for longer than a quarter of a window, while 20,000 ids a second go out, and ids end to follow the
 * time. {@code -Doutage.seconds=60} does it for the default window.
 */
@Timeout(600)
@Tag("databases")
class LeaseOutageTest {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 7));
    private static final boolean SHORT = Integer.getInteger("outage.seconds") == null;
    private static final Duration PATIENCE = OUTAGE.plusMinutes(1);

    /** Far more than any park, far less than any wait for the database would be; machines have pauses too. */
    private static final Duration NO_WAIT = Duration.ofSeconds(1);

    /** By how much ids may be ahead in a burst, and the clock of a server beside the one of this process. */
    private static final Duration AHEAD = Duration.ofSeconds(1);

    private static final int THREADS = 4;
    private static final int IDS_PER_SECOND = 20_000;

    @Test
    void costsNoCallAndLetsNoCallerWait() throws Exception {
        ExecutorService atOnce = Executors.newCachedThreadPool();
        try {
            List<Future<Figures>> outages = Stream.of(TestDatabase.POSTGRESQL, TestDatabase.MARIADB)
                    .flatMap(kind -> Stream.of(
                            atOnce.submit(() -> outage(kind, "refuses", FaultProxy::refuse)),
                            atOnce.submit(() -> outage(kind, "is silent", FaultProxy::silence))))
                    .toList();
            for (Future<Figures> outage : outages) {
                Figures figures = outage.get();
                System.out.println(figures);
                assertThat(figures.failedCalls).as("failed calls, %s", figures).isZero();
                assertThat(figures.idsWhileAway)
                        .as("ids while it was away, %s", figures)
                        .isGreaterThan(IDS_PER_SECOND * OUTAGE.toSeconds() / 2);
                assertThat(figures.slowestCall).as("%s", figures).isLessThan(NO_WAIT);
                assertThat(figures.events)
                        .as("%s", figures)
                        .containsSubsequence(Kind.LEASE_ACQUIRED, Kind.DENSE_BEGAN, Kind.OUTAGE_ENDED, Kind.DENSE_ENDED)
                        .containsSubsequence(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED);
                assertThat(figures.lag).as("%s", figures).isBetween(Duration.ofMillis(100), OUTAGE.plus(NO_WAIT));
                assertThat(figures.lagBefore).as("%s", figures).isLessThan(NO_WAIT);
                assertThat(figures.lagAfter).as("%s", figures).isLessThan(NO_WAIT);
                assertThat(figures.lead).as("%s", figures).isLessThan(AHEAD);
            }
        } finally {
            atOnce.shutdownNow();
        }
    }

    /** What an outage has cost; a lag is how far the time in an id was behind when it was drawn. */
    private record Figures(
            String outage,
            long ids,
            long idsWhileAway,
            long failedCalls,
            Duration slowestCall,
            Duration lagBefore,
            Duration lag,
            Duration lagAfter,
            Duration lead,
            List<Kind> events) {}

    private static Figures outage(TestDatabase kind, String how, Consumer<FaultProxy> fault) throws Exception {
        Queue<Kind> events = new ConcurrentLinkedQueue<>();
        try (Database database = withTables(kind);
                FaultProxy network = FaultProxy.before(database.url());
                IdSources sources = sources(network.url(), event -> heard(event, events))) {
            IdSource source = sources.get("orders");
            source.warmUp();
            try (Load load = new Load(source)) {
                long first = horizon(database);
                Await.until("a renewal", PATIENCE, () -> horizon(database) > first);
                long second = horizon(database);
                Await.until("another", PATIENCE, () -> horizon(database) > second);
                load.forget(); // how the first calls were compiled
                Instant start = Instant.now();
                Await.until("a second", PATIENCE, () -> Instant.now().isAfter(start.plusSeconds(1)));
                Duration lagBefore = load.greatestLag();

                long before = load.ids();
                fault.accept(network);
                CompletableFuture.delayedExecutor(OUTAGE.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(network::pass);
                Await.until("ids that do not follow the time", PATIENCE, () -> events.contains(Kind.DENSE_BEGAN));
                Await.until("the end of the outage", PATIENCE, () -> events.contains(Kind.OUTAGE_ENDED));
                long after = load.ids();
                Duration lag = load.greatestLag();
                Duration slowestCall = load.slowestCall();
                Duration lead = load.greatestLead();
                long atEnd = horizon(database);
                Await.until("a renewal after it", PATIENCE, () -> horizon(database) > atEnd);
                load.forget(); // no call that began in the outage is left
                long afterwards = horizon(database);
                Await.until("another after it", PATIENCE, () -> horizon(database) > afterwards);
                load.end();

                load.assertUniqueAndRising();
                return new Figures(
                        kind + " " + how + " for " + OUTAGE.toSeconds() + " s",
                        load.ids(),
                        after - before,
                        load.failedCalls(),
                        slowestCall,
                        lagBefore,
                        lag,
                        load.greatestLag(),
                        lead,
                        List.copyOf(events));
            }
        }
    }

    private static void heard(IdgenEvent event, Queue<Kind> events) {
        events.add(event.kind());
    }

    private static Database withTables(TestDatabase kind) {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    private static IdSources sources(String url, IdgenListener listener) {
        IdSources.Builder builder =
                IdSources.builder().source("orders").set("idgen.jdbc.url", url).resource(IdgenListener.class, listener);
        if (SHORT) {
            builder.set("idgen.worker.window", "12s")
                    .set("idgen.worker.lease", "3s")
                    .set("idgen.worker.renew", "1s");
        }
        return builder.build();
    }

    private static long horizon(Database database) throws Exception {
        return Sql.number(database.dataSource(), "SELECT MAX(horizon) FROM idgen_worker");
    }

    /** Threads that together take their ids evenly, one by one. */
    private static final class Load implements AutoCloseable {
        private static final Duration TICK = Duration.ofMillis(5);

        private final List<Taker> takers;
        private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(THREADS);

        Load(IdSource source) {
            takers = Stream.generate(() -> new Taker(source)).limit(THREADS).toList();
            takers.forEach(taker -> clock.scheduleAtFixedRate(taker, 0, TICK.toMillis(), TimeUnit.MILLISECONDS));
        }

        long ids() {
            return takers.stream().mapToLong(taker -> taker.count).sum();
        }

        long failedCalls() {
            return takers.stream().mapToLong(taker -> taker.failedCalls).sum();
        }

        void forget() {
            takers.forEach(taker -> {
                taker.slowestCallNanos.set(0);
                taker.greatestLagMillis.set(0);
                taker.greatestLeadMillis.set(0);
            });
        }

        Duration slowestCall() {
            return Duration.ofNanos(greatest(taker -> taker.slowestCallNanos));
        }

        Duration greatestLag() {
            return Duration.ofMillis(greatest(taker -> taker.greatestLagMillis));
        }

        Duration greatestLead() {
            return Duration.ofMillis(greatest(taker -> taker.greatestLeadMillis));
        }

        private long greatest(Function<Taker, AtomicLong> figure) {
            return takers.stream().map(figure).mapToLong(AtomicLong::get).max().orElseThrow();
        }

        void end() throws InterruptedException {
            clock.shutdown();
            assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }

        void assertUniqueAndRising() {
            List<long[]> ids = takers.stream()
                    .map(taker -> Arrays.copyOf(taker.ids, taker.count))
                    .toList();
            Together.assertDistinct(ids);
            assertThat(ids).allSatisfy(ofOneThread -> assertThat(ofOneThread).isSorted());
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }

    /** One thread of the load; written by it alone, but for the figures that are forgotten. */
    private static final class Taker implements Runnable {
        private static final int IDS_PER_TICK = (int) (IDS_PER_SECOND * Load.TICK.toMillis() / 1_000 / THREADS);

        private final IdSource source;
        private final AtomicLong slowestCallNanos = new AtomicLong();
        private final AtomicLong greatestLagMillis = new AtomicLong();
        private final AtomicLong greatestLeadMillis = new AtomicLong();
        private long[] ids = new long[1_000_000];
        private volatile int count;
        private volatile long failedCalls;

        Taker(IdSource source) {
            this.source = source;
        }

        @Override
        public void run() {
            for (int i = 0; i < IDS_PER_TICK; i++) {
                take();
            }
        }

        private void take() {
            try {
                long callMillis = System.currentTimeMillis();
                long beforeNanos = System.nanoTime();
                long id = source.nextId();
                slowestCallNanos.accumulateAndGet(System.nanoTime() - beforeNanos, Math::max);
                long millis = SnowflakeLayout.IDGEN.parse(id).time().toEpochMilli();
                greatestLagMillis.accumulateAndGet(callMillis - millis, Math::max);
                greatestLeadMillis.accumulateAndGet(millis - System.currentTimeMillis(), Math::max);
                if (count == ids.length) {
                    ids = Arrays.copyOf(ids, 2 * count);
                }
                ids[count] = id;
                count = count + 1;
            } catch (IdGenerationException e) {
                failedCalls = failedCalls + 1;
            }
        }
    }
}
