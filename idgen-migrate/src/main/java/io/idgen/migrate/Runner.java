package io.idgen.migrate;

import io.idgen.core.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** Runs the changes of a step: limits how long they wait for locks, repeats them, pauses, and reports. */
final class Runner {
    static final Duration BETWEEN_LAGS = Duration.ofSeconds(1);

    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);

    private final MigrationDialect dialect;
    private final Options options;
    private final Replicas replicas;
    private final int step;
    private final Consumer<Progress> progress;

    /** Waits. */
    interface Pause {
        void last(Duration duration) throws InterruptedException;
    }

    /**
     * How gently a migration goes on.
     *
     * @param lockTimeout how long a statement waits for a lock while others wait behind it
     * @param attempts how often it tries to get a lock
     * @param batch the number of rows of a batch
     * @param pause how long it pauses after a batch
     * @param pauses waits
     */
    record Options(Duration lockTimeout, int attempts, int batch, Duration pause, Pause pauses) {}

    Runner(MigrationDialect dialect, Options options, Replicas replicas, int step, Consumer<Progress> progress) {
        this.dialect = dialect;
        this.options = options;
        this.replicas = replicas;
        this.step = step;
        this.progress = progress;
    }

    /** Executes statements in one transaction, and repeats it until it gets its locks. */
    void lock(Session session, List<String> sql) throws SQLException {
        Duration backOff = options.lockTimeout;
        for (int attempt = 1; ; attempt++) {
            try {
                long nanos = session.transaction(dialect.lockTimeout(options.lockTimeout), dialect.roundTrips(sql));
                report(String.join("; ", sql), Duration.ofNanos(nanos).toMillis());
                return;
            } catch (SQLException e) {
                if (!dialect.isLockTimeout(e) || attempt == options.attempts) {
                    throw e;
                }
            }
            // others get the table meanwhile; the random part separates two programs that do the same
            pause(backOff.plusMillis(ThreadLocalRandom.current().nextLong(backOff.toMillis() + 1)));
            backOff = backOff.multipliedBy(2).compareTo(LONGEST_BACK_OFF) < 0
                    ? backOff.multipliedBy(2)
                    : LONGEST_BACK_OFF;
        }
    }

    /** Pauses after a batch, and for as long as a replica is too far behind. */
    void pause() throws SQLException {
        pause(options.pause);
        Duration lag = replicas.excess();
        if (lag.isZero()) {
            return;
        }
        report("pauses, because a replica is " + lag.toSeconds() + " s behind", 0);
        while (!replicas.excess().isZero()) {
            pause(BETWEEN_LAGS);
        }
        report("continues: all replicas have caught up", 0);
    }

    private void pause(Duration duration) {
        try {
            options.pauses.last(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the migration was interrupted; " + Migration.AGAIN, e);
        }
    }

    int batch() {
        return options.batch;
    }

    void report(String text, long lockedMillis) {
        progress.accept(new Progress(step, text, lockedMillis));
    }
}
