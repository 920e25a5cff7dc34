package io.idgen.cli.compare;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenListener;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs a comparison: each strategy alone, then all together through an outage and a kill. */
final class Trials {
    // the memory for the keys of a strategy's runs at full speed, kept to find duplicates, in words of 8 bytes
    private static final int ROOM = 3_000_000;

    private final Bench bench;
    private final Plan plan;
    private final Progress progress;
    private final Instant started = Instant.now();
    private final int poolSize;

    Trials(Bench bench, Plan plan, Progress progress) {
        this.bench = bench;
        this.plan = plan;
        this.progress = progress;
        this.poolSize = 2 * plan.threads(); // the largest number of threads of the scaling curve
    }

    /** The results of a strategy that ran alone. */
    private static final class Found {
        final Contender contender;
        Ledger.Duplicates duplicates = Ledger.Duplicates.NONE;
        List<Comparison.Scale> scaling = List.of();
        Comparison.@Nullable Speed speed;
        Pace.@Nullable Outcome paced;
        Inserts.@Nullable Outcome inserts;
        Comparison.@Nullable Sample sample;

        @Nullable
        String failure;

        @Nullable
        String trouble;

        boolean unfit;

        Found(Contender contender) {
            this.contender = contender;
        }
    }

    /** Runs everything for these strategies. */
    Comparison of(List<Contender> contenders) {
        Map<String, Found> found = new LinkedHashMap<>();
        contenders.forEach(contender -> found.put(contender.name(), new Found(contender)));
        // in random order, so that no strategy always profits from the warm-up by those before it
        List<Found> shuffled = new ArrayList<>(found.values());
        Collections.shuffle(shuffled, new Random(plan.seed()));
        shuffled.forEach(this::alone);
        List<Contender> fit = found.values().stream()
                .filter(each -> each.failure == null)
                .map(each -> each.contender)
                .toList();
        Map<String, Outage.Outcome> outages = outage(fit);
        Map<String, Restart.Outcome> restarts = restart(fit.stream()
                .filter(contender -> contender.family().words() == 1)
                .toList());
        List<Comparison.Strategy> strategies = found.values().stream()
                .map(each -> strategy(each, outages.get(each.contender.name()), restarts.get(each.contender.name())))
                .toList();
        return new Comparison(
                started.toString(),
                (System.currentTimeMillis() - started.toEpochMilli()) / 1e3,
                environment(),
                conditions(),
                strategies,
                Verdict.of(strategies));
    }

    private void alone(Found found) {
        Contender contender = found.contender;
        String unfit = contender.unfitFor(bench.product());
        if (!unfit.isEmpty()) {
            found.failure = unfit;
            found.unfit = true;
            progress.skipped(contender.name(), unfit);
            return;
        }
        try (Progress.Bar bar = progress.begin(contender.name(), 4);
                Route route = bench.route(poolSize, plan.settings())) {
            bar.step("full speed");
            fullSpeed(found, route);
            bar.step("fixed rate");
            paced(found, route);
            bar.step("inserts");
            try {
                inserts(found, route);
            } catch (SQLException e) { // for example, a duplicate key; the results so far remain
                found.trouble = "cannot insert rows: " + e.getMessage();
            }
            bar.step(Texts.rate(found.speed == null ? 0 : found.speed.median()) + " ids/s");
        } catch (IdGenerationException | IllegalStateException e) {
            found.failure = String.valueOf(e.getMessage());
            progress.skipped(contender.name(), found.failure);
        }
    }

    private void fullSpeed(Found found, Route route) {
        int words = found.contender.family().words();
        try (Instances instances =
                open(found.contender, route, Role.FULL_SPEED, plan.instances(), IdgenListener.NONE)) {
            found.sample = sample(found.contender, instances.keys.get(0));
            Race.speed(instances.keys, words, plan.threads(), plan.duration());
            Ledger ledger = new Ledger(found.contender.family());
            int room = ROOM / Plan.REPEATS / plan.threads() / words;
            double[] speeds = new double[Plan.REPEATS];
            for (int i = 0; i < Plan.REPEATS; i++) {
                Race.Run run = Race.kept(instances.keys, words, plan.threads(), plan.duration(), room);
                speeds[i] = run.perSecond();
                run.keys().forEach(ledger::add);
            }
            found.duplicates = found.duplicates.plus(ledger.check());
            double[] sorted = speeds.clone();
            Arrays.sort(sorted);
            found.speed = new Comparison.Speed(
                    sorted[sorted.length / 2],
                    sorted[0],
                    sorted[sorted.length - 1],
                    Arrays.stream(speeds).boxed().toList());
            found.scaling = plan.scalingThreads().stream()
                    .map(threads -> new Comparison.Scale(
                            threads, Race.speed(instances.keys, words, threads, plan.scalingDuration())))
                    .toList();
        }
    }

