package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Segments of a table with one row per name: {@code max_id} is the next id, and an allocation of {@code n} raises it by
 * {@code n} in one atomic statement and owns what it passed. Any number of processes may use one row, Leaf's own
 * servers among them.
 *
 * <p>The row's {@code step} is the fewest ids that are taken at once. Who changes it in the table changes the next
 * allocation of every process.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf, whose table this is</a>
 */
public final class SegmentTable extends TableAllocator<SegmentTable> {

    /** The table's name where none is given: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_segment";

    private final RowTable rows;
    private final int newStep;

    // as last read; a statement raises the row only while its step is still this one
    private final Map<String, Long> steps = new ConcurrentHashMap<>();

    /**
     * Segments of the table {@value #DEFAULT_TABLE}, for names that have a row. Opens no connection.
     *
     * @param dataSource gives connections that idgen alone uses
     */
    public SegmentTable(DataSource dataSource) {
        this(
                RowTable.of(
                        new Transactions(dataSource, DEFAULT_TIMEOUT),
                        DEFAULT_TABLE,
                        "max_id",
                        List.of("biz_tag", "step"),
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
     * The same with another step in the rows it makes; 1 if not said.
     *
     * @param ids the fewest that any process takes at once, at least 1
     * @return an allocator
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
            Optional<RowTable.Row> row = rows.read(name, List.of("max_id", "step"), "");
            if (row.isEmpty()) {
                rows.make(name, first -> Map.of("max_id", first, "step", (long) newStep));
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
