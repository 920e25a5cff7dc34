package io.idgen.proof;

/** A time, by the machine's monotonic clock. */
record Span(long beginNanos, long endNanos) {

    /** Returns the present. */
    static Span now() {
        long now = System.nanoTime();
        return new Span(now, now);
    }

    /** Returns the time from the beginning of this one until now. */
    Span untilNow() {
        return new Span(beginNanos, System.nanoTime());
    }
}
