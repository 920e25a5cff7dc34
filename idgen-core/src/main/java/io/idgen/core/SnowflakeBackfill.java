package io.idgen.core;

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
    private final long machine;
    private final WorkerLease lease;
    private long last;
    private boolean closed;

    private SnowflakeBackfill(
            SnowflakeLayout layout, int datacenterId, int workerId, long lastId, InstantSource clock) {
        this.layout = layout;
        this.clock = clock;
        this.machine = layout.machine(datacenterId, workerId);
        this.last = Math.max(layout.wordOf(lastId), (1L << layout.sequenceBits()) - 1);
        // a time source equal to no other: two backfills would not know of each other's last id
        TimeSource own = new CautiousTime(new MachineTime(clock));
        this.lease = FixedWorkers.lease(
                new FixedWorkers.Key("default", datacenterId, workerId),
                new FixedWorkers.Terms(layout, ClockPolicy.fail(), 1, own),
                machine,
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
        long tick = layout.tickAt(moment.toEpochMilli());
        if (tick < 1 || tick > layout.lastTick()) {
            throw new IllegalArgumentException(moment + " is outside the layout, which counts from " + layout.epoch()
                    + " to " + layout.end() + "; ids of that time need another layout");
        }
        long lastTick = last >>> layout.sequenceBits();
        if (tick < lastTick) {
            throw new IllegalArgumentException(moment + " is before " + layout.instantOf(lastTick)
                    + ", of which an id was given; sort the rows by their times");
        }
        long next = Math.max(last + 1, tick << layout.sequenceBits());
        if (next >>> layout.sequenceBits() != tick) {
            throw new IdGenerationException(
                    ErrorCode.LAYOUT_EXHAUSTED,
                    "all " + layout.idsPerTick() + " ids of the tick at " + layout.instantOf(tick)
                            + " are given; reserve a second worker id for the rest of its rows");
        }
        last = next;
        return layout.compose(next, machine);
    }

    @Override
    public synchronized void close() {
        closed = true;
        lease.close();
    }
}
