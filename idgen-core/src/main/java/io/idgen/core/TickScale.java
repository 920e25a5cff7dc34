package io.idgen.core;

/**
 * A layout's ticks in plain numbers, for the clocks that are read for each id: the layout's own arithmetic, on an instant and a
 * duration, takes as long as the reading itself.
 *
 * @param epochMillis when tick 0 begins
 * @param tickMillis how long a tick is
 */
record TickScale(long epochMillis, long tickMillis) {
    static TickScale of(SnowflakeLayout layout) {
        return new TickScale(layout.epoch().toEpochMilli(), layout.tick().toMillis());
    }

    /** The same as {@link SnowflakeLayout#tickAt}. */
    long tickAt(long millis) {
        long since = millis - epochMillis;
        return tickMillis == 1 ? since : Math.floorDiv(since, tickMillis);
    }
}
