package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.core.inspect.InspectedId;

/**
 * An id taken apart, as programs read it.
 *
 * @param id in decimal; a string, since JavaScript damages numbers above 2<sup>53</sup>
 * @param layout the preset's name, else widths and epoch
 * @param instant when it was made, in UTC
 * @param datacenter 0 where the layout has none
 * @param worker within the datacenter
 * @param sequence within the tick
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
