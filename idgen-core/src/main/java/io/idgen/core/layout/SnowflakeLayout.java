package io.idgen.core.layout;

import io.idgen.core.internal.time.TickScale;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * The widths of the fields of a snowflake id, and its epoch. Composes and parses ids, and returns the end and the
 * capacity of the layout.
 *
 * <p>From the top: time in ticks since the epoch, datacenter, worker, sequence; or the sequence above datacenter and
 * worker. The sign bit is always 0, so ids are never negative and grow with time. Use one layout for all ids of a
 * table: ids of two layouts can be equal. Immutable.
 *
 * @param epoch the instant of tick 0, in whole milliseconds
 * @param tick the unit of time: 1 ms, 10 ms or 1 s
 * @param timeBits width of the time, at least 1
 * @param datacenterBits width of the datacenter id, 0 to {@value #MAX_FIELD_BITS}
 * @param workerBits width of the worker id, 0 to {@value #MAX_FIELD_BITS}
 * @param sequenceBits width of the sequence, 0 to {@value #MAX_FIELD_BITS}
 * @param order which of sequence and worker stands above the other
 */
public record SnowflakeLayout(
        Instant epoch,
        Duration tick,
        int timeBits,
        int datacenterBits,
        int workerBits,
        int sequenceBits,
        FieldOrder order) {

    /** Bits of an id below the sign: {@value}. */
    public static final int ID_BITS = 63;

    /** Bits of an id that JavaScript's numbers represent exactly: {@value}. */
    public static final int JS_SAFE_BITS = 53;

    /** The widest datacenter, worker or sequence: {@value} bits. */
    static final int MAX_FIELD_BITS = 31;

    /** The default: 41 bits of milliseconds since 2024-01-01 UTC, 5 datacenter, 5 worker, 12 sequence; ends in 2093. */
    public static final SnowflakeLayout IDGEN = ofMillis(1_704_067_200_000L, 41, 5, 5, 12);

    /**
     * 41/3/9 bits, {@value #JS_SAFE_BITS} in all, since 2024-01-01 UTC: JavaScript's numbers represent these ids
     * exactly. Ends in 2093.
     */
    public static final SnowflakeLayout JS_SAFE = ofMillis(1_704_067_200_000L, 41, 0, 3, 9);

    /**
     * Twitter's: 41/5/5/12 since 1288834974657. Ends in 2080.
     *
     * @see <a href="https://github.com/twitter-archive/snowflake/tree/snowflake-2010">its source, 2010</a>
     */
    public static final SnowflakeLayout TWITTER = ofMillis(1_288_834_974_657L, 41, 5, 5, 12);

    /**
     * Discord's: 41/5/5/12 since 1420070400000. Its "worker" and "process" are the datacenter and the worker here.
     * Published with 42 bits of time, which include the sign.
     *
     * @see <a href="https://docs.discord.com/developers/reference#snowflakes">its documentation</a>
     */
    public static final SnowflakeLayout DISCORD = ofMillis(1_420_070_400_000L, 41, 5, 5, 12);

    /**
     * Instagram's: 40/13/10 since 1314220021721; the worker is a shard. Published with 41 bits of time, which include
     * the sign. Ends in 2046.
     *
     * @see <a href="https://instagram-engineering.com/sharding-ids-at-instagram-1cf5a71e5a5c">its description, 2012</a>
     */
    public static final SnowflakeLayout INSTAGRAM = ofMillis(1_314_220_021_721L, 40, 0, 13, 10);

    /**
     * Sonyflake's: 39 bits of 10 ms since 2014-09-01 UTC, 8 sequence, 16 worker. Ends in 2188.
     *
     * @see <a href="https://github.com/sony/sonyflake">its source</a>
     */
    public static final SnowflakeLayout SONYFLAKE = new SnowflakeLayout(
            Instant.ofEpochMilli(1_409_529_600_000L),
            Duration.ofMillis(10),
            39,
            0,
            16,
            8,
            FieldOrder.SEQUENCE_ABOVE_WORKER);

    /**
     * TSID's default: 41/10/12 since 2020-01-01 UTC. Published with 42 bits of time, which include the sign.
     *
     * @see <a href="https://github.com/f4b6a3/tsid-creator">its source</a>
     */
    public static final SnowflakeLayout TSID = ofMillis(1_577_836_800_000L, 41, 0, 10, 12);

    /** The order of the fields below the time. */
    public enum FieldOrder {
        /** Time, datacenter, worker, sequence, as in Twitter's layout. */
        SEQUENCE_LOWEST,
        /** Time, sequence, datacenter, worker, as in Sonyflake's layout. */
        SEQUENCE_ABOVE_WORKER
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the widths do not sum to {@value #ID_BITS} or {@value #JS_SAFE_BITS}, or the
     *     tick or the epoch is not one of those above
     */
    public SnowflakeLayout {
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(tick, "tick");
        if (!epoch.equals(Instant.ofEpochMilli(millisOf(epoch)))) {
            throw new IllegalArgumentException("an epoch is in whole milliseconds, got " + epoch);
        }
        Objects.requireNonNull(order, "order");
        LayoutWidths.check(epoch, tick, timeBits, datacenterBits, workerBits, sequenceBits);
    }

    /**
     * Creates a layout with the sequence lowest.
     *
     * @param epoch the instant of tick 0, in whole milliseconds
     * @param tick the unit of time: 1 ms, 10 ms or 1 s
     * @param timeBits width of the time, at least 1
     * @param datacenterBits width of the datacenter id, 0 to {@value #MAX_FIELD_BITS}
     * @param workerBits width of the worker id, 0 to {@value #MAX_FIELD_BITS}
     * @param sequenceBits width of the sequence, 0 to {@value #MAX_FIELD_BITS}
     */
    public SnowflakeLayout(
            Instant epoch, Duration tick, int timeBits, int datacenterBits, int workerBits, int sequenceBits) {
        this(epoch, tick, timeBits, datacenterBits, workerBits, sequenceBits, FieldOrder.SEQUENCE_LOWEST);
    }

    /** Returns an instant in milliseconds since 1970; throws if they cannot represent it. */
    private static long millisOf(Instant instant) {
        try {
            return instant.toEpochMilli();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    instant + " is further from 1970 than milliseconds can count; choose an instant nearer to now", e);
        }
    }

    // The epoch as a number: the JDK's parser of dates would delay the first id of a JVM.
    private static SnowflakeLayout ofMillis(long epoch, int time, int datacenter, int worker, int sequence) {
        return new SnowflakeLayout(
                Instant.ofEpochMilli(epoch), Duration.ofMillis(1), time, datacenter, worker, sequence);
    }

    /**
     * Returns the layouts that have a name.
     *
     * @return by name, as {@link #parse} reads it; unmodifiable
     */
    public static Map<String, SnowflakeLayout> presets() {
        return LayoutText.PRESETS;
    }

    /**
     * Parses the value of the setting {@code idgen.snowflake.layout}. It is the name of a preset, or the widths from
     * the top with the default epoch: {@code 41-5-5-12} (time, datacenter, worker, sequence) or {@code 41-10-12} (time,
     * worker, sequence). Append {@code @10ms} or {@code @1s} for a tick other than 1 ms, and {@code
     * ,sequence-above-worker} for that order: Sonyflake's widths are {@code 39-16-8@10ms,sequence-above-worker}.
     *
     * @param text the setting
     * @return the layout
     * @throws IllegalArgumentException if the text is neither, or the widths do not sum to 63 or 53
     */
    public static SnowflakeLayout parse(String text) {
        return LayoutText.parse(text);
    }

    /**
     * Parses the value of the setting {@code idgen.snowflake.epoch}: an instant with its zone, or milliseconds since
     * 1970-01-01T00:00Z. A local date is refused: it would depend on the time zone of the JVM.
     *
     * @param text for example {@code 2024-01-01T00:00:00Z}, {@code 2016-01-01T00:00+08:00} or {@code 1288834974657}
     * @return the epoch
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant parseEpoch(String text) {
        return LayoutText.parseEpoch(text);
    }

    /**
     * Returns this layout with another epoch.
     *
     * @param newEpoch the instant of tick 0
     * @return a layout
     */
    public SnowflakeLayout withEpoch(Instant newEpoch) {
        return new SnowflakeLayout(newEpoch, tick, timeBits, datacenterBits, workerBits, sequenceBits, order);
    }

    /**
     * Composes an id.
     *
     * @param parts the time is rounded down to its tick
     * @return an id, 0 or above
     * @throws IllegalArgumentException if a part does not fit in its field
     */
    public long compose(SnowflakeParts parts) {
        long t = ticks().tickAt(millisOf(parts.time()));
        if (t < 0 || t > ticks().lastTick()) {
            throw new IllegalArgumentException(parts.time() + " is outside the layout, which counts from " + epoch
                    + " to " + end() + "; choose another epoch or widen the time");
        }
        checkFits("sequence", parts.sequence(), sequenceBits);
        return compose((t << sequenceBits) | parts.sequence(), packWorker(parts.datacenter(), parts.worker()));
    }

    /**
     * Parses an id. Every number from 0 on has parts, also one that comes from another layout.
     *
     * @param id 0 or above
     * @return its parts
     * @throws IllegalArgumentException if the id is negative
     */
    public SnowflakeParts parse(long id) {
        if (id < 0) {
            throw new IllegalArgumentException("an id is never negative, got " + id);
        }
        if (id > largestId(packedWorkerMask())) {
            throw new IllegalArgumentException("id " + id + " has more than the " + bits() + " bits of layout " + this);
        }
        long packedWorker = (id >>> packedWorkerShift()) & packedWorkerMask();
        return new SnowflakeParts(
                ticks().instantOf(id >>> (packedWorkerBits() + sequenceBits)),
                (int) (packedWorker >>> workerBits),
                (int) (packedWorker & mask(workerBits)),
                (int) ((id >>> sequenceShift()) & mask(sequenceBits)));
    }

    /**
     * Returns the smallest id that can be generated at or after a time. Use it to query a time range by primary key:
     * {@code id >= firstIdAt(from) AND id < firstIdAt(to)}. The time of an id is the start of its tick.
     *
     * @param moment any time
     * @return 0 for a time before the epoch, {@link Long#MAX_VALUE} for a time after the end
     */
    public long firstIdAt(Instant moment) {
        if (!moment.isAfter(epoch)) {
            return 0;
        }
        if (moment.isAfter(ticks().instantOf(ticks().lastTick()))) {
            return Long.MAX_VALUE;
        }
        long millis = moment.toEpochMilli();
        long wholeMillis = Instant.ofEpochMilli(millis).equals(moment) ? millis : millis + 1;
        return ticks().tickFrom(wholeMillis) << (packedWorkerBits() + sequenceBits);
    }

    /**
     * Returns the end of this layout.
     *
     * @return the last millisecond of the last tick
     */
    public Instant end() {
        return Instant.ofEpochMilli(ticks().millisOf(ticks().lastTick() + 1) - 1);
    }

    /**
     * Returns how many processes can generate ids at the same time.
     *
     * @return datacenters times workers, at least 1
     */
    public long workers() {
        return 1L << packedWorkerBits();
    }

    /**
     * Returns how many ids one worker can generate per second.
     *
     * @return the number of ids in the ticks of a second
     */
    public double idsPerSecond() {
        return idsPerTick() * 1000.0 / tick.toMillis();
    }

    /**
     * Returns how many ids one worker can generate per tick.
     *
     * @return at least 1
     */
    public long idsPerTick() {
        return 1L << sequenceBits;
    }

    /** Bits of an id: {@value #ID_BITS} or {@value #JS_SAFE_BITS}. */
    int bits() {
        return timeBits + datacenterBits + workerBits + sequenceBits;
    }

    int packedWorkerBits() {
        return datacenterBits + workerBits;
    }

    private TickScale ticks() {
        return TickScale.of(epoch, tick, timeBits);
    }

    /**
     * Packs a datacenter id and a worker id into the number that identifies a row of a {@code LeaseStore}: the worker
     * id with the datacenter id in the bits above it. Each is checked against its own field: unchecked, worker 32 of a
     * field of 5 bits would become datacenter 1, worker 0.
     *
     * @param datacenter the datacenter id
     * @param worker the worker id
     * @return 0 to {@link #workers()} - 1
     * @throws IllegalArgumentException if one does not fit in its field
     */
    public long packWorker(int datacenter, int worker) {
        checkFits("datacenter id", datacenter, datacenterBits);
        checkFits("worker id", worker, workerBits);
        return ((long) datacenter << workerBits) | worker;
    }

    /** The id of a state word ({@code tick << sequenceBits | sequence}) of a packed worker; both are in range. */
    long compose(long word, long packedWorker) {
        return ((word >>> sequenceBits) << (packedWorkerBits() + sequenceBits))
                | (packedWorker << packedWorkerShift())
                | ((word & mask(sequenceBits)) << sequenceShift());
    }

    private int packedWorkerShift() {
        return order == FieldOrder.SEQUENCE_LOWEST ? sequenceBits : 0;
    }

    private int sequenceShift() {
        return order == FieldOrder.SEQUENCE_LOWEST ? 0 : packedWorkerBits();
    }

    private long packedWorkerMask() {
        return mask(packedWorkerBits());
    }

    /**
     * Returns the largest id that one worker can generate.
     *
     * @param packedWorker as {@link #packWorker} returns it
     * @return the id of its last sequence in the last tick
     */
    public long largestId(long packedWorker) {
        return compose((ticks().lastTick() << sequenceBits) | mask(sequenceBits), packedWorker);
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

    /** The text that {@link #parse} reads, and the epoch: {@code 41-5-5-12 from 2024-01-01T00:00:00Z}. */
    @Override
    public String toString() {
        return LayoutText.of(this);
    }
}
