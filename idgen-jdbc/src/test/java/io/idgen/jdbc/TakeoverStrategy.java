package io.idgen.jdbc;

import java.time.Duration;
import java.util.Locale;

/** The strategies of the processes of {@link TakeoverTest}, with their pauses between requests. */
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

    /** The strategy's name in the settings. */
    String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a number of ids that is larger than a process fetches in advance. */
    int moreThanFetched() {
        return idsAtOnce == 1 ? 2 : 4 * TakeoverProcess.STEP;
    }
}
