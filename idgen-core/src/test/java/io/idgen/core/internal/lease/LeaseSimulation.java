package io.idgen.core.internal.lease;

import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.lease.SimulatedStore.Kind;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates processes that lease their worker ids from one database for a minute, with all kinds of faults. A seed
 * determines the course of events. The processes are {@link LeasedWorker}s of production, and their callers execute
 * {@link Snowflake#nextIds} step by step. While a statement is under way, time passes and other processes run.
 *
 * <p>Checks each id. No two windows share a tick, so no id is generated twice. The ids of a process rise. No id is
 * beyond the confirmed horizon, or from a closed source. A call fails in time, and only for a reason that exists.
 */
final class LeaseSimulation {
    private static final long MILLI = Course.MILLI;
    private static final long LENGTH = 60_000 * MILLI;

    private static final List<SnowflakeLayout> LAYOUTS = List.of(
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 58, 0, 3, 2),
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(10), 56, 0, 3, 4),
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofSeconds(1), 52, 0, 3, 8));

    /** Faults besides crashes, pauses and lost answers. Some exclude each other: see the constructor. */
    private enum Trouble {
        CLOCK_STEPS,
        FAIL_OVER,
        EDITS,
        STALE_READS,
        /**
         * A backup is restored under another identity; needs {@link #FAIL_OVER}. The first backup has no rows, like a
         * Redis that lost all its data and got a new incarnation marker.
         */
        BACKUPS,
        TWO_LAYOUTS
    }

    /** The result of a seed. */
    record Outcome(long seed, @Nullable String violation, String trace, long ids, int processes) {
        @Override
        public String toString() {
            return "seed " + seed + ": " + violation + System.lineSeparator() + trace;
        }
    }

    private final Course course;
    private final SplittableRandom random;
    private final Flaw flaw;
    private final Kind kind;
    private final VirtualTime time;
    private final SimulatedDatabase database;
    private final SnowflakeLayout layout;
    private final LeaseTerms terms;
    private final LeasedWorker.Timing timing;
    private final long aheadTicks;
    private final Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<Integer, TreeMap<Long, Range>> ranges = new HashMap<>();
    private final Map<Window, Range> rangeOf = new IdentityHashMap<>();
    private final Map<Window, Window> opened = new IdentityHashMap<>(); // sealed windows that a flaw leaves open
    private SimulatedDatabase.Backup backup;
    private long ids;

    /** The ticks that one window has used. */
    private static final class Range {
        final int process;
        final long min;
        long max;

        Range(int process, long min, long max) {
            this.process = process;
            this.min = min;
            this.max = max;
        }
    }

    static Outcome run(long seed, Flaw flaw) {
        Outcome outcome = new LeaseSimulation(seed, flaw, false).run(seed);
        return outcome.violation == null ? outcome : new LeaseSimulation(seed, flaw, true).run(seed);
    }

    private LeaseSimulation(long seed, Flaw flaw, boolean traced) {
        this.course = new Course(seed, LENGTH, traced);
        this.random = course.random();
        this.flaw = flaw;
        this.kind = seed % 4 == 0 ? Kind.ZOOKEEPER : Kind.SQL;
        this.time = course.time();
        this.database = new SimulatedDatabase(time);
        this.layout = LAYOUTS.get(random.nextInt(LAYOUTS.size()));
        // the clocks of servers differ by at most the skew, so a seed has either clock steps or failovers
        troubles.add(random.nextBoolean() ? Trouble.CLOCK_STEPS : Trouble.FAIL_OVER);
        if (random.nextInt(4) == 0 && kind == Kind.SQL) { // nobody edits nodes in ZooKeeper
            troubles.add(Trouble.EDITS);
        }
        if (random.nextInt(4) == 0) {
            troubles.add(Trouble.STALE_READS);
            database.readFromReplicas(() -> random.nextInt(3) == 0 ? millisBelow(20_000) : 0);
        }
        if (troubles.contains(Trouble.FAIL_OVER) && random.nextInt(3) == 0) {
            troubles.add(Trouble.BACKUPS);
        }
        boolean longer = random.nextInt(4) == 0;
        Duration lease = Duration.ofSeconds(longer ? 9 : 3);
        this.terms = new LeaseTerms(
                "simulated", layout, 0, 1 + random.nextInt(5), Set.of(), lease, lease.multipliedBy(longer ? 4 : 3));
        this.timing = new LeasedWorker.Timing(Duration.ofSeconds(5), Duration.ofSeconds(2));
        this.aheadTicks = Math.max(1, 500 / layout.tick().toMillis());
        if (!troubles.contains(Trouble.EDITS) && random.nextInt(4) == 0) {
            troubles.add(Trouble.TWO_LAYOUTS);
            new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE).candidates(terms, null);
            database.workers().replicated(); // the guarantees exclude a takeover that loses the creation of rows
        }
        this.backup = database.backup();
    }

    private Outcome run(long seed) {
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            time.after(millisBelow(2000), this::start);
        }
        time.after(millisBelow(1000), this::nemesis);
        course.run();
        return new Outcome(seed, course.violation(), course.trace(), ids, processes.size());
    }

    private long millisBelow(int below) {
        return course.millisBelow(below);
    }

    private void log(Supplier<String> text) {
        course.log(text);
    }

    private void violated(Supplier<String> text) {
        course.violated(text);
    }

    // ---- a process ----

    /** A process, from its start to its end. */
    private final class SimulatedProcess implements TimeSource {
        final int number = processes.size();
        final LeaseTerms terms;
        final SimulatedThread thread;
        final FaultyLink link;
        final LeasedWorker worker;
        final Map<Integer, Long> grantedUntil = new HashMap<>();
        final List<Runnable> waiting = new ArrayList<>();
        Window seen;
        long lastId = -1;
        long lastIssued;
        long nanosAhead;
        long parked;
        long stopped;
        boolean closed;
        boolean suspended;
        int suspensions;

        SimulatedProcess(LeaseTerms terms) {
            this.terms = terms;
            this.nanosAhead = random.nextInt(2) == 0 ? 0 : random.nextLong();
            this.thread = new SimulatedThread(time, e -> violated(() -> this + " threw " + e));
            this.link = new FaultyLink(course, toString(), thread, database::server);
            SimulatedStore store = new SimulatedStore(database, link, flaw, kind) {
                @Override
                public boolean acquire(
                        LeaseTerms terms, LeaseStore.Row row, @Nullable String token, LeaseStore.Lease lease) {
                    return granted(super.acquire(terms, row, token, lease), lease.workerId(), lease.horizonMillis());
                }

                @Override
                public boolean extend(LeaseTerms terms, LeaseStore.Lease lease, long horizonMillis) {
                    return granted(super.extend(terms, lease, horizonMillis), lease.workerId(), horizonMillis);
                }
            };
            this.worker = new LeasedWorker(
                    store,
                    terms,
                    timing,
                    1,
                    new LeasedWorker.LeaseEnvironment(
                            this, random.split(), thread, event -> log(() -> this + " tells " + event.text())));
            this.seen = worker.window();
            processes.add(this);
        }

        private boolean granted(boolean yes, int workerId, long horizonMillis) {
            log(() -> this + (yes ? " is granted" : " is not granted") + " worker id " + workerId + " until "
                    + Instant.ofEpochMilli(horizonMillis));
            if (yes) {
                grantedUntil.merge(workerId, horizonMillis, Math::max);
            }
            return yes;
        }

        @Override
        public long millis() {
            throw new AssertionError("the host's clock has been read");
        }

        @Override
        public long nanoTime() {
            return time.nanoTime() + nanosAhead;
        }

        /** Records the pause. The call continues later, because this is the last action of its step. */
        @Override
        public void park(long nanos) {
            parked = nanos;
        }

        /** As {@link #park}. A signal lets all waiting calls continue at once. */
        @Override
        public LockCondition condition(ReentrantLock lock) {
            return new LockCondition() {
                @Override
                public void awaitNanos(long nanos) {
                    parked = nanos;
                }

                @Override
                public void signalAll() {
                    waiting.forEach(call -> time.after(0, call));
                    waiting.clear();
                }
            };
        }

        boolean isAlive() {
            return !closed && !thread.isKilled();
        }

        // ---- what happens to it ----

        /** Lets callers request ids, now and again at random intervals; sometimes several at once. */
        void use() {
            if (!isAlive()) {
                return;
            }
            if (!thread.isStopped()) {
                int crowd = random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 1;
                for (int i = 0; i < crowd; i++) {
                    new Call(this).step();
                }
            }
            time.after(millisBelow(random.nextInt(20) == 0 ? 8000 : 300), this::use);
        }

        void stop(long nanos, boolean suspended) {
            log(() -> this + " is " + (suspended ? "suspended" : "stopped") + " for " + nanos / MILLI + " ms");
            if (!thread.isStopped()) {
                thread.stopUntil(time.nanoTime() + nanos);
                stopped += nanos;
                nanosAhead -= suspended ? nanos : 0; // the process reads no clock before it continues
            }
        }

        void kill() {
            log(() -> this + " is killed");
            thread.kill();
            time.after(millisBelow(3000), LeaseSimulation.this::start);
        }

        void close() {
            if (thread.isStopped()) {
                return;
            }
            log(() -> this + " closes");
            worker.close();
            observe();
            closed = true;
            time.after(millisBelow(3000), LeaseSimulation.this::start);
        }

        /**
         * Makes a checkpoint. The process continues later, and perhaps a copy does too; the copy shares none of its
         * ticks.
         */
        void checkpoint() {
            if (suspended || thread.isStopped()) {
                return;
            }
            log(() -> this + " is suspended for a checkpoint");
            Thread.currentThread().interrupt(); // so that suspending does not wait for the release
            worker.suspend();
            if (!Thread.interrupted()) {
                violated(() -> this + " has swallowed an interrupt");
            }
            observe();
            suspended = true;
            suspensions++;
            time.after(millisBelow(3000), this::restore);
        }

        private void restore() {
            if (!isAlive()) {
                return;
            }
            if (thread.isStopped()) {
                time.after(thread.stoppedUntil() - time.nanoTime(), this::restore);
                return;
            }
            if (random.nextBoolean() && !Copies.isReleasing(worker)) {
                SimulatedProcess copy = new SimulatedProcess(terms); // on another host, so its monotonic clock differs
                copy.lastId = lastId;
                Copies.copy(worker, copy.worker, layout, aheadTicks);
                copy.seen = copy.worker.window();
                log(() -> copy + " is restored as a copy of " + this);
                copy.resume();
                copy.use();
            }
            log(() -> this + " is restored");
            resume();
        }

        private void resume() {
            suspended = false;
            suspensions++;
            worker.resume();
        }

        /** Simulates the flaws without sealing: keeps an open copy of each sealed window. */
        void observe() {
            Window current = worker.window();
            Flaw left = seen == current ? Flaw.OPEN_AFTER_CLOSE : Flaw.OPEN_AFTER_SWAP;
            if (flaw == left && seen.highest() == Window.SEALED && rangeOf.containsKey(seen)) {
                opened.computeIfAbsent(seen, old -> Copies.copy(old, layout, aheadTicks));
            }
            seen = current;
        }

        @Override
        public String toString() {
            return "process " + number;
        }
    }

    private void start() {
        SimulatedProcess process = new SimulatedProcess(random.nextInt(4) == 0 ? termsOfSome() : terms);
        log(() -> process + " starts");
        process.use();
    }

    private LeaseTerms termsOfSome() {
        return troubles.contains(Trouble.TWO_LAYOUTS) ? otherTerms() : terms;
    }

    /** Returns terms with a layout or a window that differs from the namespace's. */
    private LeaseTerms otherTerms() {
        SnowflakeLayout other = LAYOUTS.get((LAYOUTS.indexOf(layout) + 1) % LAYOUTS.size());
        boolean otherTimes = random.nextBoolean();
        return new LeaseTerms(
                terms.namespace(),
                otherTimes ? layout : other,
                0,
                terms.workers(),
                Set.of(),
                terms.lease(),
                otherTimes ? terms.window().multipliedBy(2) : terms.window());
    }

    // ---- a call ----

    /** A call of {@code nextIds} that runs step by step. Between two steps the process may be stopped or closed. */
    private final class Call {
        private final SimulatedProcess process;
        private final int wanted = random.nextInt(4) == 0 ? 1 + random.nextInt(3 * (int) layout.idsPerTick()) : 1;
        private long since = time.nanoTime();
        private int suspensions;
        private long shortSince;
        private long excused;
        private int idle;
        private @Nullable Window window;
        private IssueClock.@Nullable Wait wait;

        Call(SimulatedProcess process) {
            this.process = process;
            this.suspensions = process.suspensions;
        }

        void step() {
            if (process.thread.isKilled() || course.violation() != null) {
                return;
            }
            if (process.thread.isStopped()) {
                later(process.thread.stoppedUntil() - time.nanoTime());
                return;
            }
            process.observe();
            if (suspensions != process.suspensions) {
                suspensions = process.suspensions;
                since = time.nanoTime(); // the timeout restarts
                excused = 0;
            }
            try {
                if (window == null) {
                    window = process.worker.window();
                    if (random.nextInt(10) == 0) {
                        later(millisBelow(random.nextInt(3) == 0 ? 5000 : 20)); // the thread pauses exactly here
                        return;
                    }
                }
                long first = opened.getOrDefault(window, window).claim(process.worker, wanted);
                if (first >= 0) {
                    process.lastIssued = time.nanoTime();
                    for (int i = 0; i < window.claimed(first, wanted); i++) {
                        issued(process, window, first + i);
                    }
                    return;
                }
                process.parked = 0;
                wait = process.worker.pause(wait, window);
                process.observe();
                idle = process.parked > 0 ? 0 : idle + 1;
                if (idle > 100) {
                    violated(() -> "a call of " + process + " spins");
                }
                if (wait == LeasedWorker.NEXT_TICK && process.parked > 0) {
                    waitsForTime();
                } else {
                    shortSince = 0;
                }
                window = null;
                if (wait instanceof WaitingRoom.LeaseVisit && process.parked > 0) {
                    waitsForSignal(process.parked);
                } else {
                    // long waits take few steps: the test does not check how often a waiting call polls
                    time.after(process.parked > 4 * MILLI ? 80 * MILLI : process.parked, this::step);
                }
            } catch (IdGenerationException e) {
                failed(e);
            }
        }

        /** Continues the call once, at the signal or after the timeout. */
        private void waitsForSignal(long nanos) {
            boolean[] over = {false};
            long stopped = process.stopped;
            Runnable goOn = () -> {
                if (!over[0]) {
                    over[0] = true;
                    // the step itself excuses the rest of a stop
                    excused += process.stopped - stopped;
                    excused -= process.thread.isStopped() ? process.thread.stoppedUntil() - time.nanoTime() : 0;
                    step();
                }
            };
            process.waiting.add(goOn);
            time.after(nanos, () -> {
                process.waiting.remove(goOn);
                goOn.run();
            });
        }

        /**
         * Handles a call whose window has ids, but none for the present time. Other calls may be faster again and
         * again, but one of them must get an id soon.
         */
        private void waitsForTime() {
            shortSince = shortSince == 0 ? time.nanoTime() : shortSince;
            since = time.nanoTime();
            long idleNanos = since - Math.max(shortSince, Math.max(process.lastIssued, process.thread.stoppedUntil()));
            Duration longest = layout.tick().multipliedBy(2 * aheadTicks).plusSeconds(1);
            if (idleNanos > longest.toNanos() + excused && !troubles.contains(Trouble.CLOCK_STEPS)) {
                violated(() -> process + " has ids, and has given none for " + idleNanos / MILLI + " ms");
            }
        }

        private void later(long nanos) {
            excused += nanos;
            time.after(nanos, this::step);
        }

        private void failed(IdGenerationException e) {
            process.observe();
            log(() -> "a call of " + process + " fails: " + e.getMessage());
            boolean expected = switch (e.code()) {
                case SOURCE_CLOSED -> process.closed;
                case IDS_UNAVAILABLE, WINDOW_USED_UP, WORKER_IDS_TAKEN -> !process.closed;
                case LEASE_COPIED -> troubles.contains(Trouble.EDITS);
                case HORIZON_FAR -> true;
                case LAYOUT_MISMATCH -> process.terms != terms;
                default -> false;
            };
            if (!expected) {
                violated(() -> "a call of " + process + " fails without cause: " + e);
            }
            Duration longest = timing.acquireTimeout()
                    .plus(timing.idTimeout())
                    .plus(layout.tick().multipliedBy(2 * aheadTicks))
                    .plusMillis(100);
            if (time.nanoTime() - since - excused > longest.toNanos()) {
                violated(() -> "a call of " + process + " has waited for " + (time.nanoTime() - since) / MILLI + " ms");
            }
        }
    }

    // ---- what must hold ----

    private void issued(SimulatedProcess process, Window window, long word) {
        ids++;
        if (!process.terms.layout().equals(layout)) {
            violated(() -> process + " issues ids of a layout that is not that of the namespace");
            return;
        }
        long id = window.id(word);
        long tick = word >> layout.sequenceBits();
        int workerId = layout.parse(id).worker();
        if (process.closed) {
            violated(() -> process + " issues " + text(workerId, tick) + " although it is closed");
        }
        if (process.suspended) {
            violated(() -> process + " issues " + text(workerId, tick) + " while a checkpoint is made of it");
        }
        if (id <= process.lastId) {
            violated(() -> process + " issues " + text(workerId, tick) + " after " + layout.parse(process.lastId));
        }
        process.lastId = id;
        if (LayoutTime.ticks(layout).instantOf(tick + 1).toEpochMilli()
                > process.grantedUntil.getOrDefault(workerId, 0L)) {
            violated(() -> process + " issues " + text(workerId, tick) + " beyond what it was granted");
        }
        if (LayoutTime.ticks(layout).instantOf(tick).toEpochMilli()
                > database.latestMillis() + terms.window().toMillis() + LeaseStore.SERVER_SKEW.toMillis()) {
            violated(() -> process + " issues " + text(workerId, tick) + ", too far ahead");
        }
        use(process, window, workerId, tick);
    }

    private String text(int workerId, long tick) {
        return "worker id " + workerId + ", tick of " + LayoutTime.ticks(layout).instantOf(tick);
    }

    private void use(SimulatedProcess process, Window window, int workerId, long tick) {
        Range range = rangeOf.get(window);
        TreeMap<Long, Range> all = ranges.computeIfAbsent(workerId, any -> new TreeMap<>());
        if (range == null) {
            range = new Range(process.number, tick, tick);
            rangeOf.put(window, range);
            Map.Entry<Long, Range> lower = all.floorEntry(tick);
            if (lower != null && lower.getValue().max >= tick) {
                violated(() -> process + " issues " + text(workerId, tick) + ", which belongs to process "
                        + lower.getValue().process);
                return;
            }
            all.put(tick, range);
        }
        range.max = Math.max(range.max, tick);
        Map.Entry<Long, Range> higher = all.higherEntry(range.min);
        if (higher != null && higher.getKey() <= tick) {
            violated(() -> process + " issues " + text(workerId, tick) + ", which belongs to process "
                    + higher.getValue().process);
        }
    }

    // ---- what goes wrong ----

    private void nemesis() {
        if (random.nextInt(5) == 0) {
            course.setFaults(random.nextInt(3) * 0.1); // a third of the time no statement fails: faults can hide faults
        }
        List<SimulatedProcess> alive =
                processes.stream().filter(SimulatedProcess::isAlive).toList();
        if (!alive.isEmpty()) {
            strike(alive.get(random.nextInt(alive.size())));
        }
        time.after(millisBelow(1500), this::nemesis);
    }

    private void strike(SimulatedProcess process) {
        int lease = (int) terms.lease().toMillis();
        switch (random.nextInt(12)) {
            case 0, 1 -> process.stop(millisBelow(4 * lease), random.nextBoolean());
            case 2 -> process.kill();
            case 3 -> process.close();
            case 4, 5 -> steal();
            case 6 -> cutOff(process);
            case 7, 8 -> {
                if (troubles.contains(Trouble.CLOCK_STEPS)) {
                    stepClock();
                } else {
                    failOver();
                }
            }
            case 9 -> {
                if (troubles.contains(Trouble.EDITS)) {
                    edit();
                }
            }
            case 10 -> process.checkpoint();
            default -> {} // no fault
        }
    }

    /** Ends a lease early, so that any process may take the row. */
    private void steal() {
        int workerId = random.nextInt(terms.workers());
        log(() -> "the lease of worker id " + workerId + " is over");
        database.edit(workerId, row -> row.withLeaseUntil(0));
    }

    private void cutOff(SimulatedProcess process) {
        long until = time.nanoTime()
                + millisBelow(random.nextInt(3) == 0 ? 3 * (int) terms.window().toMillis() : 2000);
        if (random.nextBoolean()) {
            log(() -> process + " does not reach the database for " + (until - time.nanoTime()) / MILLI + " ms");
            process.link.cutOffUntil(until);
        } else {
            log(() -> "nobody reaches the database for " + (until - time.nanoTime()) / MILLI + " ms");
            course.cutOffUntil(until);
        }
    }

    private void stepClock() {
        switch (random.nextInt(6)) {
            case 0 -> database.freezeClock(true);
            case 1, 2 -> database.freezeClock(false);
            default -> {
                long most = random.nextInt(3) == 0 ? 600_000 : 5000;
                database.stepClock(random.nextLong(-most, most));
            }
        }
        log(() -> "the database's clock is set to " + Instant.ofEpochMilli(database.nowMillis()));
    }

    private void failOver() {
        if (troubles.contains(Trouble.BACKUPS) && random.nextInt(3) == 0) {
            restoreOrBackUp();
            return;
        }
        int lost = random.nextInt(random.nextBoolean() ? 3 : 50);
        long half = LeaseStore.SERVER_SKEW.toMillis() / 2;
        database.failOver(lost, random.nextLong(-half, half));
        log(() -> "a replica takes over without the last " + lost + " commits, as " + database.server() + " at "
                + Instant.ofEpochMilli(database.nowMillis()));
    }

    private void restoreOrBackUp() {
        if (random.nextInt(3) == 0) {
            backup = database.backup();
            return;
        }
        database.restore(backup);
        if (flaw != Flaw.RESTORED_UNNOTICED) {
            database.failOver(Duration.ZERO);
        }
        log(() -> "a backup is restored: " + database.rows());
    }

    /** Edits the table as an operator may. Never lowers a horizon, which the documentation forbids. */
    private void edit() {
        int workerId = random.nextInt(terms.workers());
        switch (random.nextInt(4)) {
            case 0 -> database.edit(workerId, row -> row.withHorizon(row.horizon() + random.nextInt(20_000)));
            case 1 ->
                database.edit(
                        workerId,
                        row -> row.changed(row.server(), random.nextBoolean() ? row.horizon() : row.grantedFrom())
                                .heldBy(null, 0));
            case 2 -> {
                if (database.rows().stream().filter(row -> row.workerId() >= 0).count() > 1) {
                    database.set(workerId, null);
                }
            }
            default -> {
                // rows that are created again begin a gap after the current time; that is above all grants only if
                // clocks do not step
                if (!troubles.contains(Trouble.CLOCK_STEPS)) {
                    database.rows().forEach(row -> database.set(row.workerId(), null));
                }
            }
        }
        log(() -> "someone edits the row of worker id " + workerId + " or deletes all: " + database.rows());
    }
}
