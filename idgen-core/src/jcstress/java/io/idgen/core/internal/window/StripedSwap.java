package io.idgen.core.internal.window;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import org.openjdk.jcstress.annotations.State;

/** A swap of windows in which threads claim blocks. A tick has two blocks. */
@State
public class StripedSwap extends Swap {
    private static final SnowflakeLayout BLOCKS =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 56, 0, 0, 7);

    public StripedSwap() {
        super(BLOCKS, firstTick -> new StripedWindow(BLOCKS, 0, 1, firstTick, AHEAD_TICKS));
    }
}
