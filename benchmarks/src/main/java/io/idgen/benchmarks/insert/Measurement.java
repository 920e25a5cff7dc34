package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.Estimate;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Measures the contenders in one configuration. Each round gives each contender a slice of time, in a new random order,
 * so that other load on the machine affects all of them alike. The first round warms up the JIT compiler and is not
 * counted.
 */
final class Measurement {
    private final Map<Contender, List<Slice>> slices = new EnumMap<>(Contender.class);

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
        /** Whether there is a network; without one, H2 runs in the process of the application. */
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
        List<Unit> units = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(configuration.threads);
        try {
            for (Contender contender : contenders) {
                units.add(
                        new Unit(contender, configuration.server, configuration.isOverNetwork(), configuration.wiring));
                slices.put(contender, new ArrayList<>());
            }
            run(units, threads, configuration);
            slices.values().forEach(List::clear);
            for (int round = 0; round < configuration.rounds; round++) {
                Collections.shuffle(units, new Random(round));
                run(units, threads, configuration);
            }
        } finally {
            threads.shutdown();
            units.forEach(Unit::close);
        }
    }

    private void run(List<Unit> units, ExecutorService threads, Configuration configuration) {
        for (Unit unit : units) {
            slices.getOrDefault(unit.contender(), List.of())
                    .add(Slice.of(unit, threads, configuration.threads, configuration.slice));
        }
    }

    /** Returns transactions per second over all rounds. */
    Estimate perSecond(Contender contender) {
        return Estimate.of(rates(contender));
    }

    /** Returns the ratio of transactions to another contender's, round by round. */
    Estimate ratio(Contender contender, Contender other) {
        double[] rates = rates(contender);
        double[] others = rates(other);
        Arrays.setAll(rates, round -> rates[round] / others[round]);
        return Estimate.of(rates);
    }

    /** Returns the sum of all rounds. */
    Slice total(Contender contender) {
        return slicesOf(contender).stream().reduce(Slice::plus).orElseThrow();
    }

    private double[] rates(Contender contender) {
        return slicesOf(contender).stream().mapToDouble(Slice::perSecond).toArray();
    }

    private List<Slice> slicesOf(Contender contender) {
        return slices.getOrDefault(contender, List.of());
    }
}
