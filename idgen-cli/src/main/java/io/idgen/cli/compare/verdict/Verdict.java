package io.idgen.cli.compare.verdict;

import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.KeyOrder;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.compare.verdict.Comparison.Advice;
import io.idgen.cli.compare.verdict.Comparison.Chart;
import io.idgen.cli.measure.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recommends a strategy for each need, based only on measured figures. A verdict on speeds requires intervals that do
 * not overlap, and a machine without much other load.
 */
final class Verdict {
    static final String NO_DIFFERENCE = "no difference measured";

    // a skew of an eighth is due to chance or traffic, and a skew of a half is due to the ids
    private static final double UNEVEN = 1.5;
    // the rounds of one process do not show how the JIT compiler of another process would decide
    private static final double NOTEWORTHY = 1.1;
    private static final double SHORTEST_ROUND_SECONDS = 0.1;
    // ids with at most ten digits are short: an int has ten
    private static final int SHORT = 10;
    private static final double OUT_OF_ORDER = 0.01;
    // with 50 ids for each of eight shards, a skew of a half is not due to chance
    private static final int ENOUGH_IDS = 400;

    private final List<Strategy> all;
    private final Load load;
    private final boolean inProcess;
    private final List<Advice> advice = new ArrayList<>();

    private Verdict(List<Strategy> strategies, Load load, boolean inProcess) {
        this.all = strategies.stream()
                .filter(strategy -> strategy.failure() == null)
                .toList();
        this.load = load;
        this.inProcess = inProcess;
    }

    static List<Advice> of(List<Strategy> strategies, Load load, boolean inProcess) {
        Verdict verdict = new Verdict(strategies, load, inProcess);
        verdict.duplicates();
        verdict.withoutDatabase();
        verdict.shortNumbers();
        verdict.hardlyAGap();
        verdict.manyRows();
        verdict.speed();
        verdict.uuids();
        verdict.order();
        verdict.shards();
        verdict.own();
        return List.copyOf(verdict.advice);
    }

    private void duplicates() {
        all.stream()
                .filter(strategy -> !isSound(strategy))
                .forEach(strategy -> add(
                        "unique ids",
                        "anything but " + strategy.name(),
                        Chart.NUMBERS,
                        "it generated " + Texts.whole(strategy.duplicates().count()) + " duplicates among "
                                + Texts.whole(strategy.duplicates().checked()) + " ids",
                        "for example " + strategy.duplicates().examples().get(0)));
    }

    private void withoutDatabase() {
        List<Strategy> survivors = sound(strategy -> strategy.family() == KeyFamily.SNOWFLAKE
                && strategy.outage() != null
                && strategy.outage().neverCeased());
        if (!survivors.isEmpty()) {
            add(
                    "ids of 64 bits that contain their time, also during an outage of the database",
                    Texts.either(survivors, all),
                    Chart.OUTAGE,
                    outage(survivors.get(0)),
                    range(survivors, Verdict::trips) + " round trips per 1,000 ids");
        }
    }

    private void shortNumbers() {
        List<Strategy> few = least(
                sound(strategy -> strategy.sample() != null
                        && strategy.sample().id().length() <= SHORT
                        && strategy.roundTripsPerThousand() != null
                        && strategy.family() != KeyFamily.OWN),
                Verdict::trips);
        if (!few.isEmpty()) {
            Strategy strategy = few.get(0);
            add(
                    "short numbers that rarely cost a round trip",
                    Texts.either(few, all),
                    Chart.TRIPS,
                    Texts.rate(trips(strategy)) + " round trips per 1,000 ids",
                    outage(strategy),
                    lost(strategy));
        }
    }

    private void hardlyAGap() {
        List<Strategy> tight = least(
                sound(strategy ->
                        strategy.restart() != null && strategy.restart().lostIds() >= 0),
                Verdict::lostIds);
        if (!tight.isEmpty()) {
            add(
                    "as few gaps as possible",
                    Texts.either(tight, all),
                    Chart.GAPS,
                    lost(tight.get(0)),
                    range(tight, Verdict::trips) + " round trips per 1,000 ids",
                    tight.stream().allMatch(strategy -> outage(strategy).equals(outage(tight.get(0))))
                            ? outage(tight.get(0))
                            : "some of them give ids during a part of an outage");
        }
    }

