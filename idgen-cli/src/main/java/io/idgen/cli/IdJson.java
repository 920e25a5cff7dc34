package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.text.InspectedId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a decoded id.
 *
 * @param id the id in decimal; a string, because JavaScript rounds integers above 2<sup>53</sup>
 * @param layout the preset's name, or widths and epoch
 * @param instant the time of the id, in UTC
 * @param datacenter the datacenter id; 0 if the layout has none
 * @param worker the worker id within the datacenter
 * @param sequence the sequence within the tick
 * @param plausible false if the time lies in the future
 */
record IdJson(String id, String layout, String instant, int datacenter, int worker, int sequence, boolean plausible) {

    /**
     * The JSON form of several ids.
     *
     * @param ids the decoded ids; without a layout, one entry for each preset that fits
     * @param verdict what two ids have in common, or why ids are equal; null for more than two ids that all differ
     */
    record Several(List<IdJson> ids, @Nullable Verdict verdict) {}

    /**
     * What two ids have in common, or why ids are equal.
     *
     * @param equal whether ids are equal
     * @param layout the layout under which the verdict holds
     * @param text the verdict in English
     */
    record Verdict(boolean equal, String layout, String text) {}

    static IdJson of(InspectedId inspected) {
        return new IdJson(
                Long.toString(inspected.id()),
                Layouts.name(inspected.layout()),
                inspected.parts().time().toString(),
                inspected.parts().datacenter(),
                inspected.parts().worker(),
                inspected.parts().sequence(),
                inspected.plausible());
    }
}
