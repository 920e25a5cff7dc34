package io.idgen.cli.compare.contender;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Monotonic ULIDs: milliseconds since 1970 in 48 bits, then 80 random bits, which grow by one within a millisecond.
 * Safe for many threads.
 *
 * @see <a href="https://github.com/ulid/spec#monotonicity">the specification</a>
 */
final class Ulids implements Supplier<UUID> {
    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int DIGITS = 26;
    private static final int DIGIT_BITS = 5;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private long high;
    private long low;

    Ulids(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized UUID get() {
        long millis = clock.millis();
        if (millis > high >>> 16) {
            high = millis << 16 | random.nextInt(1 << 16);
            low = random.nextLong();
        } else if (++low == 0) { // the carry into the next millisecond keeps the order
            high++;
        }
        return new UUID(high, low);
    }

    /** Returns the text of a ULID, 26 digits. */
    static String text(UUID ulid) {
        char[] digits = new char[DIGITS];
        long highBits = ulid.getMostSignificantBits();
        long lowBits = ulid.getLeastSignificantBits();
        for (int i = DIGITS - 1; i >= 0; i--) {
            digits[i] = CROCKFORD.charAt((int) (lowBits & 31));
            lowBits = lowBits >>> DIGIT_BITS | highBits << Long.SIZE - DIGIT_BITS;
            highBits >>>= DIGIT_BITS;
        }
        return new String(digits);
    }
}
