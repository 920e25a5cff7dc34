package io.idgen.cli.compare.verdict;

import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.compare.verdict.Comparison.Chart;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The first lines of the report.
 *
 * @param sentence the result in one sentence
 * @param tiles the answers to three questions
 */
public record Headline(String sentence, List<Tile> tiles) {
    // more names are hard to read in large letters
    private static final int FEW = 2;

    /**
     * The answer to a question.
     *
     * @param title the question
     * @param answer the names of strategies, or why there is no answer
     * @param good what speaks for them; empty if nothing
     * @param bad what is worst, or failed; empty if nothing
     * @param chart the chart with the figures
     */
    public record Tile(String title, String answer, String good, String bad, Chart chart) {}

    static Headline of(List<Strategy> strategies, Load load) {
        List<Strategy> measured = strategies.stream()
                .filter(strategy -> strategy.failure() == null)
                .toList();
        return new Headline(
                sentence(measured, load),
                List.of(fastest(measured, load), fewestRoundTrips(measured), survivesOutage(measured)));
    }

    private static String sentence(List<Strategy> measured, Load load) {
        long duplicates =
                measured.stream().mapToLong(each -> each.duplicates().count()).sum();
        long checked =
                measured.stream().mapToLong(each -> each.duplicates().checked()).sum();
        long survivors = measured.stream().filter(Headline::survives).count();
        long tried = measured.stream().filter(each -> each.outage() != null).count();
        return (duplicates == 0 ? "No duplicate" : Texts.whole(duplicates) + " duplicates") + " among "
                + Texts.whole(checked) + " ids of " + measured.size()
                + (measured.size() == 1 ? " strategy" : " strategies")
                + (tried == 0 ? "" : "; " + survivors + " of " + tried + " gave ids throughout an outage")
                + (load.tooHigh() ? "; other processes kept the machine too busy to compare speeds." : ".");
    }

    private static Tile fastest(List<Strategy> measured, Load load) {
        List<Strategy> fit = measured.stream()
                .filter(strategy -> Verdict.counts(strategy.speed(), load))
                .toList();
        List<Strategy> fast = Verdict.fastest(fit, Strategy::speed);
        if (fast.isEmpty()) {
            String why =
                    load.tooHigh() ? "other processes kept the machine too busy" : "too few rounds for an interval";
            return new Tile("Fastest", "not measurable", "", why, Chart.THROUGHPUT);
        }
        Strategy slowest = fit.stream()
                .min(Comparator.comparingDouble(Headline::perSecond))
                .orElseThrow();
        return new Tile(
                "Fastest",
                answer(fast, fit),
                fast.size() == 1
                        ? Texts.si(perSecond(fast.get(0))) + " ids/s"
                        : Texts.names(fast, measured) + ": " + Verdict.NO_DIFFERENCE,
                fast.contains(slowest) ? "" : slowest.name() + ": " + Texts.si(perSecond(slowest)) + " ids/s",
                Chart.THROUGHPUT);
    }

    private static String answer(List<Strategy> some, List<Strategy> all) {
        return some.isEmpty() || some.size() > FEW ? some.size() + " of " + all.size() : Texts.either(some, all);
    }

    private static double perSecond(Strategy strategy) {
        return Objects.requireNonNull(strategy.speed()).median();
    }

    private static Tile fewestRoundTrips(List<Strategy> measured) {
        List<Strategy> counted = measured.stream()
                .filter(strategy -> strategy.roundTripsPerThousand() != null)
                .toList();
        List<Strategy> few = Verdict.least(counted, Verdict::trips);
        if (few.isEmpty()) {
            return new Tile("Fewest round trips", "not measured", "", "", Chart.TRIPS);
        }
        Strategy most =
                counted.stream().max(Comparator.comparingDouble(Verdict::trips)).orElseThrow();
        return new Tile(
                "Fewest round trips",
                answer(few, counted),
                (few.size() == 1 ? "" : Texts.names(few, measured) + ": ") + Texts.rate(Verdict.trips(few.get(0)))
                        + " per 1,000 ids",
                few.contains(most) ? "" : most.name() + ": " + Texts.rate(Verdict.trips(most)),
                Chart.TRIPS);
    }

    private static Tile survivesOutage(List<Strategy> measured) {
        List<Strategy> tried =
                measured.stream().filter(strategy -> strategy.outage() != null).toList();
        if (tried.isEmpty()) {
            return new Tile("Survives an outage", "not tried", "", "", Chart.OUTAGE);
        }
        List<Strategy> survivors = tried.stream().filter(Headline::survives).toList();
        return new Tile(
                "Survives an outage",
                answer(survivors, tried),
                Texts.names(survivors, measured),
                Texts.names(
                        tried.stream().filter(Predicate.not(Headline::survives)).toList(), measured),
                Chart.OUTAGE);
    }

    private static boolean survives(Strategy strategy) {
        return strategy.outage() != null && strategy.outage().neverCeased();
    }
}
