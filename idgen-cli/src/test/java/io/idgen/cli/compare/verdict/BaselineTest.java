package io.idgen.cli.compare.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.InsertOutcome;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.verdict.Baseline.Change;
import io.idgen.cli.compare.verdict.Baseline.Result;
import io.idgen.cli.compare.verdict.Comparison.Advice;
import io.idgen.cli.compare.verdict.Comparison.Chart;
import io.idgen.cli.measure.DuplicateCheck;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class BaselineTest {
    private static final double[] STEADY = {100, 101, 102, 103, 104, 105};

    private static Comparison comparison(double factor, double roundTrips, boolean busy, int threads) {
        return comparison(DoubleStream.of(STEADY).map(run -> factor * run).toArray(), roundTrips, busy, threads);
    }

    private static Comparison comparison(double[] runs, double roundTrips, boolean busy, int threads) {
        return comparison(runs, roundTrips, busy, threads, List.of());
    }

    private static Comparison comparison(
            double[] runs, double roundTrips, boolean busy, int threads, List<Advice> advice) {
        return comparison(runs, roundTrips, busy, threads, advice, null, null);
    }

    private static Comparison comparison(
            double[] runs,
            double roundTrips,
            boolean busy,
            int threads,
            List<Advice> advice,
            @Nullable OutageOutcome outage,
            @Nullable InsertOutcome inserts) {
        Speed speed = Speed.of(DoubleStream.of(runs).boxed().toList());
        Strategy segment = new Strategy(
                "segment",
                KeyFamily.TABLE,
                "",
                null,
                null,
                false,
                speed,
                List.of(),
                null,
                null,
                roundTrips,
                DuplicateCheck.Duplicates.NONE,
                inserts,
                null,
                outage,
                null);
        Load load = new Load(0.0, 0.2, busy, "");
        return new Comparison(
                Comparison.VERSION,
                "2026-11-21T08:00:00Z",
                1,
                new Environment("", 2, 100, "", "", "", "", "", true, 2, ""),
                new Conditions(threads, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "", Map.of()),
                load,
                List.of(),
                List.of(segment),
                Headline.of(List.of(segment), load),
                advice,
                null);
    }

    private static Change change(Comparison before, Comparison after, String figure) {
        return Baseline.of(before, after).changes().stream()
                .filter(change -> change.figure().equals(figure))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSpeedHasChangedIfItsIntervalsAreApart() {
        Comparison before = comparison(1, 10, false, 4);

        Change faster = change(before, comparison(2, 10, false, 4), "ids/s");
        assertThat(faster.result()).isEqualTo(Result.BETTER);
        assertThat(faster.text()).isEqualTo("2.00 times");
        assertThat(change(before, comparison(0.5, 10, false, 4), "ids/s").result())
                .isEqualTo(Result.WORSE);
        assertThat(change(before, comparison(1.03, 10, false, 4), "ids/s").result())
                .isEqualTo(Result.SAME);
    }

    @Test
    void aSpeedHasNotChangedIfItsIntervalsOverlap() {
        Comparison shaky = comparison(new double[] {90, 104, 140, 150, 160, 170}, 10, false, 4);

        assertThat(change(comparison(1, 10, false, 4), shaky, "ids/s").text()).isEqualTo("no difference measured");
    }

    @Test
    void speedsOfABusyMachineAreNotCompared() {
        Comparison quiet = comparison(1, 10, false, 4);
        Comparison busy = comparison(2, 20, true, 4);

        assertThat(change(quiet, busy, "ids/s").result()).isEqualTo(Result.NOT_COMPARABLE);
        assertThat(change(busy, quiet, "ids/s").result()).isEqualTo(Result.NOT_COMPARABLE);
        assertThat(change(quiet, busy, "SQL round trips per 1,000 ids").result())
                .isEqualTo(Result.WORSE);
    }

    private static Comparison advising(double factor, String take) {
        return comparison(
                DoubleStream.of(STEADY).map(run -> factor * run).toArray(),
                10,
                false,
                4,
                List.of(new Advice("the most ids per second", take, List.of(), Chart.THROUGHPUT)));
    }

    @Test
    void twoRunsAgreeIfVerdictsAreEqualAndIntervalsOverlap() {
        Baseline same = Baseline.of(advising(1, "segment"), advising(1.03, "segment"));

        assertThat(same.agreement().lines())
                .containsExactly(
                        "verdicts: all 1 are the same",
                        "figures: 2 of 2 agree (100.0 %): intervals overlap, or values differ by at most a tenth");
        assertThat(same.text()).endsWith(String.join("\n  ", same.agreement().lines()));
    }

    @Test
    void aVerdictThatDiffersIsNamedWithBothAnswers() {
        assertThat(Baseline.of(advising(1, "segment"), advising(1, "stepped"))
                        .agreement()
                        .lines())
                .startsWith(
                        "verdicts: 1 of 1 differ",
                        "verdict differs: the most ids per second: segment before, stepped now");
        assertThat(Baseline.of(comparison(1, 10, false, 4), advising(1, "stepped"))
                        .agreement()
                        .differing())
                .containsExactly("the most ids per second: no verdict before, stepped now");
        assertThat(Baseline.of(advising(1, "segment"), comparison(1, 10, false, 4))
                        .agreement()
                        .differing())
                .containsExactly("the most ids per second: segment before, no verdict now");
    }

    /** A difference of 6 % is too small for a change, but the intervals of the two runs do not overlap. */
    @Test
    void intervalsThatAreApartDoNotAgreeEvenIfTheDifferenceIsSmall() {
        Baseline apart = Baseline.of(advising(1, "segment"), advising(1.06, "segment"));

        assertThat(apart.changes().get(0).result()).isEqualTo(Result.SAME);
        assertThat(apart.agreement().agreeing()).isEqualTo(1);
        assertThat(apart.agreement().lines())
                .contains("figures: 1 of 2 agree (50.0 %): intervals overlap, or values differ by at most a tenth");
    }

    @Test
    void speedsOfABusyMachineAreNotCountedAsAgreeing() {
        Agreement agreement = Baseline.of(comparison(1, 10, false, 4), comparison(1, 10, true, 4))
                .agreement();

        assertThat(agreement.figures()).isEqualTo(1);
        assertThat(agreement.notCompared()).isEqualTo(1);
        assertThat(agreement.lines()).contains("figures: 1 not comparable: other processes kept the machine too busy");
    }

    private static Comparison available(double seconds) {
        return comparison(
                STEADY,
                10,
                false,
                4,
                List.of(),
                new OutageOutcome(3, 50, 600, 5, seconds, 100, "", DuplicateCheck.Duplicates.NONE),
                null);
    }

    @Test
    void theRestOfABlockAtTheBeginningOfAnOutageIsChance() {
        String figure = "available during outage, s";

        assertThat(change(available(0.05), available(0.3), figure).result()).isEqualTo(Result.SAME);
        assertThat(change(available(0.05), available(0.4), figure).result()).isEqualTo(Result.BETTER);
        assertThat(change(available(3), available(0.3), figure).result()).isEqualTo(Result.WORSE);
    }

    private static Comparison inserted(long rows, long indexBytes) {
        Speed speed = Speed.of(DoubleStream.of(STEADY).boxed().toList());
        return comparison(
                STEADY, 10, false, 4, List.of(), null, new InsertOutcome(rows, speed, 20, indexBytes, indexBytes));
    }

    @Test
    void indexesOfOtherNumbersOfRowsAreNotCompared() {
        String figure = "index size, bytes";

        assertThat(change(inserted(3000, 1000), inserted(3000, 2000), figure).result())
                .isEqualTo(Result.WORSE);
        assertThat(change(inserted(3000, 1000), inserted(300, 100), figure).result())
                .isEqualTo(Result.NOT_COMPARABLE);
    }

    @Test
    void otherConditionsAreNamed() {
        assertThat(Baseline.of(comparison(1, 10, false, 4), comparison(1, 10, false, 8))
                        .conditions())
                .containsExactly("threads: 4 before, 8 now");
    }

    @Test
    void theJsonOfAComparisonIsReadAgain() {
        JsonMapper json = JsonMapper.builder().build();
        Comparison comparison = comparison(1, 10, false, 4).since(comparison(2, 10, false, 4));

        assertThat(json.readValue(json.writeValueAsString(comparison), Comparison.class))
                .isEqualTo(comparison);
    }
}
