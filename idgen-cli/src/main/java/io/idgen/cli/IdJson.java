package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.core.inspect.InspectedId;

/**
 * The JSON form of a decoded id.
 *
 * @param id the id in decimal; a string, because JavaScript rounds integers above 2<sup>53</sup>
 * @param layout the preset's name, or widths and epoch
 * @param instant the time of the id, in UTC
 * @param datacenter the datacenter id; 0 if the layout has none
 * @param worker the worker id within the datacenter
 * @param sequence the sequence within the tick
 */
record IdJson(String id, String layout, String instant, int datacenter, int worker, int sequence) {

    static IdJson of(InspectedId inspected) {
        return new IdJson(
                Long.toString(inspected.id()),
                Layouts.name(inspected.layout()),
                inspected.parts().time().toString(),
                inspected.parts().datacenter(),
                inspected.parts().worker(),
                inspected.parts().sequence());
    }
}
