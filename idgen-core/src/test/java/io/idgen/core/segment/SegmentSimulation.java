package io.idgen.core.segment;

import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.Course;
import io.idgen.core.internal.lease.FaultyLink;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedDatabase.CounterRow;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.segment.SimulatedCounters.Flaw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates processes that take segments from one database for an hour, with all kinds of faults. A seed determines the
 * course of events. The sources are {@link SegmentIdSource}s of production. While a call waits or a statement is under
 * way, time passes and other processes run.
 *
 * <p>Checks each call. No id is issued twice, and ids rise. No id comes from a closed source. A call fails only for a
 * reason that exists.
 */
final class SegmentSimulation {
    private static final long LENGTH = Duration.ofHours(1).toNanos();
    private static final int QUIET = 100;
    private static final int MOST_CALLS_AT_ONCE = 20;

    /** The longest lag of a replica, and the longest forward step of the clock within that time. */
    private static final Duration LAG = Duration.ofMinutes(5);

    /** Faults besides crashes, pauses, outages and lost answers. Some exclude each other: see the constructor. */
    enum Trouble {
        TAKEOVERS,
        CLOCK_STEPS,
        STALE_READS,
        RAISED_REACH,
        /** All processes are killed, a backup is restored, its rows are repaired, and processes start again. */
        RESTORES,
        /** A row is set back while a single process runs. The process is not restarted. */
        SET_BACK
    }

    /** A fault outside the model, with the sentence of the guarantees that excludes it. */
    enum Limit {
        NONE(""),
        TWO_PRIMARIES("Two primaries at once"),
        LAG_TOO_LONG("lacks at most 5 minutes of commits"),
        CLOCK_TOO_FAST("its clock steps forward by at most 5 minutes"),
        ROW_CREATION_LOST("A takeover or a restore that lost the creation of a counter row"),
        FIRST_STATEMENT_LOST("a second takeover that loses a counter's first statement after the first one"),
        OLD_IDENTITY("a failback under an old identity"),
        RESTORED_UNDER_PROCESSES(
                "Ids that were issued between a restore under running processes and the moment a process detects it");

        private final String words;

        Limit(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The result of a seed. */
    record Outcome(
            long seed,
            @Nullable String violation,
            String trace,
            long ids,
            int processes,
            Map<Trouble, Integer> troubles) {
        boolean has(Trouble trouble) {
            return troubles.containsKey(trouble);
        }

        @Override
        public String toString() {
            return "seed " + seed + ": " + violation + System.lineSeparator() + trace;
        }
    }

    private final Course course;
    private final SplittableRandom random;
    private final VirtualTime time;
    private final Flaw flaw;
    private final Limit limit;
    private final SimulatedDatabase primary;
    private SimulatedDatabase oldPrimary;
    private final Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);
    private final Map<Trouble, Integer> troubleCounts = new HashMap<>();
    private final List<String> names;
    private final long reach;
    private final int largestCall;
    private final int pauseMillis;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<String, BitSet> issued = new HashMap<>();
    private SimulatedDatabase.Backup backup;
    private long restoredNanos = Long.MIN_VALUE / 2;
    private long steppedNanos = -LAG.toNanos();
    private int quiet = QUIET;
    private int calls;
    private long ids;

    static Outcome run(long seed, Flaw flaw, Limit limit) {
        Outcome outcome = new SegmentSimulation(seed, flaw, limit, false).run(seed);
        return outcome.violation == null ? outcome : new SegmentSimulation(seed, flaw, limit, true).run(seed);
    }

    private SegmentSimulation(long seed, Flaw flaw, Limit limit, boolean traced) {
        this.course = new Course(seed, LENGTH, traced);
        this.random = course.random();
        this.time = course.time();
        this.flaw = flaw;
        this.limit = limit;
        this.primary = new SimulatedDatabase(time);
        this.oldPrimary = primary;
        this.backup = primary.backup();
        // the guarantees exclude setting a row back while several processes use it, and starting processes meanwhile
        if (random.nextInt(6) == 0) {
            troubles.add(Trouble.SET_BACK);
        } else {
            for (Trouble trouble : Trouble.values()) {
                if (trouble != Trouble.SET_BACK && random.nextInt(trouble == Trouble.RESTORES ? 4 : 2) == 0) {
                    troubles.add(trouble);
                }
            }
        }
        if (troubles.contains(Trouble.STALE_READS)) {
            troubleCounts.put(Trouble.STALE_READS, 1);
            primary.readFromReplicas(() -> random.nextInt(3) == 0 ? random.nextLong(LAG.toNanos()) : 0);
        }
        this.names = List.of("orders", "items", "users").subList(0, 1 + random.nextInt(3));
        this.reach = 50L << random.nextInt(4);
        this.largestCall = 1 + random.nextInt((int) reach / 5);
        // in a rush, a process requests ten to forty times the reach in a window
        this.pauseMillis = (int) (SimulatedCounters.WINDOW_MILLIS * largestCall / reach / (10 + random.nextInt(30)));
    }

