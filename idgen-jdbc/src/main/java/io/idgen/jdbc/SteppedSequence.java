package io.idgen.jdbc;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Step increments over N independent databases: instance i of N gives the ids that leave the remainder i when divided by N,
 * one per call, so that no two instances give the same one and none needs to know of the others. What MySQL's {@code
 * auto_increment_offset} and {@code auto_increment_increment} do for a column, for any database.
 *
 * <p>{@linkplain #over With all the databases in hand} a process takes from one after the other, passes over one that is dead
 * until it answers again, and goes on as long as one lives. Ids then rise within an instance, not across them.
 *
 * <p>Each row says which instance it is, of how many, and of which generation. One that differs from the configuration is
 * refused, and so are two databases that are the same instance. Not to be detected from here: processes whose lists have no
 * database in common, and one whose list is in another order than it was when its databases were empty.
 */
public final class SteppedSequence extends TableAllocator<SteppedSequence> {

    /** The table's name where none is given: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_stepped";

    private final List<SteppedInstance> instances;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * One instance of several, in the table {@value #DEFAULT_TABLE}. Opens no connection.
     *
     * @param dataSource gives connections that idgen alone uses, to this instance's database
     * @param instance which, 1 to {@code instances}
     * @param instances how many there are, at least 1
     */
    public SteppedSequence(DataSource dataSource, int instance, int instances) {
        this(
                List.of(SteppedInstance.of(dataSource, instance, instances, SteppedInstance.Environment.SYSTEM)),
                Options.of(DEFAULT_TABLE));
    }

    private SteppedSequence(List<SteppedInstance> instances, Options options) {
        super(options);
        this.instances = instances;
    }

    /**
     * All instances, the first of which is instance 1.
     *
     * @param dataSources one for each instance, always in the same order; give connections that idgen alone uses
     * @return an allocator that takes from them in turn
     */
    public static SteppedSequence over(List<DataSource> dataSources) {
        return over(dataSources, SteppedInstance.Environment.SYSTEM);
    }

    static SteppedSequence over(List<DataSource> dataSources, SteppedInstance.Environment environment) {
        if (dataSources.isEmpty()) {
            throw new IllegalArgumentException("stepped ids need at least one data source");
        }
        List<SteppedInstance> all = IntStream.rangeClosed(1, dataSources.size())
                .mapToObj(i -> SteppedInstance.of(dataSources.get(i - 1), i, dataSources.size(), environment))
                .toList();
        return new SteppedSequence(all, Options.of(DEFAULT_TABLE));
    }

    @Override
    SteppedSequence with(Options newOptions) {
        return new SteppedSequence(
                instances.stream().map(instance -> instance.with(newOptions)).toList(), newOptions);
    }

    /**
     * {@inheritDoc} Gives one id, however many are wanted, from the instance whose turn it is. A name is new on an instance
     * until its row is made; if its start is read from columns, all instances must answer then.
     */
    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        List<StoreUnavailableException> outages = new ArrayList<>();
        int first = Math.floorMod(turn.getAndIncrement(), instances.size());
        for (int i = 0; i < instances.size(); i++) {
            SteppedInstance instance = instances.get((first + i) % instances.size());
            if (instance.isUp(name)) {
                try {
                    return next(instance, name);
                } catch (StoreUnavailableException e) {
                    instance.failed(e);
                    outages.add(e);
                }
            }
        }
        // All are known to be down, or went down just now. One may be back before its pause is over.
        if (outages.isEmpty()) {
            SteppedInstance instance = instances.get(first);
            try {
                return next(instance, name);
            } catch (StoreUnavailableException e) {
                instance.failed(e);
                outages.add(e);
            }
        }
        StoreUnavailableException last = outages.remove(outages.size() - 1);
        StoreUnavailableException none = new StoreUnavailableException(
                "none of the " + instances.size() + " instances gives ids of '" + name + "'; the last said: "
                        + last.getMessage(),
                last);
        outages.forEach(none::addSuppressed);
        throw none;
    }

    private Segment next(SteppedInstance instance, String name) {
        Segment segment = instance.next(name, options, this::highestStart);
        instance.answered();
        return segment;
    }

    /** Where a new name begins: above the columns of every instance, for their rows may have come from any. */
    private long highestStart(String name) {
        if (options.start().adopted().isEmpty()) {
            return 1; // the row's own start counts
        }
        return instances.stream()
                .mapToLong(instance -> instance.start(name, options))
                .max()
                .orElseThrow();
    }

    /** {@inheritDoc} It is: one id per call. */
    @Override
    public boolean isFixed() {
        return true;
    }

    /** {@inheritDoc} They rise within an instance, which sees to that itself. */
    @Override
    public boolean isRising() {
        return false;
    }
}
