package io.idgen.jdbc;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Step increments over N independent databases: instance i of N generates ids with {@code id % N == i % N}. So no
 * two instances generate equal ids, and no instance needs to know of the others. This is what MySQL's
 * {@code auto_increment_offset} and {@code auto_increment_increment} do for a column, for any database.
 *
 * <p>A process uses the instances in turn. It skips an instance that is down until it answers again, and continues as
 * long as one of them is up. Ids then increase within an instance, but not across instances. A process that uses one
 * instance alone needs no more than {@link Counters#instance}.
 *
 * <p>Each row stores its instance and the number of instances. A row that differs from the configuration is rejected,
 * and so are two databases with the same instance. To add a database, stop all processes, delete the rows, and set a
 * start above every id ever issued. Two errors cannot be detected here: processes whose lists have no database in
 * common, and a list whose order has changed since its databases were empty.
 */
public final class SteppedSequence implements SegmentAllocator {

    private final List<SteppedInstance> instances;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Creates an allocator on all instances. Opens no connection.
     *
     * @param databases the counters of each instance, beginning with instance 1, always in the same order, with the
     *     same options
     * @throws IllegalArgumentException if the list is empty
     */
    public SteppedSequence(List<Counters> databases) {
        this(databases, SteppedInstance.Environment.SYSTEM);
    }

    SteppedSequence(List<Counters> databases, SteppedInstance.Environment environment) {
        if (databases.isEmpty()) {
            throw new IllegalArgumentException("databases must contain at least one, got none");
        }
        int count = databases.size();
        this.instances = IntStream.rangeClosed(1, count)
                .mapToObj(i -> new SteppedInstance(
                        databases.get(i - 1).instance(i, count), "instance " + i + " of " + count, environment))
                .toList();
    }

    /**
     * {@inheritDoc} Returns ids of the instance whose turn it is. A name is new on an instance until its row exists. If
     * its start is read from columns, all instances must answer then.
     */
    @Override
    public Segment allocate(String name, int wanted) {
        Counters.checkWanted(wanted);
        List<StoreUnavailableException> outages = new ArrayList<>();
        int first = Math.floorMod(turn.getAndIncrement(), instances.size());
        for (int i = 0; i <= instances.size(); i++) {
            SteppedInstance instance = instances.get((first + i) % instances.size());
            // If all are down, retry one before its back-off ends, because it may be up again. This is the last resort,
            // so no caller waits for it while another instance could serve.
            if (i < instances.size() ? instance.isUp(name) : outages.isEmpty()) {
                try {
                    return next(instance, name, wanted);
                } catch (StoreUnavailableException e) {
                    instance.failed(e);
                    outages.add(e);
                }
            }
        }
        boolean unreachable = outages.stream().allMatch(StoreUnreachableException.class::isInstance);
        StoreUnavailableException last = outages.remove(outages.size() - 1);
        String message = "none of the " + instances.size() + " instances can allocate ids of '" + name
                + "'; the last error: " + last.getMessage();
        StoreUnavailableException none = unreachable
                ? new StoreUnreachableException(message, last)
                : new StoreUnavailableException(message, last);
        outages.forEach(none::addSuppressed);
        throw none;
    }

    private Segment next(SteppedInstance instance, String name, int wanted) {
        Segment segment = instance.counters.allocate(name, wanted, () -> startOfNew(name, instance));
        instance.answered();
        return segment;
    }

    /** The start of a new name: above the columns of all instances, because their rows may come from any instance. */
    private long startOfNew(String name, SteppedInstance instance) {
        instances.stream().filter(each -> each != instance).forEach(each -> each.refuseOtherSet(name, instance));
        return instances.get(0).counters.startsAboveColumns()
                ? instances.stream().mapToLong(each -> each.start(name)).max().orElseThrow()
                : 1; // each row uses the configured start
    }

    /** {@inheritDoc} True: almost no gaps. A crash loses at most the ids of the statement that is under way. */
    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public long limit() {
        return instances.get(0).counters.limit();
    }

    /** {@inheritDoc} False: ids increase only within an instance, which checks that itself. */
    @Override
    public boolean isRising() {
        return false;
    }
}
