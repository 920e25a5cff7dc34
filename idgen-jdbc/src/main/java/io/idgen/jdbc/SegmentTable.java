package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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

    /** The default name of the table: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_segment";

    private final RowTable rows;
    private final int newStep;

    // as last read; a statement raises a row only if the row's step has not changed
    private final Map<String, Long> steps = new ConcurrentHashMap<>();

    /**
     * Creates an allocator on the table {@value #DEFAULT_TABLE}, for names that have a row. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public SegmentTable(DataSource dataSource) {
        this(
                RowTable.of(
                        new Transactions(dataSource, DEFAULT_TIMEOUT),
                        DEFAULT_TABLE,
                        CounterTable.SEGMENT.number(),
                        List.of(CounterTable.SEGMENT.source(), "step"),
                        null,
                        1),
                Options.of(DEFAULT_TABLE),
                1);
    }

    private SegmentTable(RowTable rows, Options options, int newStep) {
        super(options);
        this.rows = rows;
        this.newStep = newStep;
    }

    @Override
    SegmentTable with(Options newOptions) {
        return new SegmentTable(rows.with(newOptions), newOptions, newStep);
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
        return new SegmentTable(rows, options, ids);
    }

    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        long limit = options.limit();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Long step = steps.get(name);
            if (step != null) {
                long count = Math.min(Math.max(wanted, step), limit - 1);
                Optional<Segment> segment = take(name, step, count);
                if (segment.isPresent()) {
                    return segment.get();
                }
            }
            Optional<RowTable.Row> row = rows.read(name, List.of(CounterTable.SEGMENT.number(), "step"), "");
            if (row.isEmpty()) {
                rows.make(name, first -> Map.of(CounterTable.SEGMENT.number(), first, "step", (long) newStep));
                continue;
            }
            long next = row.get().next();
            long newest = row.get().number(1);
            steps.put(name, newest);
            if (next >= limit) {
                throw limitReached(name, limit, options.table() + ".max_id is " + next);
            }
            long left = Math.min(limit - next, row.get().left());
            if (left < Math.max(wanted, newest)) {
                Optional<Segment> last = take(name, newest, left);
                if (last.isPresent()) {
                    return last.get();
                }
            }
        }
        throw changedTooOften(name, options.table());
    }

    private Optional<Segment> take(String name, long step, long count) {
        OptionalLong end = rows.add(name, List.of(name, step), count, options.limit() - count);
        return end.isPresent() ? Optional.of(new Segment(end.getAsLong() - count, (int) count, 1)) : Optional.empty();
    }

    @Override
    public void handBack(String name, List<Segment> newestFirst) {
        rows.handBack(
                name,
                newestFirst.stream()
                        .map(segment -> new long[] {segment.last() + 1, segment.first()})
                        .toList());
    }
}
