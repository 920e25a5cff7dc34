package io.idgen.cli.compare;

import io.idgen.cli.compare.Comparison.Advice;
import io.idgen.cli.compare.Comparison.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Recommends a strategy for each need, only from what was measured. */
final class Verdict {
    // a skew of an eighth is chance or traffic; a skew of a half comes from the ids
    private static final double UNEVEN = 1.5;

    // a difference of less than a tenth is noise
    private static final double NOTEWORTHY = 1.1;

    private final List<Strategy> all;
    private final List<Advice> advice = new ArrayList<>();

    private Verdict(List<Strategy> strategies) {
        this.all = strategies.stream()
                .filter(strategy -> strategy.failure() == null)
                .toList();
    }

    static List<Advice> of(List<Strategy> strategies) {
        Verdict verdict = new Verdict(strategies);
        verdict.duplicates();
        verdict.withoutDatabase();
        verdict.shortNumbers();
        verdict.hardlyAGap();
        verdict.manyRows();
        verdict.uuids();
        verdict.order();
        verdict.shards();
        verdict.own();
        return List.copyOf(verdict.advice);
    }

    private void duplicates() {
        all.stream()
                .filter(strategy -> strategy.duplicates().count() > 0)
                .forEach(strategy -> add(
                        "Never",
                        strategy.name(),
                        "it generated " + Texts.whole(strategy.duplicates().count()) + " duplicates among "
                                + Texts.whole(strategy.duplicates().checked())
                                + " ids, such as "
                                + strategy.duplicates().examples().get(0)));
    }

    private void withoutDatabase() {
        List<Strategy> survivors = all.stream()
                .filter(strategy -> strategy.family() == Family.SNOWFLAKE && sound(strategy))
                .filter(strategy ->
                        strategy.outage() != null && strategy.outage().neverCeased())
                .toList();
        Optional<Strategy> leased = survivors.stream()
                .filter(strategy -> strategy.name().equals("snowflake-leased"))
                .findFirst();
        leased.or(() -> best(survivors, strategy -> speed(strategy)))
                .ifPresent(strategy -> add(
                        "Ids must be available during an outage of the database, and contain their time",
                        strategy.name(),
                        outage(strategy) + "; " + trips(strategy) + "; " + Texts.rate(speed(strategy)) + " ids/s"
                                + (leased.isPresent()
                                        ? "; no two processes can have the same worker id, unlike with fixed worker ids"
                                        : "")));
    }

    private void shortNumbers() {
        named("segment")
                .filter(Verdict::sound)
                .ifPresent(strategy -> add(
                        "Ids should be short numbers and rarely cost a round trip",
                        strategy.name(),
                        trips(strategy) + "; " + outage(strategy) + lost(strategy)));
    }

    private void hardlyAGap() {
        all.stream()
                .filter(strategy -> strategy.family() == Family.TABLE && sound(strategy) && strategy.restart() != null)
                .min(Comparator.comparingLong(
                        strategy -> Objects.requireNonNull(strategy.restart()).lostIds()))
                .ifPresent(strategy -> add(
                        "Gaps should be as rare as possible, and ids may wait for the database",
                        strategy.name(),
                        "a kill lost "
                                + Texts.whole(Objects.requireNonNull(strategy.restart())
                                        .lostIds()) + " ids; " + trips(strategy) + "; " + outage(strategy)));
    }

    private void manyRows() {
        List<Strategy> inserted = all.stream()
                .filter(strategy -> strategy.inserts() != null && sound(strategy))
                .toList();
        Optional<Strategy> identity = named(IdentityContender.NAME).filter(strategy -> strategy.inserts() != null);
        List<Strategy> before = inserted.stream()
                .filter(strategy -> strategy.family() != Family.WITH_ROW && strategy.family() != Family.UUID)
                .toList();
        if (identity.isPresent() && !before.isEmpty()) {
            double[] rows = before.stream().mapToDouble(Verdict::rows).sorted().toArray();
            double usual = rows[rows.length / 2];
            double withRow = rows(identity.get());
            String take = usual > withRow * NOTEWORTHY
                    ? "any strategy with ids before the insert"
                    : withRow > usual * NOTEWORTHY ? IdentityContender.NAME : "any of them";
            add(
                    "You insert thousands of parents with children",
                    take,
                    "with ids before the insert, all rows are inserted in batches: " + Texts.rate(usual)
                            + " rows/s in the median of " + rows.length + " strategies; with identity, parents are"
                            + " inserted one by one: " + Texts.rate(withRow) + " rows/s");
        }
    }

