package io.idgen.core.inspect;

import io.idgen.core.layout.SnowflakeParts;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What sets two ids apart, and which was made first.
 *
 * @param one an id
 * @param other another of the same layout
 */
public record Difference(InspectedId one, InspectedId other) implements Verdict {
    private static final String JAVA_SCRIPT = " JavaScript holds both as the same number: if one of them came through a"
            + " browser or JSON, it may be the other, damaged; send ids as strings.";

    /** What ids may differ in. */
    public enum Field {
        /** They were made in different ticks. */
        TIME,
        /** They were made in different datacenters. */
        DATACENTER,
        /** They were made by different workers, counted within their datacenters. */
        WORKER,
        /** They have different numbers within their ticks. */
        SEQUENCE
    }

    /** Refuses equal ids, and ids of two layouts. */
    public Difference {
        if (!one.layout().equals(other.layout())) {
            throw new IllegalArgumentException("ids of two layouts cannot be compared, got " + one + " and " + other);
        }
        if (one.id() == other.id()) {
            throw new IllegalArgumentException("id " + one.id() + " does not differ from itself");
        }
    }

    /**
     * The fields in which the ids differ.
     *
     * @return at least one; cannot be changed
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
     * How much later the other was made, by the clocks of those who made them.
     *
     * @return in ticks of the layout; negative if the other was first, zero within one tick
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
            return "Both were made in the tick at " + one.parts().time()
                    + (oneWorker
                            ? " by worker " + one.worker() + ": " + earlier().id() + " first, as number "
                                    + earlier().parts().sequence() + ", then " + later().id() + " as number "
                                    + later().parts().sequence() + "."
                            : ", by workers " + one.worker() + " and " + other.worker()
                                    + ": which was first, ids do not say.");
        }
        return earlier().id() + " was made first, at " + earlier().parts().time() + " by worker "
                + earlier().worker() + "; " + later().id() + " was made "
                + Spans.text(gap().abs()) + " later by "
                + (oneWorker ? "the same worker." : "worker " + later().worker() + ", if their clocks agree.");
    }

    /** Of one worker, the smaller id is the earlier one in every layout. */
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
