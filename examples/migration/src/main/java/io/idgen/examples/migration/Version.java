package io.idgen.examples.migration;

import java.util.List;
import java.util.function.Supplier;

/** The versions of the application, in the order of their deployments. */
enum Version {
    INT(WithInt::orderWithTwoLines),
    LONG(WithLong::orderWithTwoLines),
    SNOWFLAKES(WithSnowflakes::orderWithTwoLines);

    private final Supplier<List<Object>> maker;

    Version(Supplier<List<Object>> maker) {
        this.maker = maker;
    }

    /** Returns a new order and its lines, in the order of their inserts. */
    List<Object> orderWithTwoLines() {
        return maker.get();
    }
}
