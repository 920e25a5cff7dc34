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
 * Snowflakes for rows of the past, whose ids shall tell when the rows were made. They are made under a worker id that is
 * reserved for this: a live generator with it would make equal ones, and is refused in this JVM while a backfill is open.
 *
 * <p>Rows come in the order of their times. An interrupted backfill is taken up again above the last id that was written.
 * Safe for many threads, as far as they keep the order.
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
        // a time source equal to no other: two backfills would not know of each other's last id
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
     * @param layout of the table's ids
     * @param datacenterId which no live process has together with the worker id
     * @param workerId reserved for backfills, for good
     * @return a backfill, to be closed when it is done
     * @throws IllegalArgumentException if the worker id does not fit in the layout
     * @throws ConfigurationException if a generator of this JVM has the worker id
     */
    public static SnowflakeBackfill begin(SnowflakeLayout layout, int datacenterId, int workerId) {
        return new SnowflakeBackfill(layout, datacenterId, workerId, 0, Clock.systemUTC());
    }

    /**
     * Takes up a backfill that was interrupted.
     *
     * @param layout of the table's ids
     * @param datacenterId as in the backfill that was interrupted
     * @param workerId as in the backfill that was interrupted
     * @param lastId the largest id that it has written
     * @return a backfill, to be closed when it is done
     * @throws IllegalArgumentException if the worker id does not fit in the layout, or the id is not one of it
     * @throws ConfigurationException if a generator of this JVM has the worker id
     */
    public static SnowflakeBackfill resume(SnowflakeLayout layout, int datacenterId, int workerId, long lastId) {
        SnowflakeParts parts = layout.parse(lastId);
        if (parts.datacenter() != datacenterId || parts.worker() != workerId) {
            throw new IllegalArgumentException("id " + lastId + " is one of datacenter " + parts.datacenter()
                    + ", worker " + parts.worker() + ", not of datacenter " + datacenterId + ", worker " + workerId
                    + "; give the largest id that this backfill has written");
        }
        return new SnowflakeBackfill(layout, datacenterId, workerId, lastId, Clock.systemUTC());
    }

    /**
     * The next id of a moment.
     *
     * @param moment when the row was made: not before the moments asked for earlier, and not in the future
     * @return an id whose time is the moment's tick, larger than all before
     * @throws IllegalArgumentException if the moment is before an earlier one, in the future, or outside the layout
     * @throws IdGenerationException if all ids of the moment's tick are given, or the backfill is closed
     */
    public synchronized long idAt(Instant moment) {
        if (closed) {
            throw new IdGenerationException(ErrorCode.SOURCE_CLOSED, "this backfill is closed");
        }
        Instant now = clock.instant();
        if (Objects.requireNonNull(moment, "moment").isAfter(now)) {
            throw new IllegalArgumentException(
                    moment + " is in the future (now " + now + "); a backfill is of the past");
        }
        long tick = scale.tickAt(moment.toEpochMilli());
        if (tick < 1 || tick > scale.lastTick()) {
            throw new IllegalArgumentException(moment + " is outside the layout, which counts from " + layout.epoch()
                    + " to " + layout.end() + "; ids of that time need another layout");
        }
        long lastTick = last >>> layout.sequenceBits();
        if (tick < lastTick) {
            throw new IllegalArgumentException(moment + " is before " + scale.instantOf(lastTick)
                    + ", of which an id was given; sort the rows by their times");
        }
        long next = Math.max(last + 1, tick << layout.sequenceBits());
        if (next >>> layout.sequenceBits() != tick) {
            throw new IdGenerationException(
                    ErrorCode.LAYOUT_EXHAUSTED,
                    "all " + layout.idsPerTick() + " ids of the tick at " + scale.instantOf(tick)
                            + " are given; reserve a second worker id for the rest of its rows");
        }
        last = next;
        int sequence = (int) (next & (layout.idsPerTick() - 1));
        return layout.compose(new SnowflakeParts(scale.instantOf(tick), datacenterId, workerId, sequence));
    }

    /** Tick and sequence of an id, {@code tick << sequenceBits | sequence}. */
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