    private void manyRows() {
        Optional<Strategy> identity = all.stream()
                .filter(strategy -> strategy.name().equals(Strategy.IDENTITY) && strategy.inserts() != null)
                .findFirst();
        List<Strategy> before = sound(strategy -> strategy.inserts() != null
                && strategy.family() != KeyFamily.WITH_ROW
                && strategy.family() != KeyFamily.UUID);
        if (identity.isEmpty() || before.isEmpty() || !countsSpeeds(identity.get(), Verdict::rows)) {
            return;
        }
        Speed withRow = rows(identity.get());
        Speed usual = Speed.of(IntStream.range(0, withRow.runs().size())
                .mapToObj(round -> median(before.stream()
                        .mapToDouble(strategy -> rows(strategy).runs().get(round))
                        .toArray()))
                .toList());
        Estimate ratio = usual.ratio(withRow);
        add(
                "to insert thousands of parents with children",
                ratio.low() > NOTEWORTHY
                        ? "ids before the insert"
                        : ratio.high() < 1 / NOTEWORTHY ? Strategy.IDENTITY : NO_DIFFERENCE,
                Chart.INSERTS,
                "ids before the insert: " + Texts.interval(usual) + " rows/s in the median of " + before.size()
                        + " strategies; " + Strategy.IDENTITY + ": " + Texts.interval(withRow),
                "round trips per 1,000 rows: "
                        + range(
                                before,
                                strategy -> Objects.requireNonNull(strategy.inserts())
                                        .roundTripsPerThousand()) + "; " + Strategy.IDENTITY + ": "
                        + Texts.rate(
                                Objects.requireNonNull(identity.get().inserts()).roundTripsPerThousand()),
                inProcess
                        ? "a round trip costs nothing here, because the database runs in this process; over a network"
                                + " each costs its latency, so compare on your own database with --url"
                        : "");
    }

    private void speed() {
        List<Strategy> fast = fastest(sound(strategy -> countsSpeeds(strategy, Strategy::speed)), Strategy::speed);
        if (!fast.isEmpty()) {
            add(
                    "the most ids per second",
                    fast.size() == 1 ? fast.get(0).name() : NO_DIFFERENCE + " between " + Texts.names(fast, all),
                    Chart.THROUGHPUT,
                    fast.stream()
                            .map(strategy -> strategy.name() + ": "
                                    + Texts.interval(Objects.requireNonNull(strategy.speed())) + " ids/s")
                            .collect(Collectors.joining("; ")));
        }
    }

    private void uuids() {
        List<Strategy> uuids = sound(strategy -> strategy.family() == KeyFamily.UUID && strategy.inserts() != null);
        if (uuids.size() < 2) {
            return;
        }
        List<Strategy> small = least(uuids, Verdict::indexBytes);
        List<Strategy> fast = fastest(
                uuids.stream()
                        .filter(strategy -> countsSpeeds(strategy, Verdict::rows) && insertsLasted(strategy))
                        .toList(),
                Verdict::rows);
        List<Strategy> best = small.stream()
                .filter(strategy -> fast.isEmpty() || fast.contains(strategy))
                .toList();
        add(
                "ids without a worker id and without the database",
                best.isEmpty() || best.size() == uuids.size()
                        ? NO_DIFFERENCE + " between " + Texts.names(uuids, all)
                        : Texts.either(best, all),
                Chart.INSERTS,
                "index size: "
                        + uuids.stream()
                                .map(strategy -> strategy.name() + " " + Texts.bytes(indexBytes(strategy)))
                                .collect(Collectors.joining(", ")),
                fast.isEmpty()
                        ? ""
                        : "rows/s: "
                                + uuids.stream()
                                        .map(strategy -> strategy.name() + " " + Texts.interval(rows(strategy)))
                                        .collect(Collectors.joining(", ")));
    }

    private void order() {
        List<Strategy> disordered = all.stream()
                .filter(strategy -> enough(strategy.order())
                        && Objects.requireNonNull(strategy.order()).shareWithin() > OUT_OF_ORDER)
                .toList();
        if (!disordered.isEmpty()) {
            add(
                    "ids of a process that increase from call to call",
                    "any except " + Texts.names(disordered, all),
                    Chart.ORDER,
                    "up to "
                            + Texts.percent(disordered.stream()
                                    .mapToDouble(strategy -> Objects.requireNonNull(strategy.order())
                                            .shareWithin())
                                    .max()
                                    .orElseThrow())
                            + " of their ids are smaller than an earlier id of the same instance");
        }
    }

    private void shards() {
        List<Strategy> uneven = all.stream()
                .filter(strategy -> enough(strategy.order())
                        && Objects.requireNonNull(strategy.order()).fullestOf8() >= UNEVEN)
                .toList();
        if (!uneven.isEmpty()) {
            add(
                    "rows spread over shards by id % 8",
                    "not the plain id of " + Texts.either(uneven, all),
                    Chart.ORDER,
                    String.format(
                            Locale.ROOT,
                            "at this rate the largest of eight shards gets %.1f times its fair share",
                            uneven.stream()
                                    .mapToDouble(strategy -> Objects.requireNonNull(strategy.order())
                                            .fullestOf8())
                                    .max()
                                    .orElseThrow()));
        }
    }

