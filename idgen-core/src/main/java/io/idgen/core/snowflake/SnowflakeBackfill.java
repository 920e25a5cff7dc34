package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.ClockTime;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Generates Snowflake ids for existing rows, so that each id carries the time at which its row was created. Reserve a
 * worker id for backfills: a live generator with the same one would generate equal ids. While a backfill is open, this
 * JVM refuses such a generator.
 *
 * <p>Request ids in the order of the rows' times. Continue an interrupted backfill with {@link #resume}, above the last
 * id that was written. Safe for many threads, if they keep that order. Calls do not block.
 */
public final class SnowflakeBackfill implements AutoCloseable {
    private final SnowflakeLayout layout;
    private final InstantSource clock;
    private final TickScale scale;
    private final int datacenterId;
    private final int workerId;
    private final WorkerLease lease;
    private long last;
    private boolean closed;

    private SnowflakeBackfill(
            SnowflakeLayout layout, int datacenterId, int workerId, long lastId, InstantSource clock) {
        this.layout = layout;
        this.clock = clock;
        this.scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
        this.datacenterId = datacenterId;
        this.workerId = workerId;
        this.last = Math.max(wordOf(lastId), layout.idsPerTick() - 1);
        // A time source that equals no other: backfills share no window, since they do not know each other's last id.
        TimeSource own = new CautiousTime(new ClockTime(clock));
        this.lease = FixedWorkers.lease(
                new FixedWorkers.Key("default", datacenterId, workerId),
                new FixedWorkers.Terms(layout, new PolicyWindows(ClockPolicy.fail()), 1, own),
                layout.packWorker(datacenterId, workerId),
                Knob::method);
    }

    /**
     * Begins a backfill.
     *
     * @param layout the layout of the table's ids
     * @param datacenterId the datacenter id; no live process may have it together with the worker id
     * @param workerId a worker id that is permanently reserved for backfills
     * @return a backfill; close it when it is complete
     * @throws IllegalArgumentException if the worker id or the datacenter id does not fit in the layout
     * @throws ConfigurationException if another generator of this JVM uses the worker id
     */
    public static SnowflakeBackfill begin(SnowflakeLayout layout, int datacenterId, int workerId) {
        return new SnowflakeBackfill(layout, datacenterId, workerId, 0, Clock.systemUTC());
    }

    /**
     * Resumes a backfill that was interrupted.
     *
     * @param layout the layout of the table's ids
     * @param datacenterId the datacenter id of the interrupted backfill
     * @param workerId the worker id of the interrupted backfill
     * @param lastId the largest id that it has written
     * @return a backfill; close it when it is complete
     * @throws IllegalArgumentException if the worker id does not fit in the layout, or {@code lastId} has another
     *     worker id
     * @throws ConfigurationException if another generator of this JVM uses the worker id
     */
    public static SnowflakeBackfill resume(SnowflakeLayout layout, int datacenterId, int workerId, long lastId) {
        SnowflakeParts parts = layout.parse(lastId);
        if (parts.datacenter() != datacenterId || parts.worker() != workerId) {
            throw new IllegalArgumentException("id " + lastId + " belongs to datacenter " + parts.datacenter()
                    + ", worker " + parts.worker() + ", not to datacenter " + datacenterId + ", worker " + workerId
                    + "; pass the largest id that this backfill has written");
        }
        return new SnowflakeBackfill(layout, datacenterId, workerId, lastId, Clock.systemUTC());
    }

    /**
     * Generates an id for a point in time.
     *
     * @param moment when the row was created: not before the moments of earlier calls, and not in the future
     * @return an id with the moment's tick, larger than all ids before it
     * @throws IllegalArgumentException if the moment is before an earlier one, in the future, or outside the layout
     * @throws IdGenerationException if all ids of the moment's tick are used, or the backfill is closed
     */
    public synchronized long idAt(Instant moment) {
        if (closed) {
            throw new IdGenerationException(ErrorCode.SOURCE_CLOSED, "this backfill is closed");
        }
        Instant now = clock.instant();
        if (Objects.requireNonNull(moment, "moment").isAfter(now)) {
            throw new IllegalArgumentException(
                    moment + " is in the future (now " + now + "); a backfill generates ids of the past only");
        }
        long tick = scale.tickAt(moment.toEpochMilli());
        if (tick < 1 || tick > scale.lastTick()) {
            throw new IllegalArgumentException(moment + " is outside the layout, which counts from " + layout.epoch()
                    + " to " + layout.end() + "; ids of that time need another layout");
        }
        long lastTick = last >>> layout.sequenceBits();
        if (tick < lastTick) {
            throw new IllegalArgumentException(moment + " is before " + scale.instantOf(lastTick)
                    + ", the time of the last id; sort the rows by their times");
        }
        long next = Math.max(last + 1, tick << layout.sequenceBits());
        if (next >>> layout.sequenceBits() != tick) {
            throw new IdGenerationException(
                    ErrorCode.TICK_USED_UP,
                    "all " + layout.idsPerTick() + " ids of the tick at " + scale.instantOf(tick)
                            + " are used; reserve a second worker id for the other rows of this tick");
        }
        last = next;
        int sequence = (int) (next & (layout.idsPerTick() - 1));
        return layout.compose(new SnowflakeParts(scale.instantOf(tick), datacenterId, workerId, sequence));
    }

    /** Returns tick and sequence of an id as {@code tick << sequenceBits | sequence}. */
    private long wordOf(long id) {
        SnowflakeParts parts = layout.parse(id);
        return (scale.tickAt(parts.time().toEpochMilli()) << layout.sequenceBits()) | parts.sequence();
    }

    @Override
    public synchronized void close() {
        closed = true;
        lease.close();
    }
}
