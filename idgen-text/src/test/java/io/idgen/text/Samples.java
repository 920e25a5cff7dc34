package io.idgen.text;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Layouts, ids and a time that the tests of this package share. */
final class Samples {
    static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
    static final InstantSource CLOCK = InstantSource.fixed(NOW);

    /** The layout and the first id that the article printed. */
    static final SnowflakeLayout ARTICLE = SnowflakeLayout.IDGEN.withEpoch(Instant.parse("2016-01-01T00:00:00Z"));

    static final long ARTICLE_ID = 225912364091068416L;

    private Samples() {}

    /** Returns the presets, and widths that leave out each field in turn. */
    static List<SnowflakeLayout> layouts() {
        List<SnowflakeLayout> layouts =
                new ArrayList<>(SnowflakeLayout.presets().values());
        for (String widths : List.of(
                "41-5-5-12@10ms",
                "33-4-6-20@1s",
                "41-10-0-12",
                "41-0-0-22",
                "41-11-11-0",
                "41-5-5-12,sequence-above-worker",
                "43-1-0-9",
                "32-31-0-0",
                "62-0-0-1")) {
            layouts.add(SnowflakeLayout.parse(widths));
        }
        return layouts;
    }

    static long id(SnowflakeLayout layout, String time, int datacenter, int worker, int sequence) {
        return id(layout, Instant.parse(time), datacenter, worker, sequence);
    }

    static long id(SnowflakeLayout layout, Instant time, int datacenter, int worker, int sequence) {
        return layout.compose(new SnowflakeParts(time, datacenter, worker, sequence));
    }
}
