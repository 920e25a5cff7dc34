package io.idgen.benchmarks.insert;

import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Measures the contenders in one configuration, in interleaved rounds that give each of them a slice of time. */
final class Measurement {
    private final Map<Contender, Unit> units = new EnumMap<>(Contender.class);
    private final Rounds<Unit, Slice> rounds;

    /**
     * The configuration of a measurement.
     *
     * @param server the kind of database
     * @param threads the number of threads that insert
     * @param wiring the connection to the database
     * @param rounds the number of counted rounds
     * @param slice the duration of a slice
     */
    record Configuration(Server server, int threads, Unit.Wiring wiring, int rounds, Duration slice) {
        /** Returns whether there is a network; without one, H2 runs in the process of the application. */
        boolean isOverNetwork() {
            return server != Server.H2 || !wiring.latency().isNone();
        }

        @Override
        public String toString() {
            return threads + (threads == 1 ? " thread" : " threads") + ", pool of " + wiring.pool() + ", "
                    + (isOverNetwork() ? wiring.latency() : "in the same process");
        }
    }

    Measurement(Configuration configuration, List<Contender> contenders) throws SQLException {
        ExecutorService threads = Executors.newFixedThreadPool(configuration.threads);
        try {
            for (Contender contender : contenders) {
                units.put(
                        contender,
                        new Unit(contender, configuration.server, configuration.isOverNetwork(), configuration.wiring));
            }
            rounds = Rounds.measure(
                    units.values(),
                    configuration.rounds,
                    0,
                    () -> true,
                    unit -> Slice.of(unit, threads, configuration.threads, configuration.slice));
        } finally {
            threads.shutdown();
            units.values().forEach(Unit::close);
        }
    }

    /** Returns transactions per second over all rounds. */
    Estimate perSecond(Contender contender) {
        return Estimate.of(rates(contender));
    }

    /** Returns the ratio of transactions to another contender's, round by round. */
    Estimate ratio(Contender contender, Contender other) {
        return Estimate.ofRatio(rates(contender), rates(other));
    }

    /** Returns the sum of all rounds. */
    Slice total(Contender contender) {
        return slicesOf(contender).stream().reduce(Slice::plus).orElseThrow();
    }

    private double[] rates(Contender contender) {
        return slicesOf(contender).stream().mapToDouble(Slice::perSecond).toArray();
    }

    private List<Slice> slicesOf(Contender contender) {
        return Optional.ofNullable(units.get(contender)).map(rounds::of).orElse(List.of());
    }
}
