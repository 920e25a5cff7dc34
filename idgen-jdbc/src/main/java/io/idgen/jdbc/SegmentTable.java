package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.CounterTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Allocates segments from a table with one row per name. {@code max_id} is the next id. An allocation of {@code n} ids
 * raises {@code max_id} by {@code n} in one atomic statement, and returns the ids in between. Any number of processes
 * can use one row, including Leaf's own servers.
 *
 * <p>The row's {@code step} is the smallest number of ids per allocation. A change of the step in the table applies to
 * the next allocation of every process.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf, whose table this is</a>
 */
public final class SegmentTable extends TableAllocator<SegmentTable> {

    private static final String STEP = "step";

    private final RowTable rows;
    private final int newStep;

    // as last read; a statement raises a row only if the row's step has not changed
    private final Map<String, Long> steps = new ConcurrentHashMap<>();

    /**
     * Creates an allocator on the table {@code idgen_segment}, for names that have a row. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public SegmentTable(DataSource dataSource) {
        this(RowTable.of(dataSource, CounterTable.SEGMENT, List.of(CounterTable.SEGMENT.source(), STEP), 1), 1);
    }

    private SegmentTable(RowTable rows, int newStep) {
        super(rows.options());
        this.rows = rows;
        this.newStep = newStep;
    }

    @Override
    SegmentTable with(Options newOptions) {
        return new SegmentTable(rows.with(newOptions), newStep);
    }

    /**
     * Returns a copy that creates missing rows with another step. The default is 1.
     *
     * @param ids the smallest number of ids per allocation, at least 1
     * @return a new allocator
     */
    public SegmentTable withStep(int ids) {
        if (ids < 1) {
            throw new IllegalArgumentException("a step is at least 1, got " + ids);
        }
        return new SegmentTable(rows, ids);
    }

    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        return rows.allocate(
                name,
                most -> take(name, wanted, most),
                row -> {
                    steps.put(name, row.number(STEP));
                    return rows.left(name, row);
                },
                () -> rows.make(name, first -> Map.of(CounterTable.SEGMENT.number(), first, STEP, (long) newStep)));
    }

    private Optional<Segment> take(String name, int wanted, long most) {
        Long step = steps.get(name);
        return step == null
                ? Optional.empty()
                : rows.take(name, List.of(name, step), Math.min(Math.max(wanted, step), most));
    }

    @Override
    public void handBack(String name, List<Segment> newestFirst) {
        rows.handBack(name, newestFirst);
    }
}