    private Outcome run(long seed) {
        int count = isSetBack() ? 1 : 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            time.after(course.millisBelow(60_000), this::start);
        }
        time.after(course.millisBelow(60_000), this::nemesis);
        course.run();
        return new Outcome(seed, course.violation(), course.trace(), ids, processes.size(), troubleCounts);
    }

    private boolean isSetBack() {
        return troubles.contains(Trouble.SET_BACK);
    }

    // ---- a process ----

    /** A process with sources over one allocator, from its start to its end. */
    private final class SimulatedProcess implements TimeSource {
        final int number = processes.size();
        final SimulatedThread thread =
                new SimulatedThread(time, e -> course.violated(() -> this + " threw " + e)); // no task may throw
        final SimulatedDatabase database = limit == Limit.TWO_PRIMARIES && random.nextBoolean() ? oldPrimary : primary;
        final FaultyLink link = new FaultyLink(course, toString(), thread, database::server);
        final List<Source> sources;
        final long nanosAhead = random.nextLong();
        final boolean idle = random.nextInt(3) == 0;
        boolean closed;

        SimulatedProcess() {
            SegmentAllocator counters = new SimulatedCounters(database, link, flaw, reach);
            // two sources per name, so that neither knows everything that the process knows
            this.sources = IntStream.range(0, isSetBack() ? 2 * names.size() : names.size())
                    .mapToObj(i -> new Source(this, names.get(i % names.size()), counters))
                    .toList();
            processes.add(this);
        }

        @Override
        public long millis() {
            throw new AssertionError("the host's clock has been read");
        }

        @Override
        public long nanoTime() {
            return time.nanoTime() + nanosAhead;
        }

        @Override
        public void park(long nanos) {
            throw new AssertionError("a call waits for its condition alone");
        }

        /** Returns a condition. A waiting call continues only when its process does. */
        @Override
        public LockCondition condition(ReentrantLock lock) {
            LockCondition condition = time.condition(lock);
            return new LockCondition() {
                @Override
                public void awaitNanos(long nanos) throws InterruptedException {
                    condition.awaitNanos(nanos);
                    link.waitWhileStopped();
                }

                @Override
                public void signalAll() {
                    condition.signalAll();
                }
            };
        }

        boolean isAlive() {
            return !closed && !thread.isKilled();
        }

        void use() {
            if (!isAlive()) {
                return;
            }
            boolean served = true;
            if (!thread.isStopped() && calls < MOST_CALLS_AT_ONCE) {
                served = sources.get(random.nextInt(sources.size())).call();
            }
            time.after(course.millisBelow(served ? 1 + pauseMillis * (idle ? QUIET : quiet) : 60_000), this::use);
        }

        void stop(long nanos) {
            course.log(() -> this + " is stopped for " + nanos / Course.MILLI + " ms");
            thread.stopUntil(time.nanoTime() + nanos);
        }

        void kill() {
            course.log(() -> this + " is killed");
            thread.kill();
        }

        void close() {
            course.log(() -> this + " closes");
            closed = true;
            for (Source source : sources) {
                source.ids.closeAsync();
                source.returnedAtClose = source.ids.snapshot().given();
            }
        }

        @Override
        public String toString() {
            return "process " + number;
        }
    }

    private final class Source {
        final SimulatedProcess process;
        final String name;
        final SegmentIdSource ids;
        final boolean rising;
        long highest;
        long returned;
        long returnedAtClose;

        Source(SimulatedProcess process, String name, SegmentAllocator counters) {
            this.process = process;
            this.name = name;
            int step = Math.max(1, (int) reach / (process.idle ? 2 : 4) >> random.nextInt(5));
            SegmentIdSource.Builder builder = SegmentIdSource.builder(
                            random.nextInt(4) == 0 ? onDemand(counters) : counters, name)
                    .step(step)
                    .maxStep(random.nextInt(4) > 0 ? step : (int) reach)
                    .time(process)
                    .random(random.split())
                    .refills(process.thread)
                    .listenerDirectly(event -> course.log(() -> process + " tells " + event.text()));
            this.rising = random.nextInt(4) > 0;
            this.ids = (rising ? builder : builder.threadOrder()).build();
        }

        private static SegmentAllocator onDemand(SegmentAllocator counters) {
            return new SegmentAllocator() {
                @Override
                public Segment allocate(String name, int wanted) {
                    return counters.allocate(name, wanted);
                }

                @Override
                public boolean isOnDemand() {
                    return true;
                }
            };
        }

