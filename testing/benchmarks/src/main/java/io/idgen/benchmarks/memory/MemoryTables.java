package io.idgen.benchmarks.memory;

import static java.util.Locale.ROOT;

import io.idgen.benchmarks.OwnJvm;
import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The tables of generators in memory: one method each. The methods are static because picocli adds them as commands of
 * another object.
 */
@Command
public final class MemoryTables {
    private static final int MILLION = 1_000_000;
    private static final double CAP = 4_096_000; // ids per second with 12 bits per millisecond

    /** The load at which calls are timed: a quarter of the cap. */
    private static final int BELOW_CAP = MILLION;

    private static final int PACE = 100_000;

    private static final List<Ratio> CALLS = List.of(
            new Ratio(Subject.IDGEN_WIDE, Subject.TSID_CREATOR, 2.5, 3, 3),
            new Ratio(Subject.IDGEN_WIDE_RACED, Subject.TSID_CREATOR, 2.5, 3, 3),
            new Ratio(Subject.IDGEN_WIDE_LEASED, Subject.TSID_CREATOR, 2.5, 3, 3),
            new Ratio(Subject.IDGEN_WIDE_EXACT, Subject.TSID_CREATOR, 1, 1, 1),
            new Ratio(Subject.IDGEN_WIDE_LEASED_EXACT, Subject.TSID_CREATOR, 1, 1, 1),
            new Ratio(Subject.IDGEN_SEGMENT, Subject.COSID_CHAIN, 1),
            new Ratio(Subject.IDGEN_SEGMENT_THREAD, Subject.COSID_CHAIN, 2, 4, 4),
            new Ratio(Subject.IDGEN_SEGMENT_THREAD, Subject.POOLED_LO_THREAD, 1.5));

    private static final List<Ratio> BATCHES = List.of(
            new Ratio(Subject.IDGEN_WIDEST, Subject.COSID_CHAIN, 10),
            new Ratio(Subject.IDGEN_SEGMENT, Subject.COSID_CHAIN, 10),
            new Ratio(Subject.IDGEN_WIDEST_INTO, Subject.IDGEN_WIDEST, 1),
            new Ratio(Subject.IDGEN_SEGMENT_INTO, Subject.IDGEN_SEGMENT, 1));

    private MemoryTables() {}

