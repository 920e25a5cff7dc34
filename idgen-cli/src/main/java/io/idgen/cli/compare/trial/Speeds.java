package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Latency;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.measure.Rounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keys without inserts: at full speed, with one thread and more, and at a fixed rate. */
final class Speeds {
    // the memory for the keys of one kind at full speed, in words of 8 bytes
    private static final int ROOM = 900_000;

    final Map<Contender, Speed> speeds = new HashMap<>();
    final Map<Contender, List<Speed.Scale>> scaling = new HashMap<>();
    final Map<Contender, Latency> latencies = new HashMap<>();
    private final Trials trials;
    private final Plan plan;

    Speeds(Trials trials) {
        this.trials = trials;
        this.plan = trials.plan;
    }

    /** Measures the full speed in rounds, then once with each number of threads. All kinds are open meanwhile. */
    boolean fullSpeed(List<Contender> all) {
        Map<Contender, List<long[]>> kept = new HashMap<>();
        try (CountingPool pool = trials.pool();
                Trials.Open open = trials.open(all, pool, Phase.SPEED, plan.instances())) {
            Rounds<Contender, Double> rounds = Rounds.measure(
                    all,
                    Plan.ROUNDS,
                    1,
                    () -> true,
                    contender -> trials.attempt(contender, () -> {
                                int words = contender.family().words();
                                int room = ROOM / Plan.ROUNDS / plan.threads() / words;
                                Race.Run run = new Race()
                                        .run(open.of(contender), words, plan.threads(), plan.duration(), room);
                                kept.computeIfAbsent(contender, any -> new ArrayList<>())
                                        .addAll(run.keys());
                                return run.perSecond();
                            })
                            .orElse(Double.NaN));
            for (Contender contender : trials.fit(all)) {
                speeds.put(contender, Speed.of(rounds.of(contender)));
                trials.check(contender, kept.getOrDefault(contender, List.of()));
            }
            for (int threads : plan.scalingThreads()) {
                for (Contender contender : trials.fit(all)) {
                    trials.attempt(
                                    contender,
                                    () -> new Race()
                                            .run(
                                                    open.of(contender),
                                                    contender.family().words(),
                                                    threads,
                                                    plan.duration().dividedBy(2),
                                                    0))
                            .ifPresent(run -> scaling.computeIfAbsent(contender, any -> new ArrayList<>())
                                    .add(new Speed.Scale(threads, run.perSecond())));
                }
            }
        }
        return true;
    }

    /** Measures latencies from a cold start, one kind after the other. */
    boolean fixedRate(List<Contender> all) {
        for (Contender contender : trials.fit(all)) {
            // half of the full speed, otherwise the latencies would be those of a queue
            int half =
                    (int) Math.min(plan.ratePerSecond(), speeds.get(contender).median() / 2);
            try (CountingPool pool = trials.pool();
                    Trials.Open open = trials.open(List.of(contender), pool, Phase.RATE, plan.instances())) {
                trials.attempt(contender, () -> {
                            FixedRate rate = new FixedRate(
                                    contender.family().words(),
                                    plan.threads(),
                                    Math.max(plan.threads(), half),
                                    plan.atFixedRate());
                            Latency latency = rate.run(open.of(contender), pool);
                            trials.check(contender, rate.keys());
                            return latency;
                        })
                        .ifPresent(latency -> latencies.put(contender, latency));
            }
        }
        return true;
    }
}