        /** Calls the source, and returns whether it got ids. */
        boolean call() {
            int wanted = 1 + random.nextInt(largestCall);
            long above = highest;
            calls++;
            try {
                for (long id : wanted == 1 ? new long[] {ids.nextId()} : ids.nextIds(wanted)) {
                    issued(id, above);
                    above = id;
                }
                return true;
            } catch (FaultyLink.Killed e) {
                // the process is killed, so no caller receives this result
            } catch (IdGenerationException e) {
                failed(e);
            } finally {
                calls--;
            }
            return false;
        }

        private void issued(long id, long above) {
            SegmentSimulation.this.ids++;
            highest = Math.max(highest, id);
            if (rising && id <= above) {
                course.violated(() -> process + " issues " + id + " of '" + name + "' after " + above);
            }
            returned++;
            if (process.closed && returned > returnedAtClose) { // a waiting call may return ids that it got before
                course.violated(() -> process + " issues " + id + " of '" + name + "' although it is closed");
            }
            BitSet all = issued.computeIfAbsent(name, any -> new BitSet());
            if (all.get((int) id)) {
                course.violated(() -> process + " issues " + id + " of '" + name + "' again");
            }
            all.set((int) id);
        }

        private void failed(IdGenerationException e) {
            course.log(() -> "a call of " + process + " for '" + name + "' fails: " + e.getMessage());
            boolean expected = switch (e.code()) {
                case SOURCE_CLOSED -> process.closed;
                case IDS_UNAVAILABLE, REACH_USED_UP -> true;
                // with a flaw or a limit, only ids that are issued twice count
                default -> flaw != Flaw.NONE || limit != Limit.NONE;
            };
            if (!expected) {
                course.violated(() -> "a call of " + process + " fails without cause: " + e);
            }
        }
    }

    private void start() {
        SimulatedProcess process = new SimulatedProcess();
        course.log(() -> process + " starts");
        process.use();
    }

    // ---- what goes wrong ----

    private void nemesis() {
        if (random.nextInt(5) == 0) {
            course.setFaults(random.nextInt(3) * 0.1); // a third of the time no statement fails: faults can hide faults
        }
        if (random.nextInt(6) == 0) {
            quiet = random.nextInt(3) == 0 ? 1 : QUIET;
        }
        List<SimulatedProcess> alive =
                processes.stream().filter(SimulatedProcess::isAlive).toList();
        if (!alive.isEmpty()) {
            strike(alive.get(random.nextInt(alive.size())));
        }
        time.after(course.millisBelow(120_000), this::nemesis);
    }

    private void strike(SimulatedProcess process) {
        switch (random.nextInt(12)) {
            case 0 -> process.stop(course.millisBelow(random.nextInt(4) == 0 ? 900_000 : 20_000));
            case 1 -> end(process, process::kill);
            case 2, 3 -> end(process, process::close);
            case 4 -> cutOff(process);
            case 5 -> happens(Trouble.TAKEOVERS, () -> takeOverAfterARush(anyName()));
            case 6, 7 -> happens(Trouble.CLOCK_STEPS, this::stepClock);
            case 8 -> happens(Trouble.RAISED_REACH, () -> raiseReach(anyName()));
            case 9 -> happens(Trouble.SET_BACK, () -> setBack(anyName()));
            case 10 -> restoreOrBackUp();
            default -> {} // no fault
        }
    }

    private void happens(Trouble trouble, Runnable event) {
        if (troubles.contains(trouble)) {
            troubleCounts.merge(trouble, 1, Integer::sum);
            event.run();
        }
    }

    private String anyName() {
        return names.get(random.nextInt(names.size()));
    }

    private void end(SimulatedProcess process, Runnable how) {
        if (!isSetBack() && !process.thread.isStopped()) {
            how.run();
            time.after(course.millisBelow(60_000), this::start);
        }
    }

    private void cutOff(SimulatedProcess process) {
        long until = time.nanoTime() + course.millisBelow(random.nextInt(3) == 0 ? 300_000 : 20_000);
        if (random.nextBoolean()) {
            course.log(() -> process + " does not reach the database until " + until / Course.MILLI + " ms");
            process.link.cutOffUntil(until);
        } else {
            course.log(() -> "nobody reaches the database until " + until / Course.MILLI + " ms");
            course.cutOffUntil(until);
        }
    }

    /** Takes over in a rush after a quiet time, near the end of a window: then the most ids can be lost. */
    private void takeOverAfterARush(String name) {
        CounterRow row = primary.counters().get(name);
        long left = row == null ? 0 : (row.win() - primary.nowMillis()) * Course.MILLI;
        quiet = QUIET;
        time.after(left - course.millisBelow(120_000), () -> quiet = 1);
        time.after(left + course.millisBelow(180_000), this::takeOver);
    }

