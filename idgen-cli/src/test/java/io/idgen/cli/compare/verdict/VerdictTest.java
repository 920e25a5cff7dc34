package io.idgen.cli.compare.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.compare.result.InsertOutcome;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.KeyOrder;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.compare.verdict.Comparison.Advice;
import io.idgen.cli.measure.DuplicateCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Tests that the verdicts depend only on the figures. */
class VerdictTest {
    private static final Load QUIET = new Load(0.02, 0.2, false, "quiet");
    private static final Load BUSY = new Load(1.1, 0.2, true, "busy");
    private static final double[] STEADY = {100, 101, 102, 103, 104, 105};

    private static Speed speed(double factor, double... runs) {
        return Speed.of(DoubleStream.of(runs).map(run -> factor * run).boxed().toList());
    }

    private static Strategy strategy(String name, KeyFamily family, Speed ids, Speed rows, long indexBytes) {
        return new Strategy(
                name,
                family,
                "",
                null,
                null,
                false,
                ids,
                List.of(),
                null,
                null,
                10.0,
                new DuplicateCheck.Duplicates(1000, 0, List.of()),
                new InsertOutcome(600, rows, 20, indexBytes, indexBytes),
                null,
                null,
                null);
    }

    private static Strategy strategy(String name, KeyFamily family, double ids, double rows) {
        return strategy(name, family, speed(ids, STEADY), speed(rows, STEADY), 1000);
    }

    private static Optional<Advice> advice(String need, Load load, boolean inProcess, Strategy... strategies) {
        return Verdict.of(Arrays.asList(strategies), load, inProcess).stream()
                .filter(advice -> advice.need().contains(need))
                .findFirst();
    }

    private static String take(String need, Strategy... strategies) {
        return advice(need, QUIET, false, strategies).orElseThrow().take();
    }

    @Test
    void aSpeedIsBestIfItIsAboveAllOthersInEveryRound() {
        assertThat(take(
                        "most ids",
                        strategy("a", KeyFamily.TABLE, 1, 1),
                        strategy("b", KeyFamily.TABLE, 1.5, 1),
                        strategy("c", KeyFamily.TABLE, 1.2, 1)))
                .isEqualTo("b");
    }

    @Test
    void mediansThatDifferByATenthAreNoVerdictIfTheirIntervalsOverlap() {
        Strategy even = strategy("even", KeyFamily.TABLE, speed(1, STEADY), speed(1, STEADY), 1000);
        Strategy shaky =
                strategy("shaky", KeyFamily.TABLE, speed(1, 80, 90, 115, 116, 130, 150), speed(1, STEADY), 1000);

        assertThat(take("most ids", even, shaky)).isEqualTo("no difference measured between even, shaky");
    }

    @Test
    void roundsArePairedSoThatAMachineThatSlowsDownHidesNoDifference() {
        double[] slowing = {1000, 800, 600, 400, 200, 100};
        Strategy slow = strategy("slow", KeyFamily.TABLE, speed(1, slowing), speed(1, STEADY), 1000);
        Strategy fast = strategy("fast", KeyFamily.TABLE, speed(1.3, slowing), speed(1, STEADY), 1000);

        assertThat(take("most ids", slow, fast)).isEqualTo("fast");
    }

    @Test
    void thereIsNoVerdictOnSpeedsOfABusyMachineOrOfTooFewRounds() {
        Strategy[] some = {strategy("a", KeyFamily.TABLE, 1, 1), strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, 9, 9)};
        assertThat(advice("most ids", QUIET, false, some)).isPresent();
        assertThat(advice("parents", QUIET, false, some)).isPresent();

