package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Sample;
import io.idgen.core.IdgenListener;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.Map;

/** A kind of keys that the comparison measures. */
public interface Contender {

    /** Returns the name in the report. */
    String name();

    /** Returns the family of its keys. */
    KeyFamily family();

    /** Returns the configuration, in a few words. */
    String what();

    /** Returns why it cannot run on a database; empty if it can. */
    default String unfitFor(Product product) {
        return "";
    }

    /** Returns whether it uses the database. Otherwise, its SQL traffic and an outage are meaningless. */
    default boolean usesDatabase() {
        return true;
    }

    /** Decodes a key. */
    default Sample sample(long[] key, SnowflakeLayout layout) {
        return switch (family()) {
            case SNOWFLAKE -> Samples.snowflake(key[0], layout);
            case TSID -> Samples.snowflake(key[0], SnowflakeLayout.parse("tsid"));
            default -> Samples.number(key[0]);
        };
    }

    /** Returns what must be created for a phase before its sources open: the kind and name, and the definition. */
    default Map<String, String> tables(String prefix, Phase phase, Product product) {
        return Map.of();
    }

    /** Opens an instance. The first key may block. */
    Keys open(Opening opening);

    /**
     * The parameters of a new instance.
     *
     * @param pool the pool to the database
     * @param phase the phase that the source is for
     * @param instance the number of the instance, from 0
     * @param instances the number of instances
     * @param listener receives the events of refills and leases
     */
    record Opening(CountingPool pool, Phase phase, int instance, int instances, IdgenListener listener) {}
}
