package io.idgen.cli.analysis;

import io.idgen.core.layout.SnowflakeParts;
import io.idgen.text.InspectedId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The difference between two ids of one layout, and which was generated first.
 *
 * @param one an id
 * @param other another id of the same layout
 */
public record Difference(InspectedId one, InspectedId other) {
    private static final String JAVA_SCRIPT =
            " JavaScript stores both as the same number: if one of them came through a"
                    + " browser or JSON, it may be a rounded copy of the other. Send ids as strings.";

    /**
     * Returns how the ids differ, and in which order they were generated, by the clocks of their generators.
     *
     * @return English sentences, with times in UTC
     */
    public String text() {
        return "Two different ids: they differ in " + String.join(" and ", fields()) + ". " + order()
                + ((double) one.id() == (double) other.id() ? JAVA_SCRIPT : "");
    }

    private List<String> fields() {
        SnowflakeParts a = one.parts();
        SnowflakeParts b = other.parts();
        List<String> fields = new ArrayList<>();
        if (!a.time().equals(b.time())) {
            fields.add("time");
        }
        if (a.datacenter() != b.datacenter()) {
            fields.add("datacenter");
        }
        if (a.worker() != b.worker()) {
            fields.add("worker");
        }
        if (a.sequence() != b.sequence()) {
            fields.add("sequence");
        }
        return fields;
    }

    private String order() {
        boolean oneWorker = one.worker().equals(other.worker());
        // the smaller id is the earlier one if both have the same worker, in every layout
        InspectedId earlier = one.id() < other.id() ? one : other;
        InspectedId later = one.id() < other.id() ? other : one;
        Duration gap = Duration.between(earlier.parts().time(), later.parts().time());
        if (gap.isZero()) {
            return "Both were generated in the tick at " + one.parts().time()
                    + (oneWorker
                            ? " by worker " + one.worker() + ": " + earlier.id() + " first, as number "
                                    + earlier.parts().sequence() + ", then " + later.id() + " as number "
                                    + later.parts().sequence() + "."
                            : ", by workers " + one.worker() + " and " + other.worker()
                                    + "; the ids do not show which was first.");
        }
        return earlier.id() + " was generated first, at " + earlier.parts().time() + " by worker " + earlier.worker()
                + "; " + later.id() + " was generated " + text(gap) + " later by "
                + (oneWorker ? "the same worker." : "worker " + later.worker() + ", if their clocks agree.");
    }

    private static String text(Duration gap) {
        return String.format(
                Locale.ROOT,
                "%s%02d:%02d:%02d.%03d",
                gap.toDays() == 0 ? "" : gap.toDays() + " d ",
                gap.toHoursPart(),
                gap.toMinutesPart(),
                gap.toSecondsPart(),
                gap.toMillisPart());
    }
}