    /** Returns whether a run at a fixed rate generated enough ids; on a busy machine, a slow strategy generates few. */
    private static boolean enough(@Nullable KeyOrder order) {
        return order != null && order.keys() >= ENOUGH_IDS;
    }

    private void own() {
        sound(strategy -> strategy.family() == KeyFamily.OWN)
                .forEach(strategy -> add(
                        "your own strategy",
                        strategy.name(),
                        Chart.NUMBERS,
                        "no duplicate among "
                                + Texts.whole(strategy.duplicates().checked()) + " ids",
                        Texts.rate(trips(strategy)) + " round trips per 1,000 ids",
                        outage(strategy)));
    }

    private void add(String need, String take, Chart chart, String... facts) {
        advice.add(new Advice(
                need, take, Arrays.stream(facts).filter(fact -> !fact.isEmpty()).toList(), chart));
    }

    private List<Strategy> sound(Predicate<Strategy> which) {
        return all.stream().filter(which.and(Verdict::isSound)).toList();
    }

    private static boolean isSound(Strategy strategy) {
        return strategy.duplicates().count() == 0;
    }

    /** Returns whether a speed has a 95 % interval and no other load distorted it. */
    private boolean countsSpeeds(Strategy strategy, Function<Strategy, @Nullable Speed> of) {
        return counts(of.apply(strategy), load);
    }

    /**
     * Returns whether rounds of inserts lasted long enough to be compared. In a quick run they are too short, and
     * differ by chance.
     */
    private static boolean insertsLasted(Strategy strategy) {
        Speed speed = rows(strategy);
        double rowsOfRound = (double) Objects.requireNonNull(strategy.inserts()).rows()
                / speed.runs().size();
        return rowsOfRound / speed.median() >= SHORTEST_ROUND_SECONDS;
    }

    static boolean counts(@Nullable Speed speed, Load load) {
        return speed != null && !load.tooHigh() && speed.runs().size() >= Estimate.ENOUGH;
    }

    /**
     * Returns the strategies that no other strategy beats. It is only one if the intervals of its ratios to all others
     * are above 1.1.
     */
    static List<Strategy> fastest(List<Strategy> some, Function<Strategy, @Nullable Speed> of) {
        return some.stream()
                .filter(strategy -> some.stream()
                        .noneMatch(other -> Objects.requireNonNull(of.apply(other))
                                        .ratio(Objects.requireNonNull(of.apply(strategy)))
                                        .low()
                                > NOTEWORTHY))
                .toList();
    }

    /** Returns the strategies with the smallest value, and those that differ little from it. */
    static List<Strategy> least(List<Strategy> some, ToDoubleFunction<Strategy> value) {
        double least = some.stream().mapToDouble(value).min().orElse(0);
        return some.stream()
                .filter(strategy -> value.applyAsDouble(strategy) <= least * NOTEWORTHY)
                .sorted(Comparator.comparingDouble(value))
                .toList();
    }

    private static double median(double[] values) {
        return Estimate.of(values).median();
    }

    static double trips(Strategy strategy) {
        return strategy.roundTripsPerThousand() == null ? 0 : strategy.roundTripsPerThousand();
    }

    private static Speed rows(Strategy strategy) {
        return Objects.requireNonNull(strategy.inserts()).speed();
    }

    private static double indexBytes(Strategy strategy) {
        return Objects.requireNonNull(strategy.inserts()).indexBytes();
    }

    private static double lostIds(Strategy strategy) {
        return Objects.requireNonNull(strategy.restart()).lostIds();
    }

    private static String lost(Strategy strategy) {
        return strategy.restart() == null ? "" : "a kill lost " + Texts.whole(lostIds(strategy)) + " ids";
    }

    private static String range(List<Strategy> some, ToDoubleFunction<Strategy> value) {
        String least = Texts.rate(some.stream().mapToDouble(value).min().orElse(0));
        String most = Texts.rate(some.stream().mapToDouble(value).max().orElse(0));
        return least.equals(most) ? least : least + " to " + most;
    }

    private static String outage(Strategy strategy) {
        OutageOutcome outage = strategy.outage();
        if (outage == null) {
            return "";
        }
        String seconds = Texts.seconds(Math.round(outage.seconds() * 10) / 10.0);
        return outage.neverCeased()
                ? "no call failed during an outage of " + seconds
                : outage.servedSeconds() < 0.05
                        ? "no ids during an outage of " + seconds
                        : "ids for " + Texts.seconds(Math.round(outage.servedSeconds() * 10) / 10.0)
                                + " of an outage of " + seconds;
    }
}
