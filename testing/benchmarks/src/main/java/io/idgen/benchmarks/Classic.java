package io.idgen.benchmarks;

/**
 * The generator of most articles: Twitter's algorithm under one monitor, which spins when the sequence of a millisecond
 * is exhausted. The control for the others.
 *
 * @see <a href="https://github.com/twitter-archive/snowflake/tree/snowflake-2010">Twitter's snowflake of 2010</a>
 */
final class Classic {
    private static final long EPOCH = 1_288_834_974_657L;
    private static final int SEQUENCE_BITS = 12;
    private static final int MACHINE_BITS = 10;

    private final long machine;
    private long lastMillis = -1;
    private long sequence;

    Classic(long machine) {
        this.machine = machine;
    }

    synchronized long nextId() {
        long millis = System.currentTimeMillis();
        if (millis < lastMillis) {
            throw new IllegalStateException("the clock moved backwards by " + (lastMillis - millis) + " ms");
        }
        if (millis == lastMillis) {
            sequence = (sequence + 1) & ((1 << SEQUENCE_BITS) - 1);
            if (sequence == 0) {
                while (millis <= lastMillis) {
                    millis = System.currentTimeMillis();
                }
            }
        } else {
            sequence = 0;
        }
        lastMillis = millis;
        return (millis - EPOCH) << (MACHINE_BITS + SEQUENCE_BITS) | machine << SEQUENCE_BITS | sequence;
    }
}
