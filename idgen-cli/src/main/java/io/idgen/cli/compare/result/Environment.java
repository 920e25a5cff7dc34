package io.idgen.cli.compare.result;

/**
 * The environment of the comparison.
 *
 * @param inProcess whether the database runs in the process of the comparison, so that a round trip crosses no
 *     network
 */
public record Environment(
        String cpu,
        int processors,
        long heapMegabytes,
        String system,
        String java,
        String database,
        String driver,
        String url,
        boolean inProcess,
        int poolSize,
        String tablePrefix) {}
