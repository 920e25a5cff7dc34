package io.idgen.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time that ids tell, and how a call waits for it when a window has no id at this moment. */
interface IssueClock extends Window.Ticks {

    /** What a clock remembers of a call that waits. */
    interface Wait {}

    /**
     * Parks for a part of the time until an id can be had, or throws when patience is over; the interrupt of a waiting thread
     * stays set.
     *
     * @param before what the last pause of this call gave, or null
     * @param window which has no id
     * @return for the next pause of this call
     */
    @Nullable
    Wait pause(@Nullable Wait before, Window window);

    /** By how much the time in the next id is behind the time that it is. */
    default Duration lag() {
        return Duration.ZERO;
    }
}