    private void uuids() {
        Optional<Strategy> random = named("uuid-v4").filter(strategy -> strategy.inserts() != null);
        Optional<Strategy> byTime = named("uuid-v7").filter(strategy -> strategy.inserts() != null);
        Optional<Strategy> number = all.stream()
                .filter(strategy -> strategy.family().words() == 1 && strategy.inserts() != null)
                .min(Comparator.comparingDouble(Verdict::bytes));
        if (random.isPresent() && byTime.isPresent() && number.isPresent()) {
            add(
                    "Ids are generated without a worker id and without the database",
                    "uuid-v7",
                    String.format(
                            Locale.ROOT,
                            "its indexes take %s, those of uuid-v4 %s, those of %s %s",
                            Texts.bytes(bytes(byTime.get())),
                            Texts.bytes(bytes(random.get())),
                            number.get().name(),
                            Texts.bytes(bytes(number.get()))));
        }
    }

    private void order() {
        String disordered =
                names(strategy -> strategy.order() != null && strategy.order().shareWithin() > 0.01);
        if (!disordered.isEmpty()) {
            add(
                    "Ids of a process should increase from call to call",
                    "any except " + disordered,
                    "more than 1 % of their ids are smaller than an earlier id of the same instance; ids of"
                            + " different instances are never in order within a millisecond or a segment");
        }
    }

    private void shards() {
        String uneven =
                names(strategy -> strategy.order() != null && strategy.order().fullestOf8() >= UNEVEN);
        if (!uneven.isEmpty()) {
            add(
                    "Rows are spread over shards by id % 8",
                    "not the plain id of " + uneven,
                    "at this rate the largest of eight shards gets "
                            + String.format(
                                    Locale.ROOT,
                                    "%.1f",
                                    all.stream()
                                            .filter(strategy -> strategy.order() != null)
                                            .mapToDouble(
                                                    strategy -> strategy.order().fullestOf8())
                                            .max()
                                            .orElseThrow())
                            + " times its fair share; hash the id first");
        }
    }

    private void own() {
        all.stream()
                .filter(strategy -> strategy.family() == Family.OWN && sound(strategy))
                .forEach(strategy -> add(
                        "Your own strategy",
                        strategy.name(),
                        Texts.rate(speed(strategy)) + " ids/s; " + trips(strategy) + "; " + outage(strategy)
                                + "; no duplicate among "
                                + Texts.whole(strategy.duplicates().checked()) + " ids"));
    }

    private void add(String when, String take, String because) {
        advice.add(new Advice(when, take, because));
    }

    private Optional<Strategy> named(String name) {
        return all.stream().filter(strategy -> strategy.name().equals(name)).findFirst();
    }

    private String names(Predicate<Strategy> which) {
        return all.stream().filter(which).map(Strategy::name).collect(Collectors.joining(", "));
    }

    private static Optional<Strategy> best(List<Strategy> some, ToDoubleFunction<Strategy> measure) {
        return some.stream().max(Comparator.comparingDouble(measure));
    }

    private static boolean sound(Strategy strategy) {
        return strategy.duplicates().count() == 0;
    }

    private static double speed(Strategy strategy) {
        return of(strategy.speed(), Comparison.Speed::median);
    }

    private static double rows(Strategy strategy) {
        return of(strategy.inserts(), Inserts.Outcome::rowsPerSecond);
    }

    private static double bytes(Strategy strategy) {
        return of(strategy.inserts(), inserts -> (double) inserts.indexBytes());
    }

    private static <T> double of(@Nullable T measured, Function<T, Double> number) {
        return measured == null ? 0 : number.apply(measured);
    }

    private static String trips(Strategy strategy) {
        return strategy.roundTripsPerThousand() == null
                ? ""
                : Texts.rate(strategy.roundTripsPerThousand()) + " round trips per 1,000 ids";
    }

    private static String lost(Strategy strategy) {
        return strategy.restart() == null
                ? ""
                : "; a kill lost " + Texts.whole(strategy.restart().lostIds()) + " ids";
    }

    private static String outage(Strategy strategy) {
        Outage.Outcome outage = strategy.outage();
        if (outage == null) {
            return "no outage was simulated";
        }
        return outage.neverCeased()
                ? "no call failed during an outage of " + Texts.seconds(Math.round(outage.seconds() * 10) / 10.0)
                : outage.servedSeconds() < 0.05
                        ? "no ids during an outage"
                        : "during an outage, ids last for "
                                + Texts.seconds(Math.round(outage.servedSeconds() * 10) / 10.0);
    }
}
