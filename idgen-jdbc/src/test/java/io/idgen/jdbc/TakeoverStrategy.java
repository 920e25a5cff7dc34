package io.idgen.jdbc;

import java.time.Duration;
import java.util.Locale;

/** What the processes of {@link TakeoverTest} draw, and how fast. */
enum TakeoverStrategy {
    SNOWFLAKE(4, Duration.ofMillis(2)),
    SEGMENT(4, Duration.ofMillis(2)),
    SEQUENCE_TABLE(1, Duration.ofMillis(50)), // a statement for each id
    STEPPED(1, Duration.ofMillis(50));

    final int idsAtOnce;
    final Duration pause;

    TakeoverStrategy(int idsAtOnce, Duration pause) {
        this.idsAtOnce = idsAtOnce;
        this.pause = pause;
    }

    /** As the setting has it. */
    String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** So many ids are more than a process has fetched in advance. */
    int moreThanFetched() {
        return idsAtOnce == 1 ? 2 : 4 * TakeoverProcess.STEP;
    }
}
