package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** Processes with leased worker ids from a simulated database, in virtual time. */
abstract class LeasedWorkerFixture {
    static final Logger LOG = Logger.getLogger(LeaseKeeper.class.getName());
    static final Duration LEASE = ofSeconds(30);
    static final Duration WINDOW = ofSeconds(180);
    static final Duration RENEW = ofSeconds(10);
    static final Duration FIRST_ID = ofSeconds(30);
    static final Duration NEXT_ID = ofSeconds(3);
    static final int NEVER = 0;

    final VirtualTime time = new VirtualTime();
    final SimulatedDatabase database = new SimulatedDatabase(time);
    final List<Process> processes = new ArrayList<>();
    SnowflakeLayout layout = SnowflakeLayout.IDGEN;
    int workers = 4;

    /** A process that records its statements to the store and its events. */
    final class Process implements SimulatedStore.Link {
        record Statement(String name, Duration at) {}

        final List<Statement> statements = new ArrayList<>();
        final List<IdgenEvent> events = new ArrayList<>();
        final SimulatedThread thread = new SimulatedThread(time, e -> {
            throw new AssertionError("escaped", e);
        });
        final LeasedWorker worker;
        final Snowflake ids;
        IdgenListener listener = event -> {};
        RuntimeException failure;
        boolean nextExtensionIsLate;
        Supplier<Boolean> lateExtension;
        final Map<String, Runnable> beforehand = new HashMap<>();
        final Map<String, Deque<Runnable>> afterwards = new HashMap<>();
        long last = -1;

        Process() {
            worker = new LeasedWorker(
                    new SimulatedStore(database, this, Flaw.NONE),
                    new LeaseTerms("test", layout, 0, workers),
                    new LeasedWorker.Timing(FIRST_ID, NEXT_ID),
                    1,
                    new LeasedWorker.LeaseEnvironment(time, new SplittableRandom(processes.size()), thread, event -> {
                        events.add(event);
                        listener.onEvent(event);
                    }));
            ids = SnowflakeAccess.snowflake("test", layout, worker, worker);
            processes.add(this);
        }

        @Override
        public <T> T call(String statement, Supplier<T> work) {
            statements.add(new Statement(statement, time.elapsed()));
            Runnable first = beforehand.getOrDefault(statement, beforehand.get("any"));
            if (first != null) {
                first.run();
            }
            if (failure != null) {
                throw failure;
            }
            if (nextExtensionIsLate && statement.equals("extend")) {
                nextExtensionIsLate = false;
                lateExtension = () -> (Boolean) work.get();
                throw new StoreUnavailableException("no answer");
            }
            T answer = work.get();
            Deque<Runnable> next = afterwards.get(statement);
            if (next != null && !next.isEmpty()) {
                next.remove().run();
            }
            return answer;
        }

        /** Registers an action to run before each statement of a kind, or of any kind. */
        void before(String statement, Runnable action) {
            beforehand.put(statement, action);
        }

        /** Registers an action to run once after a statement has taken effect, before its answer. */
        void onNext(String statement, Runnable action) {
            afterwards.computeIfAbsent(statement, any -> new ArrayDeque<>()).add(action);
        }

        void fails() {
            failure = new StoreUnavailableException("connection reset");
        }

        void works() {
            failure = null;
        }

        /** Generates the next id, and checks that it is above all earlier ones. */
        SnowflakeParts next() {
            return parts(ids.nextId());
        }

        SnowflakeParts parts(long id) {
            assertThat(id).isGreaterThan(last);
            last = id;
            return layout.parse(id);
        }

        /** Generates ids at this rate for this long. */
        void run(int perSecond, Duration duration) {
            long end = time.nanoTime() + duration.toNanos();
            while (time.nanoTime() < end) {
                long[] batch = ids.nextIds(perSecond / 100);
                parts(batch[0]);
                last = batch[batch.length - 1];
                time.pass(ofMillis(10));
            }
        }

        IdGenerationException refused() {
            return assertThrows(IdGenerationException.class, ids::nextId);
        }

        List<Kind> kinds() {
            return events.stream().map(IdgenEvent::kind).toList();
        }

        List<Duration> times(String statement) {
            return statements.stream()
                    .filter(each -> each.name.equals(statement))
                    .map(Statement::at)
                    .toList();
        }

        void close() {
            Thread.currentThread().interrupt(); // so that closing does not wait for the release
            ids.close();
            assertThat(Thread.interrupted()).isTrue();
            time.pass(Duration.ZERO);
        }

        int workerId() {
            return parts(ids.nextId()).worker();
        }
    }

    Process process() {
        return new Process();
    }

    /** Creates rows of the present server; none is leased. */
    void freshRows() {
        for (int workerId = 0; workerId < workers; workerId++) {
            set(workerId, 0, null, NEVER, 0);
        }
    }

    void set(int workerId, long fence, String token, long leaseUntil, long horizon) {
        database.set(
                workerId,
                new WorkerRow(
                        workerId,
                        LeaseTerms.layoutAndTimes(layout),
                        fence,
                        token,
                        leaseUntil,
                        horizon,
                        database.server()));
    }

    /** Lets another process lease the row. */
    void takenByAnother(int workerId) {
        long now = database.nowMillis();
        database.edit(
                workerId,
                row -> row.changed(row.server(), row.horizon())
                        .heldBy("another", now + ofMinutes(60).toMillis())
                        .withHorizon(row.horizon() + 1000));
    }

    Instant now() {
        return Instant.ofEpochMilli(database.nowMillis());
    }

    Duration lag(SnowflakeParts parts) {
        return Duration.between(parts.time(), now());
    }

    WorkerRow row(int workerId) {
        return database.row(workerId);
    }
}
