package io.idgen.core;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the 63 bits of a snowflake id are shared out, and from when its time counts: composes ids and parses them.
 *
 * <p>From the top: time in ticks since the epoch, datacenter, worker, sequence. The sign bit is always 0, so ids are
 * positive and grow with time. All ids of one table should come from one layout: another layout's ids may be equal.
 *
 * @param epoch the instant of tick 0, in whole milliseconds
 * @param tick the unit of time: 1 ms, 10 ms or 1 s
 * @param timeBits width of the time, 1 to 63
 * @param datacenterBits width of the datacenter id, 0 to {@value #MAX_FIELD_BITS}
 * @param workerBits width of the worker id, 0 to {@value #MAX_FIELD_BITS}
 * @param sequenceBits width of the sequence, 0 to {@value #MAX_FIELD_BITS}
 * @see <a href="https://github.com/twitter-archive/snowflake/tree/snowflake-2010">Twitter's snowflake, 2010</a>
 */
public record SnowflakeLayout(
        Instant epoch, Duration tick, int timeBits, int datacenterBits, int workerBits, int sequenceBits) {

    /** Bits of an id below the sign: {@value}. */
    public static final int ID_BITS = 63;

    /** The widest datacenter, worker or sequence: {@value} bits. */
    public static final int MAX_FIELD_BITS = 31;

    /** The default: 41 bits of milliseconds since 2024-01-01 UTC, 5 datacenter, 5 worker, 12 sequence; ends in 2093. */
    public static final SnowflakeLayout IDGEN =
            new SnowflakeLayout(Instant.parse("2024-01-01T00:00:00Z"), Duration.ofMillis(1), 41, 5, 5, 12);

    private static final Pattern WIDTHS = Pattern.compile("(\\d{1,2})-(\\d{1,2})-(\\d{1,2})(?:-(\\d{1,2}))?");

    /** Refuses widths that do not sum to 63, and ticks and epochs that an id cannot count in. */
    public SnowflakeLayout {
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(tick, "tick");
        if (!epoch.equals(Instant.ofEpochMilli(epoch.toEpochMilli()))) {
            throw new IllegalArgumentException("an epoch is in whole milliseconds, got " + epoch);
        }
        if (!tick.equals(Duration.ofMillis(1))
                && !tick.equals(Duration.ofMillis(10))
                && !tick.equals(Duration.ofSeconds(1))) {
            throw new IllegalArgumentException("a tick is 1 ms, 10 ms or 1 s, got " + Durations.text(tick));
        }
        checkWidth("datacenter", datacenterBits);
        checkWidth("worker", workerBits);
        checkWidth("sequence", sequenceBits);
        int sum = timeBits + datacenterBits + workerBits + sequenceBits;
        if (timeBits < 1 || sum != ID_BITS) {
            throw new IllegalArgumentException("widths " + timeBits + "-" + datacenterBits + "-" + workerBits + "-"
                    + sequenceBits + " sum to " + sum + ", not " + ID_BITS
                    + " (time, datacenter, worker, sequence; the sign bit is not counted); "
                    + (sum < ID_BITS ? "give " + (ID_BITS - sum) + " more" : "take " + (sum - ID_BITS) + " away"));
        }
    }

    private static void checkWidth(String field, int bits) {
        if (bits < 0 || bits > MAX_FIELD_BITS) {
            throw new IllegalArgumentException(field + " must be 0 to " + MAX_FIELD_BITS + " bits wide, got " + bits);
        }
    }

    /**
     * Reads a layout as the setting {@code idgen.snowflake.layout} writes it: {@code idgen}, or widths from the top,
     * {@code 41-5-5-12} (time, datacenter, worker, sequence) or {@code 41-10-12} (time, worker, sequence), with the
     * default's epoch and a tick of 1 ms.
     *
     * @param text the setting
     * @return the layout
     * @throws IllegalArgumentException if the text is neither, or the widths do not sum to 63
     */
    public static SnowflakeLayout parse(String text) {
        String stripped = text.strip();
        if (stripped.equals("idgen")) {
            return IDGEN;
        }
        Matcher matcher = WIDTHS.matcher(stripped);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a layout is 'idgen' or widths like 41-5-5-12, got '" + text + "'");
        }
        boolean four = matcher.group(4) != null;
        return new SnowflakeLayout(
                IDGEN.epoch,
                IDGEN.tick,
                Integer.parseInt(matcher.group(1)),
                four ? Integer.parseInt(matcher.group(2)) : 0,
                Integer.parseInt(matcher.group(four ? 3 : 2)),
                Integer.parseInt(matcher.group(four ? 4 : 3)));
    }

    /**
     * Reads an epoch as the setting {@code idgen.snowflake.epoch} writes it: an instant with its zone, or milliseconds
     * since 1970. A local date is refused: it would move with the JVM's zone.
     *
     * @param text for example {@code 2024-01-01T00:00:00Z}, {@code 2016-01-01T00:00+08:00} or {@code 1288834974657}
     * @return the epoch
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant parseEpoch(String text) {
        String stripped = text.strip();
        if (stripped.matches("\\d{1,15}")) {
            return Instant.ofEpochMilli(Long.parseLong(stripped));
        }
        try {
            return Instant.parse(stripped);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "an epoch is an instant with its zone, for example 2024-01-01T00:00:00Z, or milliseconds since 1970,"
                            + " got '" + text + "'",
                    e);
        }
    }

    /**
     * The same widths counted from another epoch.
     *
     * @param newEpoch the instant of tick 0
     * @return a layout
     */
    public SnowflakeLayout withEpoch(Instant newEpoch) {
        return new SnowflakeLayout(newEpoch, tick, timeBits, datacenterBits, workerBits, sequenceBits);
    }

    /**
     * The id made of these parts.
     *
     * @param parts the time is taken down to its tick
     * @return an id, 0 or above
     * @throws IllegalArgumentException if a part does not fit
     */
    public long compose(SnowflakeParts parts) {
        long t = tickAt(parts.time().toEpochMilli());
        if (t < 0 || t > lastTick()) {
            throw new IllegalArgumentException(parts.time() + " is outside the layout, which counts from " + epoch
                    + " to " + end() + "; choose another epoch or widen the time");
        }
        checkFits("sequence", parts.sequence(), sequenceBits);
        return compose((t << sequenceBits) | parts.sequence(), machine(parts.datacenter(), parts.worker()));
    }

    /**
     * The parts of an id, as this layout reads them. Any number that is not negative has parts; whether they are
     * plausible is for the reader to see.
     *
     * @param id 0 or above
     * @return its parts
     * @throws IllegalArgumentException if the id is negative
     */
    public SnowflakeParts parse(long id) {
        if (id < 0) {
            throw new IllegalArgumentException("an id is never negative, got " + id);
        }
        return new SnowflakeParts(
                instantOf(id >>> (machineBits() + sequenceBits)),
                (int) ((id >>> (workerBits + sequenceBits)) & mask(datacenterBits)),
                (int) ((id >>> sequenceBits) & mask(workerBits)),
                (int) (id & mask(sequenceBits)));
    }

    /**
     * The last moment for which there are ids.
     *
     * @return the last millisecond of the last tick; no later than the last that an epoch millisecond can name
     */
    public Instant end() {
        try {
            long millis = Math.multiplyExact(lastTick() + 1, tick.toMillis());
            return Instant.ofEpochMilli(Math.addExact(epoch.toEpochMilli(), millis - 1));
        } catch (ArithmeticException e) {
            return Instant.ofEpochMilli(Long.MAX_VALUE);
        }
    }

    /**
     * How many processes can generate at once.
     *
     * @return datacenters times workers, at least 1
     */
    public long workers() {
        return 1L << machineBits();
    }

    /**
     * How many ids one worker has in a tick.
     *
     * @return at least 1
     */
    public long idsPerTick() {
        return 1L << sequenceBits;
    }

    int machineBits() {
        return datacenterBits + workerBits;
    }

    long lastTick() {
        return mask(timeBits);
    }

    /** The tick of a moment; negative before the epoch. */
    long tickAt(long epochMillis) {
        return Math.floorDiv(epochMillis - epoch.toEpochMilli(), tick.toMillis());
    }

    /** The first moment of a tick. */
    Instant instantOf(long tickNumber) {
        return epoch.plusMillis(tickNumber * tick.toMillis());
    }

    /** Datacenter and worker as one number, each checked against its field: unmasked, worker 32 of 5 bits would be datacenter 1. */
    long machine(int datacenter, int worker) {
        checkFits("datacenter id", datacenter, datacenterBits);
        checkFits("worker id", worker, workerBits);
        return ((long) datacenter << workerBits) | worker;
    }

    /** The id of a state word ({@code tick << sequenceBits | sequence}) on a machine; both are in range. */
    long compose(long word, long machine) {
        return ((word >>> sequenceBits) << (machineBits() + sequenceBits))
                | (machine << sequenceBits)
                | (word & mask(sequenceBits));
    }

    /** The id of the last word on a machine. */
    long largestId(long machine) {
        return compose((lastTick() << sequenceBits) | mask(sequenceBits), machine);
    }

    private static void checkFits(String field, int value, int bits) {
        if (value < 0 || value > mask(bits)) {
            throw new IllegalArgumentException(field + " " + value + " does not fit in " + bits + " bits (0.."
                    + mask(bits) + "); choose another or widen the layout");
        }
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    /** The widths and the epoch, as in {@code 41-5-5-12 from 2024-01-01T00:00:00Z}. */
    @Override
    public String toString() {
        return timeBits + "-" + datacenterBits + "-" + workerBits + "-" + sequenceBits + " from " + epoch
                + (tick.toMillis() == 1 ? "" : " in ticks of " + Durations.text(tick));
    }
}