        assertThat(advice("most ids", BUSY, false, some)).isEmpty();
        assertThat(advice("parents", BUSY, false, some)).isEmpty();
        assertThat(Headline.of(Arrays.asList(some), BUSY).tiles().get(0).answer())
                .isEqualTo("not measurable");
        Strategy[] few = {
            strategy("a", KeyFamily.TABLE, speed(1, 1, 2, 3, 4, 5), speed(1, 1, 2, 3, 4, 5), 1000),
            strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, speed(9, 1, 2, 3, 4, 5), speed(9, 1, 2, 3, 4, 5), 1000)
        };
        assertThat(advice("most ids", QUIET, false, few)).isEmpty();
        assertThat(advice("parents", QUIET, false, few)).isEmpty();
    }

    @Test
    void aTenthOfTheProcessorsIsTooMuchOtherLoad() {
        assertThat(Load.of(OptionalDouble.of(0.19), 2, "told").tooHigh()).isFalse();
        assertThat(Load.of(OptionalDouble.of(0.19), 2, "told").text()).isEqualTo("told");
        assertThat(Load.of(OptionalDouble.of(0.21), 2, "told").tooHigh()).isTrue();
        assertThat(Load.of(OptionalDouble.of(0.21), 2, "told").text())
                .startsWith("told, more than 0.20: the speeds mean nothing");
        assertThat(Load.of(OptionalDouble.empty(), 2, "not known").tooHigh()).isFalse();
    }

    @Test
    void identityIsRecommendedForManyRowsOnlyIfItIsFasterInEveryRound() {
        Strategy before = strategy("segment", KeyFamily.TABLE, 1, 1);

        assertThat(take("parents", before, strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, 1, 1.02)))
                .isEqualTo("no difference measured");
        assertThat(take("parents", before, strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, 1, 2)))
                .isEqualTo("identity");
        assertThat(take("parents", before, strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, 1, 0.3)))
                .isEqualTo("ids before the insert");
    }

    @Test
    void inTheDatabasesOwnProcessTheVerdictSaysThatARoundTripCostsNothing() {
        Strategy[] some = {
            strategy("segment", KeyFamily.TABLE, 1, 1), strategy(Strategy.IDENTITY, KeyFamily.WITH_ROW, 1, 2)
        };

        assertThat(advice("parents", QUIET, true, some).orElseThrow().facts())
                .anySatisfy(fact -> assertThat(fact).contains("a round trip costs nothing here"));
        assertThat(advice("parents", QUIET, false, some).orElseThrow().facts())
                .noneSatisfy(fact -> assertThat(fact).contains("costs nothing"));
    }

    @Test
    void noUuidIsRecommendedIfNoFigureTellsThemApart() {
        Strategy random = strategy("uuid-v4", KeyFamily.UUID, 1, 1);

        assertThat(take("without a worker id", random, strategy("uuid-v7", KeyFamily.UUID, 1, 1)))
                .isEqualTo("no difference measured between uuid-v4, uuid-v7");
        assertThat(take(
                        "without a worker id",
                        random,
                        strategy("uuid-v7", KeyFamily.UUID, speed(1, STEADY), speed(1, STEADY), 500)))
                .isEqualTo("uuid-v7");
    }

    @Test
    void uuidsAreComparedByRowsPerSecondOnlyIfTheirRoundsLastedLongEnough() {
        assertThat(take(
                        "without a worker id",
                        strategy("uuid-v4", KeyFamily.UUID, 1, 1),
                        strategy("uuid-v7", KeyFamily.UUID, 1, 2)))
                .isEqualTo("uuid-v7");
        assertThat(take(
                        "without a worker id",
                        strategy("uuid-v4", KeyFamily.UUID, 1, 100),
                        strategy("uuid-v7", KeyFamily.UUID, 1, 200)))
                .isEqualTo("no difference measured between uuid-v4, uuid-v7");
    }

    @Test
    void theSnowflakeKindsHaveOneNameIfTheyAreAllMeant() {
        List<Strategy> all = new ArrayList<>();
        for (String kind : List.of("wait", "fail", "leased")) {
            all.add(strategy("snowflake-" + kind, KeyFamily.SNOWFLAKE, 1, 1));
        }
        all.add(strategy("segment", KeyFamily.TABLE, 1, 1));

        assertThat(Texts.names(all, all)).isEqualTo("all 3 snowflake kinds, segment");
        assertThat(Texts.names(all.subList(0, 2), all)).isEqualTo("snowflake-wait, snowflake-fail");
        assertThat(Texts.either(all, all)).isEqualTo("any of 3 snowflake kinds or segment");
    }

    @Test
    void aTileNamesUpToTwoStrategiesAndCountsMore() {
        Strategy first = strategy("a", KeyFamily.TABLE, 1, 1);
        Strategy second = strategy("b", KeyFamily.TABLE, 1, 1);
        Strategy third = strategy("c", KeyFamily.TABLE, 1, 1);

        assertThat(fastest(second, first)).isEqualTo("b or a");
        assertThat(fastest(first, second, third)).isEqualTo("3 of 3");
    }

    private static String fastest(Strategy... some) {
        return Headline.of(Arrays.asList(some), QUIET).tiles().get(0).answer();
    }

    private static Strategy ordered(long keys) {
        Strategy plain = strategy("a", KeyFamily.TABLE, 1, 1);
        return new Strategy(
                plain.name(),
                plain.family(),
                "",
                null,
                null,
                false,
                plain.speed(),
                List.of(),
                null,
                new KeyOrder(keys, 30, 0.1, 0.1, 2, List.of()),
                plain.roundTripsPerThousand(),
                plain.duplicates(),
                null,
                null,
                null,
                null);
    }

    @Test
    void fewIdsGiveNoVerdictOnTheirOrderAndShards() {
        assertThat(advice("spread over shards", QUIET, false, ordered(400))).isPresent();
        assertThat(advice("increase from call", QUIET, false, ordered(400))).isPresent();

        assertThat(advice("spread over shards", QUIET, false, ordered(399))).isEmpty();
        assertThat(advice("increase from call", QUIET, false, ordered(399))).isEmpty();
    }
}
