package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.Network;
import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.Measurements;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.RestartOutcome;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.measure.MachineDescription;
import io.idgen.cli.measure.MachineLoad;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a comparison: the speeds in rounds, then all strategies together through an outage and a kill. */
public final class Trials {
    private final Bench bench;
    private final Plan plan;
    private final Progress progress;
    private final Instant started = Instant.now();
    private final int poolSize;

    public Trials(Bench bench, Plan plan, Progress progress) {
        this.bench = bench;
        this.plan = plan;
        this.progress = progress;
        this.poolSize = 2 * plan.threads(); // the largest number of threads of the scaling curve
    }

    /**
     * Runs everything for these strategies.
     *
     * @param missing what cannot be compared, for the report
     */
    public Measurements of(List<Contender> contenders, List<String> missing) {
        List<StrategyResults> found =
                contenders.stream().map(StrategyResults::new).toList();
        MachineLoad load = new MachineLoad(bench.serverProcess());
        List<String> leftOut = new ArrayList<>(missing);
        leftOut.addAll(new Speeds(bench, plan, progress, poolSize).measure(found));
        Load measured = bench.isServerHidden() ? Load.hidden() : Load.of(load);
        List<Contender> fit = found.stream()
                .filter(StrategyResults::isFit)
                .map(each -> each.contender)
                .filter(Contender::usesDatabase)
                .toList();
        Map<String, OutageOutcome> outages = outage(fit);
        Map<String, RestartOutcome> restarts = restart(fit.stream()
                .filter(contender -> contender.family().words() == 1)
                .toList());
        List<Strategy> strategies = found.stream()
                .map(each -> each.strategy(outages.get(each.contender.name()), restarts.get(each.contender.name())))
                .toList();
        return new Measurements(
                started.toString(),
                (System.currentTimeMillis() - started.toEpochMilli()) / 1e3,
                environment(),
                conditions(),
                measured,
                leftOut,
                strategies);
    }

    private Map<String, OutageOutcome> outage(List<Contender> contenders) {
        try {
            Optional<Network> network = Network.to(bench.shared().url());
            if (network.isEmpty() || contenders.isEmpty()) {
                progress.skipped("outage", "the URL does not name a single host, so the outage cannot be simulated");
                return Map.of();
            }
            try (Network cuttable = network.get();
                    Progress.Bar bar = progress.begin("outage", 2)) {
                bar.step("outage of " + Texts.seconds(plan.outage().toMillis() / 1e3));
                Map<String, OutageOutcome> outcomes = Outage.of(contenders, bench, cuttable, plan);
                bar.step("all " + outcomes.size() + " strategies at once");
                return outcomes;
            }
        } catch (IOException | IllegalStateException e) {
            progress.skipped("outage", String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    private Map<String, RestartOutcome> restart(List<Contender> contenders) {
        try (Progress.Bar bar = progress.begin("kill and restart", 2)) {
            bar.step("two processes generate ids and are killed");
            Map<String, RestartOutcome> outcomes = Restart.of(contenders, bench, plan);
            bar.step(outcomes.size() + " strategies");
            return outcomes;
        } catch (IOException e) {
            progress.skipped("kill and restart", String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    private Environment environment() {
        Bench.Facts facts = bench.facts();
        return new Environment(
                MachineDescription.processor(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                facts.product() + " " + facts.version(),
                facts.driver(),
                bench.shownUrl(),
                bench.isInProcess(),
                poolSize,
                bench.prefix());
    }

    private Conditions conditions() {
        return new Conditions(
                plan.threads(),
                plan.instances(),
                plan.rows(),
                Plan.ROUNDS,
                plan.seed(),
                plan.duration().toMillis(),
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
