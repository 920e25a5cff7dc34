package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An outage that lasts longer than a quarter of a window, at 20,000 ids per second, so that the time in ids falls
 * behind the clock. {@code -Doutage.seconds=60} tests the default window.
 */
@Tag("matrix")
class LeaseOutageTest {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 7));
    private static final boolean SHORT = Integer.getInteger("outage.seconds") == null;
    private static final Duration PATIENCE = OUTAGE.plusMinutes(3);
    private static final long IDS_WHILE_AWAY = EvenLoad.IDS_PER_SECOND * OUTAGE.toSeconds() / 2;

    /** How far ids are behind the clock in an outage, at least. Otherwise they are less than half as far behind. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

    /**
     * How far ids may be ahead of the clock: in a burst, plus the difference between the clocks of server and process
     * as a busy machine measures it.
     */
    private static final Duration AHEAD = Duration.ofSeconds(5);

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
                assertThat(figures.waits).as("calls that waited, %s", figures).isZero();
                assertThat(figures.events)
                        .as("%s", figures)
                        .containsSubsequence(
                                Kind.LEASE_ACQUIRED, Kind.CLOCK_HELD, Kind.OUTAGE_ENDED, Kind.CLOCK_RESUMED)
                        .containsSubsequence(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED);
                assertThat(figures.lead).as("%s", figures).isLessThan(AHEAD);
            }
        } finally {
            atOnce.shutdownNow();
        }
    }

    /** The effect of an outage. A lag is how far the time in an id was behind the clock when the id was generated. */
    private record Figures(
            String outage,
            long ids,
            long idsWhileAway,
            long failedCalls,
            long waits,
            Duration slowestCall,
            Duration lag,
            Duration lead,
            List<Kind> events) {}

    private static Figures outage(TestDatabase kind, String how, Consumer<FaultProxy> fault) throws Exception {
        Queue<Kind> events = new ConcurrentLinkedQueue<>();
        try (Database database = withTables(kind);
                FaultProxy network = FaultProxy.before(database.url());
                Snowflake source = source(network.url(), event -> heard(event, events))) {
            source.warmUp();
            Times times = new Times();
            try (EvenLoad load = new EvenLoad(source, times)) {
                long first = horizon(database);
                Await.until("a renewal", PATIENCE, () -> horizon(database) > first);
                long second = horizon(database);
                Await.until("another", PATIENCE, () -> horizon(database) > second);
                Await.until("ids that follow the time", PATIENCE, times::followTheClock);
                load.forgetSlowestCall(); // the first calls include JIT compilation
                times.forget();

                long before = load.ids();
                long waits = waits(source);
                Instant over = Instant.now().plus(OUTAGE);
                fault.accept(network);
                Await.until("the outage", PATIENCE, () -> events.contains(Kind.OUTAGE_BEGAN));
                Await.until("ids that do not follow the time", PATIENCE, () -> events.contains(Kind.CLOCK_HELD));
                Await.until(
                        "ids behind the time",
                        PATIENCE,
                        () -> times.greatestLag().compareTo(BEHIND) > 0);
                Await.until("more ids", PATIENCE, () -> load.ids() - before > IDS_WHILE_AWAY);
                Await.until("a long outage", PATIENCE, () -> Instant.now().isAfter(over));
                network.pass();
                Await.until("the end of the outage", PATIENCE, () -> events.contains(Kind.OUTAGE_ENDED));
                long after = load.ids();
                waits = waits(source) - waits;
                Duration lag = times.greatestLag();
                Duration slowestCall = load.slowestCall();
                Duration lead = times.greatestLead();
                long atEnd = horizon(database);
                Await.until("a renewal after it", PATIENCE, () -> horizon(database) > atEnd);
                Await.until("ids that follow the time again", PATIENCE, times::followTheClock);
                load.end();

                load.assertUniqueAndRising();
                return new Figures(
                        kind + " " + how,
                        load.ids(),
                        after - before,
                        load.failedCalls(),
                        waits,
                        slowestCall,
                        lag,
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

    private static Snowflake source(String url, IdgenListener listener) {
        Duration lease = SHORT ? Duration.ofSeconds(3) : LeaseTerms.LEASE;
        Duration window = SHORT ? Duration.ofSeconds(24) : LeaseTerms.WINDOW;
        return ShortLeases.times(Snowflake.builder(), lease, window)
                .leasedFrom(new JdbcWorkerIds(new UrlDataSource(url, "", "", Duration.ofSeconds(5))))
                .listener(listener)
                .build();
    }

    private static long waits(Snowflake source) {
        return source.snapshot().waits().calls();
    }

    private static long horizon(Database database) throws Exception {
        return Sql.number(database.dataSource(), "SELECT MAX(horizon) FROM idgen_worker");
    }

    /** Measures how far ids are behind and ahead of the clock. */
    private static final class Times implements EvenLoad.Witness {
        private final AtomicLong greatestLagMillis = new AtomicLong();
        private final AtomicLong greatestLeadMillis = new AtomicLong();
        private volatile long latestLagMillis;

        @Override
        public void took(long id, long callMillis) {
            long millis = SnowflakeLayout.IDGEN.parse(id).time().toEpochMilli();
            latestLagMillis = callMillis - millis;
            greatestLagMillis.accumulateAndGet(callMillis - millis, Math::max);
            greatestLeadMillis.accumulateAndGet(millis - System.currentTimeMillis(), Math::max);
        }

        boolean followTheClock() {
            return latestLagMillis < BEHIND.toMillis() / 2;
        }

        void forget() {
            greatestLagMillis.set(0);
            greatestLeadMillis.set(0);
        }

        Duration greatestLag() {
            return Duration.ofMillis(greatestLagMillis.get());
        }

        Duration greatestLead() {
            return Duration.ofMillis(greatestLeadMillis.get());
        }
    }
}
