package io.idgen.core.segment;

import static java.time.Duration.ofSeconds;
import static java.time.Instant.EPOCH;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.EventDelivery;
import io.idgen.core.internal.lease.LeasedWorker;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.Outbox;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which threads a listener or logger that blocks or throws can delay. */
class EventDeliveryTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final CountDownLatch end = new CountDownLatch(1);
    private final Log log = new Log();
    private final AsyncLog lines = new AsyncLog(() -> log, new Outbox());

    @AfterEach
    void letGo() {
        end.countDown();
        lines.written().join();
    }

    private void block() {
        try {
            assertThat(end.await(60, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            end.countDown(); // the test has timed out: ends all other waits too
            throw new IllegalStateException(e);
        }
    }

    /** A logger that keeps its lines, and runs an action at each of them. */
    private static final class Log implements System.Logger {
        final Queue<String> lines = new ConcurrentLinkedQueue<>();
        final CountDownLatch begun = new CountDownLatch(1);
        volatile Runnable atEach = () -> {};

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            begun.countDown();
            atEach.run();
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(level + " " + text + " " + thrown);
            atEach.run();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            lines.add(level + " " + (parameters == null ? format : MessageFormat.format(format, parameters)));
            atEach.run();
        }
    }

    /** A way in which foreign code misbehaves. */
    private enum Misdeed {
        BLOCKS,
        THROWS_AN_EXCEPTION,
        THROWS_AN_ERROR;

        void commit(EventDeliveryTest test) {
            switch (this) {
                case BLOCKS -> test.block();
                case THROWS_AN_EXCEPTION -> throw new IllegalStateException("a bug");
                case THROWS_AN_ERROR -> throw new StackOverflowError();
            }
        }
    }

    private IdgenListener delivered(IdgenListener listener) {
        return new EventDelivery(lines, listener);
    }

    /**
     * Runs a lease for an hour of virtual time and loses it once a minute. Returns how often it was renewed or
     * acquired.
     */
    private static long renewals(IdgenListener events) {
        VirtualTime time = new VirtualTime();
        SimulatedDatabase database = new SimulatedDatabase(time);
        for (int workerId = 0; workerId < 4; workerId++) {
            database.set(
                    workerId,
                    new WorkerRow(workerId, LeaseTerms.layoutAndTimes(LAYOUT), 0, null, 0, 0, database.server()));
        }
        List<String> statements = new ArrayList<>();
        SimulatedStore.Link link = new SimulatedStore.Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                statements.add(statement);
                return work.get();
            }
        };
        LeasedWorker worker = new LeasedWorker(
                new SimulatedStore(database, link, Flaw.NONE),
                new LeaseTerms("test", LAYOUT, 0, 4),
                new LeasedWorker.Timing(Duration.ofSeconds(30), Duration.ofSeconds(3)),
                1,
                new LeasedWorker.LeaseEnvironment(
                        time, new SplittableRandom(1), new SimulatedThread(time, e -> {}), events));
        try {
            worker.warmUp();
        } catch (IdGenerationException e) {
            return 0; // the first lease has stopped the renewals
        }
        for (int minute = 0; minute < 60; minute++) {
            time.pass(Duration.ofMinutes(1));
            database.rows().forEach(row -> database.edit(row.workerId(), each -> each.withLeaseUntil(0)));
            database.rows()
                    .forEach(row -> database.edit(
                            row.workerId(),
                            each -> each.changed(each.server(), each.horizon()).heldBy(null, 0)));
        }
        return statements.stream()
                .filter(each -> each.equals("extend") || each.equals("acquire"))
                .count();
    }

    private static final long UNDISTURBED = renewals(IdgenListener.NONE);

    @ParameterizedTest
    @EnumSource
    void renewalsGoOnWhateverAListenerDoes(Misdeed misdeed) {
        assertThat(renewals(delivered(event -> misdeed.commit(this)))).isEqualTo(UNDISTURBED);
    }

    @ParameterizedTest
    @EnumSource
    void refillsGoOnWhateverAListenerAndALoggerDo(Misdeed misdeed) {
        log.atEach = () -> misdeed.commit(this);
        try (SegmentIdSource ids = SegmentIdSource.builder(new MemoryRow(), "orders")
                .step(1)
                .maxStep(1)
                .listenerDirectly(delivered(event -> misdeed.commit(this)))
                .acquireTimeout(Duration.ofSeconds(30))
                .build()) {
            for (int id = 1; id <= 3 * Outbox.CAPACITY; id++) {
                assertThat(ids.nextId()).isEqualTo(id);
            }
            end.countDown();
        }
    }

    @Test
    void theLogSaysThatAListenerDoesNotReturnAndHowManyEventsWereDropped() {
        List<IdgenEvent> received = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(Outbox.CAPACITY + 2);
        IdgenListener events = delivered(event -> {
            begun.countDown();
            block();
            received.add(event);
            all.countDown();
        });
        events.onEvent(event(0));
        Caller.until("a listener that blocks", () -> begun.getCount() == 0);
        for (int i = 1; i <= Outbox.CAPACITY + 100; i++) {
            events.onEvent(event(i));
            lines.written().join(); // the log keeps up
        }
        assertThat(log.lines)
                .filteredOn(line -> line.startsWith("WARNING"))
                .containsExactly(
                        "WARNING orders: the listener does not return and 256 events wait for it; further ones are"
                                + " dropped until it returns");

        end.countDown();
        Caller.until("the events that waited", () -> all.getCount() == 1);
        events.onEvent(event(1000));
        Caller.until("the event after them", () -> all.getCount() == 0);
        lines.written().join();

        assertThat(received)
                .extracting(EventDeliveryTest::number)
                .startsWith(0L, 1L, 2L)
                .endsWith(255L, 256L, 1000L);
        assertThat(log.lines).contains("WARNING orders: 100 events were dropped while the listener did not return");
    }

    private static IdgenEvent event(int number) {
        return new IdgenEvent(Kind.REFILLED, "orders", "%s", number);
    }

    private static long number(IdgenEvent event) {
        return Long.parseLong(event.text());
    }

    @ParameterizedTest
    @EnumSource
    void everyEventIsALineInTheLogAtItsLevel(Kind kind) {
        Throwable failure = new IllegalStateException("it's {0} %s");
        delivered(IdgenListener.NONE)
                .onEvent(new IdgenEvent(kind, "orders", "after %s at %s: %s", ofSeconds(120), EPOCH, failure));
        lines.written().join();

        assertThat(log.lines)
                .containsExactly(kind.level() + " orders: after 2 min at 1970-01-01T00:00:00Z: it's {0} %s");
    }
}