    /** Lets a lagging replica take over. It lacks at most the commits that the guarantees allow. */
    private void takeOver() {
        long longest = LAG.toNanos() * (limit == Limit.LAG_TOO_LONG ? 12 : 1);
        long lag = random.nextBoolean() ? longest - 1 : random.nextLong(longest);
        while (lag > 0 && (time.nanoTime() - lag < restoredNanos || lacksItsServer(lag))) {
            lag = lag < Course.MILLI ? 0 : lag - lag / 8;
        }
        Duration lost = Duration.ofNanos(lag);
        if (limit == Limit.TWO_PRIMARIES && oldPrimary == primary) {
            oldPrimary = primary.fork();
        }
        if (limit == Limit.OLD_IDENTITY) {
            primary.lose(lost);
        } else {
            primary.failOver(lost);
        }
        course.log(() -> primary.server() + " takes over, and lacks the last " + lost);
        quiet = QUIET;
        if (random.nextBoolean()) {
            processes.stream().filter(SimulatedProcess::isAlive).forEach(process -> end(process, process::close));
        }
    }

    /** Returns whether a row did not exist at that time, or had another server. */
    private boolean lacksItsServer(long lag) {
        Map<String, CounterRow> before = primary.counters().before(lag);
        return primary.counters().before(0).entrySet().stream().anyMatch(row -> {
            CounterRow old = before.get(row.getKey());
            return old == null
                    ? limit != Limit.ROW_CREATION_LOST
                    : limit != Limit.FIRST_STATEMENT_LOST
                            && !Objects.equals(old.server(), row.getValue().server());
        });
    }

    /** Steps the clock back by any time, or forward at most once per longest lag. */
    private void stepClock() {
        boolean maySkip = time.nanoTime() - steppedNanos >= LAG.toNanos() || limit == Limit.CLOCK_TOO_FAST;
        long most = maySkip ? LAG.toMillis() * (limit == Limit.CLOCK_TOO_FAST ? 6 : 1) : 1;
        long step = random.nextLong(-LAG.toMillis(), most);
        if (step > 0) {
            steppedNanos = time.nanoTime();
        }
        primary.stepClock(step);
        course.log(() -> "the database's clock steps by " + step + " ms");
    }

    /** Raises the reach as {@code docs/databases.md} describes it: it counts from the next window on. */
    private void raiseReach(String name) {
        CounterRow row = primary.counters().get(name);
        if (row != null) {
            long more = 1 + random.nextLong(3 * reach);
            primary.counters()
                    .set(
                            name,
                            flaw == Flaw.REACH_RAISED_AT_ONCE
                                    ? new CounterRow(
                                            row.next(), row.server(), row.reach() + more, row.win(), row.used())
                                    : new CounterRow(
                                            row.next(),
                                            row.server(),
                                            row.reach() + more,
                                            primary.nowMillis() + SimulatedCounters.WINDOW_MILLIS,
                                            row.used() + more));
            course.log(() -> "the reach of '" + name + "' is raised: "
                    + primary.counters().get(name));
        }
    }

    private void setBack(String name) {
        CounterRow row = primary.counters().get(name);
        if (row != null) {
            primary.counters().set(name, SimulatedCounters.at(row, 1 + random.nextLong(row.next())));
            course.log(() -> "'" + name + "' is set back: " + primary.counters().get(name));
        }
    }

    private void restoreOrBackUp() {
        if (random.nextBoolean()) {
            backup = primary.backup();
        } else {
            happens(Trouble.RESTORES, this::restore);
        }
    }

    private void restore() {
        if (limit == Limit.RESTORED_UNDER_PROCESSES) {
            course.log(() -> "a backup is restored under running processes");
            primary.restore(backup);
            return;
        }
        List<SimulatedProcess> alive =
                processes.stream().filter(process -> !process.thread.isKilled()).toList();
        alive.forEach(SimulatedProcess::kill);
        primary.restore(backup);
        primary.failOver(Duration.ZERO);
        restoredNanos = time.nanoTime();
        issued.forEach((name, all) -> {
            CounterRow row = primary.counters().get(name);
            primary.counters()
                    .set(
                            name,
                            new CounterRow(Math.max(all.length(), 1), null, row == null ? reach : row.reach(), 0, 0));
        });
        course.log(
                () -> "a backup is restored and repaired: " + primary.counters().all());
        alive.stream()
                .filter(process -> !process.closed)
                .forEach(process -> time.after(course.millisBelow(60_000), this::start));
    }
}