    @Command(
            name = "throughput",
            mixinStandardHelpOptions = true,
            description = "Ids per second of threads that do nothing else.")
    static void throughput(@Mixin Forks forks, @Mixin Page page) {
        page.begin("throughput");
        Collection<Subject> subjects = forks.subjects(EnumSet.complementOf(EnumSet.of(
                Subject.IDGEN_SEGMENT_FAR,
                Subject.IDGEN_WIDEST_INTO,
                Subject.IDGEN_SEGMENT_INTO,
                Subject.EMPTY_ARRAY)));
        Measurements measured =
                Measurements.take(forks, subjects, (subject, threads) -> JmhFork.calls(subject, threads, forks));
        List<String> lines = new ArrayList<>(List.of("Millions of ids per second, one per call. " + forks.told()));
        lines.addAll(byKind(
                subjects,
                forks,
                (subject, threads) ->
                        measured.estimate(subject, threads, JmhFork.MILLIONS).text(1)));
        lines.addAll(Ratio.table(CALLS, forks, measured));
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    @Command(
            name = "batches",
            mixinStandardHelpOptions = true,
            description = "Ids per second by the thousand: nextIds(1000) of idgen, and peers in a loop.")
    static void batches(@Mixin Forks forks, @Mixin Page page) {
        page.begin("batches");
        Collection<Subject> subjects = forks.subjects(EnumSet.of(
                Subject.IDGEN_WIDEST, // the other layouts have too few ids per tick for this
                Subject.IDGEN_WIDEST_INTO,
                Subject.TSID_CREATOR,
                Subject.IDGEN_SEGMENT,
                Subject.IDGEN_SEGMENT_INTO,
                Subject.COSID_CHAIN,
                Subject.POOLED_LO_THREAD,
                Subject.EMPTY_ARRAY));
        Measurements measured =
                Measurements.take(forks, subjects, (subject, threads) -> JmhFork.batches(subject, threads, forks));
        List<String> lines = new ArrayList<>(List.of("Millions of ids per second, in arrays of " + IdBenchmark.BATCH
                + ": by one call of idgen, by as many calls of its peers. " + forks.told()));
        lines.addAll(byKind(
                subjects,
                forks,
                (subject, threads) ->
                        measured.estimate(subject, threads, JmhFork.MILLIONS).text(1)));
        lines.addAll(Ratio.table(BATCHES, forks, measured));
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    @Command(name = "allocation", mixinStandardHelpOptions = true, description = "Bytes allocated per id.")
    static void allocation(@Mixin Forks forks, @Mixin Page page) {
        page.begin("allocation");
        Collection<Subject> subjects = forks.subjects(Subject.generators());
        Measurements measured =
                Measurements.take(forks, subjects, (subject, threads) -> JmhFork.bytes(subject, threads, forks));
        List<String> lines = new ArrayList<>(List.of("Bytes that are allocated for one id. " + forks.told()));
        lines.addAll(byKind(
                subjects,
                forks,
                (subject, threads) ->
                        measured.estimate(subject, threads, JmhFork.BYTES).text(1)));
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    @Command(
            name = "cap",
            mixinStandardHelpOptions = true,
            description = "Rate and processor time of threads that request more than 4,096 ids per millisecond.")
    static void cap(@Mixin Forks forks, @Mixin Page page) {
        page.begin("cap");
        Set<Subject> capped = EnumSet.copyOf(Subject.of(Subject.Kind.CAPPED));
        capped.remove(Subject.IDGEN_AHEAD);
        Collection<Subject> subjects = forks.subjects(capped);
        Measurements measured = Measurements.take(
                forks, subjects, (subject, threads) -> Load.fork(subject, threads, forks.millis, 0, false));
        List<String> lines =
                new ArrayList<>(List.of("Threads that always want more ids than a millisecond has: how many"
                        + " percent of 4,096 per millisecond they got, and how many cores the process was busy on. "
                        + forks.told()));
        lines.addAll(byKind(
                subjects,
                forks,
                (subject, threads) -> Estimate.of(Arrays.stream(measured.of(subject, threads, Load.IDS))
                                        .map(ids -> 100 * ids / CAP)
                                        .toArray())
                                .text(1)
                        + " %; "
                        + measured.estimate(subject, threads, Load.CORES).text(2) + " cores"));
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    @Command(
            name = "burst",
            mixinStandardHelpOptions = true,
            description = "Duration of a burst of 10,000 ids after a pause, by single calls and by one call.")
    static void burst(@Mixin Forks forks, @Mixin Page page) {
        page.begin("burst");
        Forks alone = forks.withOneThread();
        Set<Subject> bursting = EnumSet.copyOf(Subject.of(Subject.Kind.CAPPED));
        bursting.addAll(Subject.of(Subject.Kind.WIDE));
        bursting.remove(Subject.IDGEN_WIDE_RACED);
        Collection<Subject> subjects = forks.subjects(bursting);
        Measurements measured =
                Measurements.take(alone, subjects, (subject, threads) -> OwnJvm.run(OwnJvm.HEAP, Burst.class, subject));
        Table table = new Table(
                String.format(ROOT, "A burst of %,d ids, in µs", Burst.IDS),
                Stream.of("by single calls", "p90 of that", "nextIds"));
        for (Subject subject : subjects) {
            table.row(
                    subject.title,
                    Stream.of(
                            measured.estimate(subject, 1, Burst.CALLS).text(0),
                            measured.estimate(subject, 1, Burst.CALLS + Burst.P90)
                                    .text(0),
                            subject.isOurs()
                                    ? measured.estimate(subject, 1, Burst.BATCH).text(0)
                                    : ""));
        }
        List<String> lines = new ArrayList<>(
                List.of("Bursts on one thread, each after a pause of 5 ms. " + Table.medianOf(alone.rounds, "JVMs")
                        + " A JVM reports the median and the 90th percentile of its bursts."));
        lines.addAll(table.lines());
        page.print(lines);
        page.end();
    }

    @Command(
            name = "paced",
            mixinStandardHelpOptions = true,
            description = "The processor time of threads that want 100,000 ids per second together.")
    static void paced(@Mixin Forks forks, @Mixin Page page) {
        page.begin("paced");
        Set<Subject> numbers = Subject.generators();
        numbers.removeIf(Subject::givesObjects);
        numbers.add(Subject.CLOCK);
        Collection<Subject> subjects = forks.subjects(numbers);
        Measurements measured = Measurements.take(
                forks, subjects, (subject, threads) -> Load.fork(subject, threads, forks.millis, PACE, false));
        List<String> lines = new ArrayList<>(List.of(
                String.format(ROOT, "Threads that together want %,d ids per second, in bursts each millisecond: ", PACE)
                        + "on how many cores the process was busy, most of it with waking up; beside threads that read the clock"
                        + " instead. " + forks.told()));
        lines.addAll(byKind(
                subjects,
                forks,
                (subject, threads) ->
                        measured.estimate(subject, threads, Load.CORES).text(3)));
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    @Command(
            name = "latency",
            mixinStandardHelpOptions = true,
            description =
                    "Latencies of single calls, below the cap and flat out, compared with a thread that reads the clock.")
    static void latency(@Mixin Forks forks, @Mixin Page page) {
        page.begin("latency");
        Set<Subject> numbers = Subject.generators();
        numbers.removeIf(Subject::givesObjects);
        Collection<Subject> subjects = forks.subjects(numbers);
        List<String> lines = new ArrayList<>(List.of(
                "How long a call takes, in ns, with the reading of the clock that times it; and the last column: how many times"
                        + " as long as the same percentile of a thread of the same JVM that reads the clock instead. "
                        + forks.told()));
        for (int pace : new int[] {BELOW_CAP, 0}) {
            Measurements measured = Measurements.take(
                    forks, subjects, (subject, threads) -> Load.fork(subject, threads, forks.millis, pace, true));
            String load = pace == 0 ? "flat out" : String.format(ROOT, "%,d ids per second", pace);
            for (int threads : forks.threads) {
                Table table = new Table(
                        load + ", " + threads + (threads == 1 ? " thread" : " threads"),
                        Stream.concat(
                                Load.PERCENTILES.stream().map(percentile -> "p" + Load.text(percentile)),
                                Stream.of("p99.9 / clock")));
                for (Subject subject : subjects) {
                    table.row(subject.title, latencies(measured, subject, threads));
                }
                lines.addAll(table.lines());
            }
        }
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print(lines);
        page.end();
    }

    private static Stream<String> latencies(Measurements measured, Subject subject, int threads) {
        return Stream.concat(
                Load.PERCENTILES.stream()
                        .map(percentile -> String.format(
                                ROOT,
                                "%,.0f",
                                measured.estimate(subject, threads, Load.id(percentile))
                                        .median())),
                Stream.of(Estimate.ofRatio(
                                measured.of(subject, threads, Load.id(99.9)),
                                measured.of(subject, threads, Load.clock(99.9)))
                        .text(1)));
    }

    @Command(
            name = "virtual",
            mixinStandardHelpOptions = true,
            description =
                    "Many virtual threads on a new source, each with some ids: duration and refusals. Needs JDK 21.")
    static void virtualThreads(@Mixin Forks forks, @Mixin Page page) {
        page.begin("virtual");
        Forks alone = forks.withOneThread();
        Collection<Subject> subjects = forks.subjects(EnumSet.of(
                Subject.IDGEN,
                Subject.IDGEN_LEASED,
                Subject.HUTOOL,
                Subject.IDGEN_WIDE,
                Subject.IDGEN_WIDE_LEASED,
                Subject.TSID_CREATOR,
                Subject.IDGEN_SEGMENT,
                Subject.IDGEN_SEGMENT_FAR,
                Subject.COSID_CHAIN));
        Measurements measured = Measurements.take(alone, subjects, (subject, threads) -> VirtualThreads.fork(subject));
        Table table = new Table(
                String.format(
                        ROOT, "%,d threads of %d ids each, in ms", VirtualThreads.THREADS, VirtualThreads.IDS_EACH),
                Stream.of("virtual threads", "the same calls on 8 platform threads", "refusals", "duplicates"));
        for (Subject subject : subjects) {
            table.row(
                    subject.title,
                    Stream.of(
                            measured.estimate(subject, 1, VirtualThreads.VIRTUAL)
                                    .text(0),
                            measured.estimate(subject, 1, VirtualThreads.PLATFORM)
                                    .text(0),
                            count(measured, subject, VirtualThreads.VIRTUAL + VirtualThreads.REFUSALS),
                            count(measured, subject, VirtualThreads.VIRTUAL + VirtualThreads.DUPLICATES)));
        }
        List<String> lines = new ArrayList<>(List.of("From the start of the first thread of a new source to the end of"
                + " the last one, in a JVM that has started its logging. "
                + Table.medianOf(alone.rounds, "JVMs")));
        lines.addAll(table.lines());
        page.print(lines);
        page.end();
    }

    private static String count(Measurements measured, Subject subject, String name) {
        return String.format(
                ROOT, "%,.0f", Arrays.stream(measured.of(subject, 1, name)).sum());
    }

    @Command(
            name = "uniqueness",
            mixinStandardHelpOptions = true,
            description = "Checks ids of each configuration of idgen, generated by 8 threads, for duplicates.")
    static void uniqueness(@Mixin Forks forks, @Mixin Page page) {
        page.begin("uniqueness");
        page.print(Uniqueness.check(forks.subjects(EnumSet.allOf(Subject.class)), forks.ids));
        page.end();
    }

    /** Returns a table for each kind that has subjects, with a column for each number of threads. */
    private static List<String> byKind(
            Collection<Subject> subjects, Forks forks, BiFunction<Subject, Integer, String> cell) {
        List<String> lines = new ArrayList<>();
        for (Subject.Kind kind : Subject.Kind.values()) {
            List<Subject> ofKind =
                    Subject.of(kind).stream().filter(subjects::contains).toList();
            if (!ofKind.isEmpty()) {
                Table table = new Table(kind.title, forks.columns());
                for (Subject subject : ofKind) {
                    table.row(
                            subject.title,
                            IntStream.of(forks.threads).mapToObj(threads -> cell.apply(subject, threads)));
                }
                lines.addAll(table.lines());
            }
        }
        return lines;
    }
}