    private void paced(Found found, Route route) {
        Family family = found.contender.family();
        Comparison.Speed speed = found.speed;
        // half of the maximum, otherwise the latencies would be those of a queue
        int rate = speed == null
                ? plan.ratePerSecond()
                : (int) Math.max(plan.threads(), Math.min(plan.ratePerSecond(), speed.median() / 2));
        Pace pace = new Pace(family, plan.threads(), rate, plan.pacedDuration());
        try (Instances instances = open(found.contender, route, Role.PACED, plan.instances(), pace)) {
            Pace.Outcome outcome = pace.run(instances.keys, route);
            Ledger ledger = new Ledger(family);
            outcome.keys().forEach(ledger::add);
            found.duplicates = found.duplicates.plus(ledger.check());
            found.paced = outcome;
        }
    }

    private void inserts(Found found, Route route) throws SQLException {
        try (Instances instances = open(found.contender, route, Role.ROWS, 1, IdgenListener.NONE)) {
            found.inserts = new Inserts(bench, found.contender.family())
                    .run(instances.keys.get(0), route, plan.rows(), Plan.REPEATS, new Random(plan.seed()));
        }
    }

    private Map<String, Outage.Outcome> outage(List<Contender> contenders) {
        try {
            Optional<Network> network = Network.to(bench.shared().url());
            if (network.isEmpty() || contenders.isEmpty()) {
                progress.skipped("outage", "the URL does not name a single host, so the outage cannot be simulated");
                return Map.of();
            }
            try (Network cuttable = network.get();
                    Progress.Bar bar = progress.begin("outage", 2)) {
                bar.step("outage of " + Texts.seconds(plan.outage()));
                Map<String, Outage.Outcome> outcomes = Outage.of(contenders, bench, cuttable, plan);
                bar.step("all " + outcomes.size() + " strategies at once");
                return outcomes;
            }
        } catch (IOException | IllegalStateException e) {
            progress.skipped("outage", String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    private Map<String, Restart.Outcome> restart(List<Contender> contenders) {
        try (Progress.Bar bar = progress.begin("kill and restart", 2)) {
            bar.step("two processes generate ids and are killed");
            Map<String, Restart.Outcome> outcomes = Restart.of(contenders, bench, plan);
            bar.step(outcomes.size() + " strategies");
            return outcomes;
        } catch (IOException e) {
            progress.skipped("kill and restart", String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    /** Several instances of a strategy, closed together. */
    private record Instances(List<Keys> keys) implements AutoCloseable {
        @Override
        public void close() {
            keys.forEach(Keys::close);
        }
    }

    private static Instances open(Contender contender, Route route, Role role, int instances, IdgenListener listener) {
        List<Keys> open = new ArrayList<>();
        try {
            IntStream.range(0, instances)
                    .forEach(i -> open.add(contender.open(new Contender.Opening(route, role, i, instances, listener))));
            return new Instances(open);
        } catch (RuntimeException e) {
            open.forEach(Keys::close);
            throw e;
        }
    }

    private Comparison.Sample sample(Contender contender, Keys keys) {
        long[] key = new long[contender.family().words()];
        keys.next(key, 0);
        return switch (contender.family()) {
            case SNOWFLAKE -> Samples.snowflake(key[0], plan.layout());
            case UUID -> Samples.uuid(new UUID(key[0], key[1]));
            default -> Samples.number(key[0]);
        };
    }

    private static Comparison.Strategy strategy(
            Found found, Outage.@Nullable Outcome outage, Restart.@Nullable Outcome restart) {
        Ledger.Duplicates duplicates = found.duplicates;
        duplicates = outage == null ? duplicates : duplicates.plus(outage.duplicates());
        duplicates = restart == null ? duplicates : duplicates.plus(restart.duplicates());
        Pace.Outcome paced = found.paced;
        return new Comparison.Strategy(
                found.contender.name(),
                found.contender.family(),
                found.contender.what(),
                found.failure,
                found.trouble,
                found.unfit,
                found.speed,
                found.scaling,
                paced == null ? null : paced.latency(),
                paced == null ? null : paced.order(),
                paced == null ? null : paced.roundTripsPerThousand(),
                duplicates,
                found.inserts,
                restart,
                outage,
                found.sample);
    }

    private Comparison.Environment environment() {
        Bench.Facts facts = bench.facts();
        return new Comparison.Environment(
                Machine.cpu(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                facts.product() + " " + facts.version(),
                facts.driver(),
                bench.shownUrl(),
                poolSize,
                bench.prefix());
    }

    private Comparison.Conditions conditions() {
        return new Comparison.Conditions(
                plan.threads(),
                plan.instances(),
                plan.rows(),
                Plan.REPEATS,
                plan.seed(),
                plan.duration().toMillis(),
                plan.duration().toMillis(),
                Plan.REPEATS,
                plan.pacedDuration().toMillis(),
                plan.ratePerSecond(),
                plan.scalingDuration().toMillis(),
                plan.outage().toMillis(),
                Plan.RATE_IN_OUTAGE,
                Plan.PATIENCE_IN_OUTAGE.toMillis(),
                Plan.IDS_PER_LIFE,
                Plan.CHILDREN,
                Plan.PARENTS_PER_TRANSACTION,
                bench.product().indexBytesAre(),
                plan.settings());
    }
}
