package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.result.Duplicates;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A contender, and what has been measured of it. Its keys of one phase must differ. */
final class Measured {
    final Contender contender;
    final Family family;
    final int words;

    /** What is open in this phase. */
    final List<Keys> instances = new ArrayList<>();

    /** The keys of this phase, or some of them. */
    final List<long[]> keys = new ArrayList<>();

    /** The speeds of the last rounds. */
    final List<Double> rounds = new ArrayList<>();

    @Nullable
    String problem;

    @Nullable
    Speed speed;

    Kind.@Nullable Latency latency;
    Kind.@Nullable Rows rows;
    Kind.@Nullable Outage outage;
    Kind.@Nullable Crash crash;
    private @Nullable String example;
    private Duplicates duplicates = Duplicates.NONE;

    Measured(Contender contender) {
        this.contender = contender;
        this.family = contender.family();
        this.words = family.words();
    }

    /** Draws keys, and returns them. */
    long[] draw(Keys source, int count) {
        long[] drawn = new long[count * words];
        for (int at = 0; at < drawn.length; at += words) {
            source.next(drawn, at);
        }
        keys.add(drawn);
        return drawn;
    }

    /** Ends a phase. */
    void close() {
        instances.forEach(Keys::close);
        instances.clear();
        for (long[] key : keys) {
            if (example == null && key.length >= words) {
                example = words == 1 ? Long.toString(key[0]) : new UUID(key[0], key[1]).toString();
            }
        }
        duplicates = duplicates.plus(Duplicates.of(keys, words));
        keys.clear();
    }

    Kind kind() {
        return new Kind(
                contender.name(),
                family,
                contender.what(),
                example,
                Long.BYTES * words,
                problem,
                duplicates,
                speed,
                latency,
                rows,
                outage,
                crash);
    }
}
