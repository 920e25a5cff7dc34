package io.idgen.cli.analysis;

import io.idgen.core.layout.SnowflakeParts;
import io.idgen.text.InspectedId;
import io.idgen.text.Spans;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The difference between two ids of one layout, and which was generated first.
 *
 * @param one an id
 * @param other another id of the same layout
 */
public record Difference(InspectedId one, InspectedId other) implements Verdict {
    private static final String JAVA_SCRIPT =
            " JavaScript stores both as the same number: if one of them came through a"
                    + " browser or JSON, it may be a rounded copy of the other. Send ids as strings.";

    /** A field in which ids can differ. */
    public enum Field {
        /** The ids have different ticks. */
        TIME,
        /** The ids come from different datacenters. */
        DATACENTER,
        /** The ids come from workers with different worker ids, counted within their datacenters. */
        WORKER,
        /** The ids have different numbers within their ticks. */
        SEQUENCE
    }

    /**
     * Checks that the ids are different and have the same layout.
     *
     * @throws IllegalArgumentException if the ids are equal, or have two layouts
     */
    public Difference {
        if (!one.layout().equals(other.layout())) {
            throw new IllegalArgumentException(
                    "ids of different layouts cannot be compared, got " + one + " and " + other);
        }
        if (one.id() == other.id()) {
            throw new IllegalArgumentException("id " + one.id() + " does not differ from itself");
        }
    }

    /**
     * Returns the fields in which the ids differ.
     *
     * @return at least one field; unmodifiable
     */
    public Set<Field> fields() {
        SnowflakeParts a = one.parts();
        SnowflakeParts b = other.parts();
        Set<Field> fields = EnumSet.noneOf(Field.class);
        addIf(!a.time().equals(b.time()), Field.TIME, fields);
        addIf(a.datacenter() != b.datacenter(), Field.DATACENTER, fields);
        addIf(a.worker() != b.worker(), Field.WORKER, fields);
        addIf(a.sequence() != b.sequence(), Field.SEQUENCE, fields);
        return Collections.unmodifiableSet(fields);
    }

    private static void addIf(boolean differs, Field field, Set<Field> fields) {
        if (differs) {
            fields.add(field);
        }
    }

    /**
     * Returns how much later the other id was generated, by the clocks of the generators.
     *
     * @return a multiple of the layout's tick; negative if the other id was first, zero within one tick
     */
    public Duration gap() {
        return Duration.between(one.parts().time(), other.parts().time());
    }

    @Override
    public String text() {
        String names =
                fields().stream().map(f -> f.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(" and "));
        return "Two different ids: they differ in " + names + ". " + order() + (sameInJavaScript() ? JAVA_SCRIPT : "");
    }

    private String order() {
        boolean oneWorker = one.worker().equals(other.worker());
        if (gap().isZero()) {
            return "Both were generated in the tick at " + one.parts().time()
                    + (oneWorker
                            ? " by worker " + one.worker() + ": " + earlier().id() + " first, as number "
                                    + earlier().parts().sequence() + ", then " + later().id() + " as number "
                                    + later().parts().sequence() + "."
                            : ", by workers " + one.worker() + " and " + other.worker()
                                    + "; the ids do not show which was first.");
        }
        return earlier().id() + " was generated first, at " + earlier().parts().time() + " by worker "
                + earlier().worker() + "; " + later().id() + " was generated "
                + Spans.text(gap().abs()) + " later by "
                + (oneWorker ? "the same worker." : "worker " + later().worker() + ", if their clocks agree.");
    }

    /** Returns the smaller id, which is the earlier one if both have the same worker, in every layout. */
    private InspectedId earlier() {
        return one.id() < other.id() ? one : other;
    }

    private InspectedId later() {
        return one.id() < other.id() ? other : one;
    }

    private boolean sameInJavaScript() {
        return (double) one.id() == (double) other.id();
    }
}
