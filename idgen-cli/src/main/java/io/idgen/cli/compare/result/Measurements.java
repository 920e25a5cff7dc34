package io.idgen.cli.compare.result;

import java.util.List;

/**
 * Everything that a comparison has measured, without conclusions.
 *
 * @param started the time of the start, in UTC
 * @param seconds the duration of the whole comparison
 * @param leftOut what was left out, so that the comparison ended in time
 */
public record Measurements(
        String started,
        double seconds,
        Environment environment,
        Conditions conditions,
        Load load,
        List<String> leftOut,
        List<Strategy> strategies) {}
