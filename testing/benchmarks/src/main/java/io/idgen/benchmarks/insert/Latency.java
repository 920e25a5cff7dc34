package io.idgen.benchmarks.insert;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * The latency that a proxy adds to each round trip to a database. The proxy and its threads cost time as well, so it
 * delays by less than the latency; the difference is measured.
 *
 * @param wanted the requested latency; zero for no proxy
 * @param hold the delay of the proxy
 * @param measured the median of the added latency on the idle machine
 */
record Latency(Duration wanted, Duration hold, Duration measured) {
    static final Latency NONE = new Latency(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private static final int CORRECTIONS = 3;
    private static final int WARM_UP = 200;
    private static final int SAMPLES = 401;

    /** Measures the delay for a requested latency. */
    static Latency calibrated(Server server, Duration wanted) throws SQLException {
        if (wanted.isZero()) {
            return NONE;
        }
        try (Database database = server.create(true)) {
            Duration hold = wanted;
            for (int i = 0; i < CORRECTIONS; i++) {
                Duration less = hold.minus(added(server, database, hold).minus(wanted));
                hold = less.isNegative() ? Duration.ZERO : less;
            }
            return new Latency(wanted, hold, added(server, database, hold));
        }
    }

    boolean isNone() {
        return wanted.isZero();
    }

    /** Starts the proxy of a database. */
    FaultProxy before(Database database) {
        FaultProxy network = FaultProxy.before(database.plainUrl());
        network.delay(hold);
        return network;
    }

    private static Duration added(Server server, Database database, Duration hold) throws SQLException {
        try (FaultProxy network = FaultProxy.before(database.plainUrl());
                Connection straight =
                        server.dataSource(database.plainUrl(), database).getConnection();
                Connection delayed = server.dataSource(network.url(), database).getConnection()) {
            network.delay(hold);
            long without = medianNanos(straight);
            long before = network.requests();
            long with = medianNanos(delayed);
            double roundTrips = (double) (network.requests() - before) / (WARM_UP + SAMPLES);
            return Duration.ofNanos(Math.round((with - without) / roundTrips));
        }
    }

    private static long medianNanos(Connection connection) throws SQLException {
        long[] nanos = new long[SAMPLES];
        try (Statement statement = connection.createStatement()) {
            for (int i = -WARM_UP; i < SAMPLES; i++) {
                long start = System.nanoTime();
                try (ResultSet rows = statement.executeQuery("SELECT 1")) {
                    rows.next();
                }
                nanos[Math.max(i, 0)] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[SAMPLES / 2];
    }

    @Override
    public String toString() {
        return isNone() ? "loopback" : "+" + millis(wanted) + " ms";
    }

    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e6).replaceAll("\\.?0+$", "");
    }
}
