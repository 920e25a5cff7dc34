package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Four processes share five worker ids. Every 600 ms, a fault occurs in one of them, or sometimes in their database.
 * {@code -Dchaos.seconds=600 -Dchaos.seed=7} runs longer, with other random faults.
 */
@Timeout(3600)
@Tag("nightly")
class LeaseChaosTest {
    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 12));
    private static final long SEED = Long.getLong("chaos.seed", 42);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

    private static final int PROCESSES = 4;
    private static final int WORKER_IDS = 5;
    private static final Duration PAUSE = Duration.ofMillis(600);
    private static final long LEASE_MILLIS = 1_000;

    private static final String[] TIMES = {"lease=" + LEASE_MILLIS + "ms", "window=3s"};

    private enum Fault {
        KILLED,
        STOPPED,
        CUT_OFF,
        IN_A_BLACK_HOLE,
        CLOSED,
        DATABASE_KILLED
    }

    private enum Server {
        POSTGRESQL(RestartableServer::postgreSql),
        MARIADB(RestartableServer::mariaDb);

        final Supplier<RestartableServer> start;

        Server(Supplier<RestartableServer> start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatsNoId(Server server) throws Exception {
        try (Run run = new Run(server, EnumSet.allOf(Fault.class), TIMES)) {
            long endNanos = System.nanoTime() + DURATION.toNanos();
            long ids = DURATION.toSeconds() * 1_000;
            run.goOn(
                    DURATION.plus(LONGEST_DELAY),
                    () -> System.nanoTime() - endNanos > 0 && run.leases() > PROCESSES && run.ids().length > ids);

            System.out.println(server + ": " + run);
            assertThat(run.duplicates()).as("duplicates, seed %d", SEED).isZero();
            assertThat(run.ids()).hasSizeGreaterThan((int) ids);
            assertThat(run.leases()).isGreaterThan(PROCESSES);
        }
    }

    /**
     * The control: shows that the test above detects repeated ids. No fault kills a process, so that every process that
     * wrongly believes it holds its row continues.
     */
    @ParameterizedTest
    @EnumSource
    void repeatsIdsOfProcessesThatBelieveTheyHaveTheirRows(Server server) throws Exception {
        try (Run run = new Run(server, EnumSet.of(Fault.STOPPED, Fault.IN_A_BLACK_HOLE), LeasingProcess.CREDULOUS)) {
            run.goOn(LONGEST_DELAY, () -> run.duplicates() > 0);

            System.out.println(server + ", control: " + run);
            assertThat(run.duplicates()).as("duplicates, seed %d", SEED).isPositive();
        }
    }

    /** A slot for a process with its own network. Stores when and how it recovers from its current fault. */
    private static final class Place {
        final FaultProxy network;
        Leaseholder process;
        long wellNanos;
        Callable<?> cure = () -> null;

        Place(FaultProxy network, Leaseholder process) {
            this.network = network;
            this.process = process;
        }

        void suffer(Duration duration, Callable<?> newCure) {
            wellNanos = System.nanoTime() + duration.toNanos();
            cure = newCure;
        }

        void getWell() throws Exception {
            cure.call();
            cure = () -> null;
        }
    }

    private static final class Run implements AutoCloseable {
        private final Random random = new Random(SEED);
        private final List<Fault> possible;
        private final String[] settings;
        private final RestartableServer database;
        private final List<Place> places = new ArrayList<>();
        private final List<Leaseholder> all = new ArrayList<>();
        private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

        Run(Server server, Set<Fault> possible, String... settings) throws Exception {
            this.database = server.start.get();
            this.possible = possible.stream().sorted().toList();
            this.settings = settings;
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id >= " + WORKER_IDS);
            for (int i = 0; i < PROCESSES; i++) {
                FaultProxy network = FaultProxy.before(database.url());
                places.add(new Place(network, started(network)));
            }
        }

        private Leaseholder started(FaultProxy network) throws IOException {
            Leaseholder process = Leaseholder.start(network.url(), settings).tell(LeasingProcess.DRAW);
            all.add(process);
            return process;
        }

        void goOn(Duration longest, Callable<Boolean> enough) throws Exception {
            Await.until("ids of some", () -> all.stream().anyMatch(process -> process.count() > 0));
            long endNanos = System.nanoTime() + longest.toNanos();
            while (System.nanoTime() - endNanos < 0 && !enough.call()) {
                long nextNanos = System.nanoTime() + PAUSE.toNanos();
                Await.until("the next fault", () -> System.nanoTime() - nextNanos > 0);
                for (Place place : places) {
                    if (System.nanoTime() - place.wellNanos > 0) {
                        place.getWell();
                    }
                }
                strike(places.get(random.nextInt(PROCESSES)), anyFault());
            }
            for (Place place : places) {
                place.getWell();
            }
        }

        /**
         * Returns a random fault. It rarely kills the database, because the outage lasts until the database has started
         * again.
         */
        private Fault anyFault() {
            Fault fault = possible.get(random.nextInt(possible.size()));
            return fault == Fault.DATABASE_KILLED && random.nextInt(4) > 0 ? anyFault() : fault;
        }

        private void strike(Place place, Fault fault) throws Exception {
            place.getWell();
            faults.merge(fault, 1, Integer::sum);
            Leaseholder process = place.process;
            Duration duration = Duration.ofMillis(LEASE_MILLIS / 2 + random.nextLong(LEASE_MILLIS * 7 / 2));
            switch (fault) {
                case KILLED -> {
                    process.kill();
                    place.process = started(place.network);
                }
                case STOPPED -> {
                    process.stop();
                    place.suffer(duration, () -> {
                        process.goOn();
                        return null;
                    });
                }
                case CUT_OFF -> {
                    place.network.refuse();
                    place.network.pass();
                }
                case IN_A_BLACK_HOLE -> {
                    place.network.silence();
                    place.suffer(duration, () -> {
                        place.network.pass();
                        return null;
                    });
                }
                case CLOSED -> {
                    process.end();
                    place.process = started(place.network);
                }
                case DATABASE_KILLED -> {
                    database.kill();
                    database.start();
                }
            }
        }

        long[] ids() {
            return all.stream()
                    .map(Leaseholder::ids)
                    .flatMapToLong(Arrays::stream)
                    .sorted()
                    .toArray();
        }

        int duplicates() {
            long[] sorted = ids();
            int duplicates = 0;
            for (int i = 1; i < sorted.length; i++) {
                if (sorted[i] == sorted[i - 1]) {
                    duplicates++;
                }
            }
            return duplicates;
        }

        long leases() throws Exception {
            return Sql.number(database.dataSource(), "SELECT SUM(fence) FROM idgen_worker");
        }

        @Override
        public String toString() {
            return ids().length + " ids of " + all.size() + " processes, " + duplicates() + " duplicates, after "
                    + faults;
        }

        @Override
        public void close() throws IOException {
            for (Leaseholder process : all) {
                process.close();
            }
            places.forEach(place -> place.network.close());
            database.close();
        }
    }
}
