package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.BackfillRow;
import io.idgen.core.internal.text.Defaults;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.Names;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.ClockTime;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates Snowflake ids for existing rows, so that each id carries the time at which its row was created. It needs a
 * worker id that no other generator has or ever had, since that one's ids could be equal. {@link Builder#reservedIn}
 * reserves it in the store from which other processes lease theirs. This JVM refuses other generators with the worker
 * id while a backfill is open.
 *
 * <p>Request ids in the order of the rows' times. Continue an interrupted backfill with {@link Builder#after}. Safe for
 * many threads, if they keep that order. Calls block only for the store.
 */
public final class SnowflakeBackfill implements AutoCloseable {
    private final SnowflakeLayout layout;
    private final InstantSource clock;
    private final TickScale scale;
    private final FixedWorkers.Key worker;
    private final WorkerLease lease;
    private final @Nullable BackfillRow row;
    private final boolean aboveFloor;
    private long last;
    private boolean closed;

    private SnowflakeBackfill(Builder given) {
        this.layout = given.layout;
        this.clock = given.clock;
        this.scale = LayoutTime.ticks(layout);
        this.worker = new FixedWorkers.Key(given.namespace, given.datacenterId, given.workerId);
        this.last = Math.max(wordOf(given.lastId == null ? 0 : given.lastId), layout.idsPerTick() - 1);
        long packed = layout.packWorker(given.datacenterId, given.workerId);
        // A time source that equals no other: backfills share no window, since they do not know each other's last id.
        TimeSource own = new CautiousTime(new ClockTime(clock));
        this.lease = FixedWorkers.lease(
                worker, new FixedWorkers.Terms(layout, new PolicyWindows(ClockPolicy.fail()), 1, own), packed);
        try {
            this.row = given.store == null ? null : reserve(given.store, (int) packed, own);
        } catch (RuntimeException e) {
            lease.close();
            throw e;
        }
        this.aboveFloor = row != null && (given.lastId == null || row.isAfterUnclosed());
        if (row != null && aboveFloor) {
            last = Math.max(last, (row.floorTick() << layout.sequenceBits()) - 1);
        }
    }

    private BackfillRow reserve(LeaseStore store, int packed, TimeSource time) {
        return new BackfillRow(
                store,
                new LeaseStore.Terms(
                        worker.namespace(),
                        layout,
                        packed,
                        1,
                        Durations.parse(Defaults.LEASE),
                        Durations.parse(Defaults.WINDOW)),
                time::nanoTime);
    }

    /**
     * Creates a builder. Only the worker id has no default.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Generates an id for a point in time.
     *
     * @param moment when the row was created: not before the moments of earlier calls, and not in the future
     * @return an id with the moment's tick, larger than all ids before it
     * @throws IllegalArgumentException if the moment is before that of an earlier call, before the row's horizon at
     *     the start, in the future, or outside the layout
     * @throws StoreUnavailableException if the store does not answer; the call can be repeated
     * @throws IdGenerationException if all ids of the moment's tick are used, the backfill is closed, or another
     *     process has taken the reserved worker id
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
        if (row != null && aboveFloor && tick < row.floorTick()) {
            throw new IllegalArgumentException(moment + " is before " + scale.instantOf(row.floorTick())
                    + (row.isAfterUnclosed()
                            ? ", and an earlier backfill that was not closed may still use " + worker
                                    + " until then; end its process, run idgen repair unreserve " + row.workerId()
                                    + ", and pass the largest id that exists with this worker id to after(…), or"
                                    + " reserve another worker id for these rows"
                            : ", and a lease or an earlier backfill may have used " + worker
                                    + " until then; pass the largest id that exists with this worker id to after(…),"
                                    + " or 0 if none exists, or use a worker id that was never leased"));
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
        if (row != null) {
            row.take(tick);
        }
        last = next;
        int sequence = (int) (next & (layout.idsPerTick() - 1));
        return layout.compose(
                new SnowflakeParts(scale.instantOf(tick), worker.datacenter(), worker.worker(), sequence));
    }

    /** Returns tick and sequence of an id as {@code tick << sequenceBits | sequence}. */
    private long wordOf(long id) {
        SnowflakeParts parts = layout.parse(id);
        return (scale.tickAt(parts.time().toEpochMilli()) << layout.sequenceBits()) | parts.sequence();
    }

