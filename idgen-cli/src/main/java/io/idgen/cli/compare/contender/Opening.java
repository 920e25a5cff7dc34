package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import java.util.List;
import java.util.Locale;

/**
 * The parameters of a new instance.
 *
 * @param pool the pool to the database, and the network to all stores
 * @param instance the number of the instance, from 0
 * @param redis the addresses of Redis
 */
public record Opening(CountingPool pool, Phase phase, int instance, int instances, List<String> redis) {

    /** A part of the comparison. Its sources have names, sequences and worker ids of their own. */
    public enum Phase {
        /** Full speed. */
        SPEED,
        /** A fixed rate, from a cold start. */
        RATE,
        /** Inserted rows. */
        ROWS,
        /** An outage. */
        OUTAGE,
        /** A crash. */
        CRASH;

        /** Returns the prefix of the names in this phase. */
        public String prefix() {
            return Bench.PREFIX + source() + "_";
        }

        String source() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    int worker() {
        return instances * phase.ordinal() + instance;
    }
}