    /** {@inheritDoc} The worker id stays reserved in the store. */
    @Override
    public synchronized void close() {
        if (!closed && row != null) {
            row.leave();
        }
        closed = true;
        lease.close();
    }

    /** Builds a {@link SnowflakeBackfill}. Not safe for several threads. */
    public static final class Builder {
        private SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        private String namespace = Defaults.NAMESPACE;
        private InstantSource clock = Clock.systemUTC();
        private int datacenterId;
        private int workerId = -1;
        private @Nullable Long lastId;
        private @Nullable LeaseStore store;

        private Builder() {}

        /**
         * Sets the layout of the table's ids; the default is {@link SnowflakeLayout#IDGEN}.
         *
         * @param newLayout the layout
         * @return this
         */
        public Builder layout(SnowflakeLayout newLayout) {
            this.layout = Objects.requireNonNull(newLayout);
            return this;
        }

        /**
         * Sets the scope within which worker ids are unique; the default is {@code default}.
         *
         * @param name the namespace of the generators that write the same table
         * @return this
         */
        public Builder namespace(String name) {
            this.namespace = Names.check("a namespace", name, Defaults.LONGEST_NAMESPACE);
            return this;
        }

        /**
         * Sets the datacenter id; the default is 0.
         *
         * @param id 0 to the largest number of the layout's field
         * @return this
         */
        public Builder datacenterId(int id) {
            this.datacenterId = id;
            return this;
        }

        /**
         * Sets the worker id. No generator may have it, or have had it.
         *
         * @param id 0 to the largest number of the layout's field
         * @return this
         */
        public Builder workerId(int id) {
            this.workerId = id;
            return this;
        }

        /**
         * Sets the largest id that exists with this worker id, in all tables of the namespace. Ids begin above it.
         * Required to continue an interrupted backfill. With a store, also required if the store cannot know that the
         * worker id was never used; you then guarantee the number, and that no other generator has the worker id.
         *
         * @param id the largest id, or 0 if none exists
         * @return this
         */
        public Builder after(long id) {
            this.lastId = id;
            return this;
        }

        /**
         * Reserves the worker id in the store from which other processes lease theirs. No lease and no second backfill
         * then uses it at the same time. Ids begin at the row's horizon, unless {@link #after} says otherwise. If an
         * earlier backfill was not closed, it may still use the ticks that it has reserved, up to an hour after its
         * last id. Then ids begin at the row's horizon, whatever {@link #after} says.
         *
         * @param newStore not closed by the backfill
         * @return this
         */
        public Builder reservedIn(LeaseStore newStore) {
            this.store = Objects.requireNonNull(newStore);
            return this;
        }

        /** For tests. */
        Builder clock(InstantSource newClock) {
            this.clock = newClock;
            return this;
        }

        /**
         * Begins or continues a backfill. With a store, blocks for a few statements.
         *
         * @return a backfill; close it when it is complete
         * @throws IllegalArgumentException if the worker id or the datacenter id does not fit in the layout, or {@link
         *     #after} got an id of another worker
         * @throws ConfigurationException if another generator of this JVM uses the worker id
         * @throws IdGenerationException if another process has the worker id, or the store refuses
         * @throws StoreUnavailableException if the store does not answer
         */
        public SnowflakeBackfill open() {
            layout.packWorker(datacenterId, workerId);
            if (lastId != null && lastId != 0) {
                SnowflakeParts parts = layout.parse(lastId);
                if (parts.datacenter() != datacenterId || parts.worker() != workerId) {
                    throw new IllegalArgumentException("id " + lastId + " belongs to datacenter " + parts.datacenter()
                            + ", worker " + parts.worker() + ", not to datacenter " + datacenterId + ", worker "
                            + workerId + "; pass the largest id that exists with this worker id");
                }
            }
            return new SnowflakeBackfill(this);
        }
    }
}
