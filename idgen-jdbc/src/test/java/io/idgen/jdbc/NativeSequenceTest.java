package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link NativeSequence} with one id per sequence value, and with one block of ids per value. */
@ParameterizedClass
@MethodSource("databasesWithSequences")
@Tag("matrix")
class NativeSequenceTest extends JdbcAllocatorContract {
    @Parameter(1)
    int increment;

    static Stream<Arguments> databasesWithSequences() {
        return EnumSet.complementOf(
                        EnumSet.of(TestDatabase.SQLITE, TestDatabase.MYSQL, TestDatabase.MYSQL_BY_MARIADB_DRIVER))
                .stream()
                .filter(EachDatabase.Kinds::isOfThisRun)
                .flatMap(kind -> Stream.of(Arguments.of(kind, 1), Arguments.of(kind, 50)));
    }

    @Override
    void prepare(DataSource dataSource) throws SQLException {
        create("orders", "INCREMENT BY " + increment);
        create("items", "INCREMENT BY " + increment);
    }

    @Override
    void unprepare(DataSource dataSource) throws SQLException {
        for (String name : List.of("orders", "items")) {
            Sql.execute(dataSource, "DROP SEQUENCE " + name);
        }
    }

    /**
     * Creates a sequence without a cache, so that values are consecutive. MariaDB drops cached values when it closes a
     * table.
     */
    private void create(String name, String options) throws SQLException {
        create(name, 1, options);
    }

    private void create(String name, int start, String options) throws SQLException {
        boolean mariaDb = kind == TestDatabase.MARIADB || kind == TestDatabase.MARIADB_BY_MYSQL_DRIVER;
        String type = mariaDb ? " NOCACHE" : " AS BIGINT";
        Sql.execute(dataSource(), "CREATE SEQUENCE " + name + type + " START WITH " + start + " " + options);
    }

    private NativeSequence sequence(String name) {
        return of(dataSource(), name);
    }

    private NativeSequence of(DataSource dataSource, String name) {
        NativeSequence sequence = new NativeSequence(dataSource, name);
        return increment == 1 ? sequence : sequence.inBlocks(increment, ValueIs.FIRST);
    }

    /** Allocates from the sequence with the name of the source. */
    @Override
    SegmentAllocator allocator(DataSource dataSource, long limit) {
        Map<String, NativeSequence> sequences = new ConcurrentHashMap<>();
        return new SegmentAllocator() {
            @Override
            public Segment allocate(String name, int wanted) {
                return sequences
                        .computeIfAbsent(name, any -> of(dataSource, name).below(limit))
                        .allocate(name, wanted);
            }

            @Override
            public boolean isOnDemand() {
                return increment == 1;
            }

            @Override
            public boolean isRising() {
                return false;
            }

            @Override
            public long limit() {
                return limit;
            }
        };
    }

    @Override
    ErrorCode withoutGrants() {
        return ErrorCode.SEQUENCE_MISSING;
    }

    @Override
    boolean allocatesByReading() {
        return isExempt(Exemption.READ_ONLY_SEQUENCE);
    }

    @Override
    boolean allocatesForEverybody() {
        return isExempt(Exemption.GRANTS_OF_SEQUENCES);
    }

    @Override
    Segment run(long first, int wanted) {
        if (increment > 1) {
            return new Segment(first, increment, 1);
        }
        return new Segment(first, Math.min(wanted, 500), 1);
    }

    @Test
    void aSequenceThatIsMissingIsNamed() {
        AllocationException e = assertThrows(
                AllocationException.class, () -> sequence("returns").allocate("returns", 10));

        assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_MISSING);
        assertThat(e)
                .hasMessageContaining("cannot read the next value of the sequence returns")
                .hasMessageContaining(
                        "; run CREATE SEQUENCE returns START WITH 1 INCREMENT BY " + increment + ", with a");
    }

    @Test
    void aSequenceMayBeCalledOtherwiseThanItsSource() throws SQLException {
        create("order_seq", "INCREMENT BY " + increment);

        assertThat(sequence("order_seq").allocate("no identifier!", 1)).isEqualTo(firstRun(1));
    }

    @Test
    void aSequenceOfAnotherIncrementIsRefused() throws SQLException {
        create("other", "INCREMENT BY 7");

        assertMismatch("other", "has the increment 7 but is used in blocks of " + increment);
    }

    /** Only for blocks. With single values, a larger increment only leaves gaps. */
    @Test
    void aSequenceWhoseIncrementIsChangedWhileItIsUsedIsRefusedFromThenOn() throws SQLException {
        create("changing", "INCREMENT BY 50");
        NativeSequence blocks = new NativeSequence(dataSource(), "changing").inBlocks(50, ValueIs.FIRST);
        blocks.allocate("changing", 1);
        blocks.allocate("changing", 1);

        Sql.execute(dataSource(), "DROP SEQUENCE changing");
        create("changing", 101, "INCREMENT BY 7"); // not every database can alter an increment

        AllocationException e = assertThrows(AllocationException.class, () -> blocks.allocate("changing", 1));
        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("has the increment 7 but is used in blocks of 50");
    }

    /** Otherwise the copies of a process, for example after a checkpoint, would all return these values. */
    @Test
    void valuesThatWereFetchedInAdvanceCanBeForgotten() throws SQLException {
        create("gaps", "INCREMENT BY 1");
        NativeSequence single = new NativeSequence(dataSource(), "gaps");
        single.allocate("gaps", 1);
        Sql.execute(dataSource(), "DROP SEQUENCE gaps");
        create("gaps", 100, "INCREMENT BY 3");

        assertThat(single.allocate("gaps", 4)).isEqualTo(new Segment(100, 1, 1));
        single.forget("gaps");

        assertThat(single.allocate("gaps", 1)).isEqualTo(new Segment(112, 1, 1));
    }

    /**
     * The gaps are like those from other users of the sequence. A segment has no gaps, so each value becomes one
     * segment.
     */
    @Test
    void severalValuesOfOneStatementAreAllAllocatedAlsoIfThereAreGapsBetweenThem() throws SQLException {
        create("gaps", "INCREMENT BY 1");
        StatementCounter counter = new StatementCounter(dataSource());
        NativeSequence single = new NativeSequence(counter.dataSource(), "gaps");
        single.allocate("gaps", 1);
        Sql.execute(dataSource(), "DROP SEQUENCE gaps");
        create("gaps", 100, "INCREMENT BY 3");

        StatementCounter.Counts before = counter.counts();
        for (long value : new long[] {100, 103, 106, 109}) {
            assertThat(single.allocate("gaps", 4)).isEqualTo(new Segment(value, 1, 1));
        }
        assertThat(counter.counts().minus(before).statements()).isEqualTo(1);
    }

    @Test
    void aSequenceThatCyclesIsRefused() throws SQLException {
        create("turning", "INCREMENT BY " + increment + " MAXVALUE 1000 CYCLE");

        assertMismatch("turning", "cycles and so repeats its values");
    }

    private void assertMismatch(String name, String why) {
        AllocationException e =
                assertThrows(AllocationException.class, () -> sequence(name).allocate(name, 1));

        assertThat(e.code()).isEqualTo(ErrorCode.STEP_MISMATCH);
        assertThat(e).hasMessageContaining("the sequence " + name).hasMessageContaining(why);
    }

    @Test
    void aSequenceThatHasGivenItsLastValueIsAtItsLimit() throws SQLException {
        create("short", "INCREMENT BY " + increment + " MAXVALUE " + (increment + 1));
        NativeSequence sequence = sequence("short");
        Segment first = sequence.allocate("short", 1);
        assertThat(sequence.allocate("short", 1)).isEqualTo(after(first, 1));

        AllocationException e = assertThrows(AllocationException.class, () -> sequence.allocate("short", 1));

        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e).hasMessageContaining("the sequence short has reached its last value");
    }

    @Test
    void aBlockMayEndWithTheValue() throws SQLException {
        create("pooled", "INCREMENT BY 50");
        NativeSequence pooled = new NativeSequence(dataSource(), "pooled").inBlocks(50, ValueIs.LAST);

        // these are the ids that Hibernate's pooled optimizer derives from the values 1 and 51
        assertThat(pooled.allocate("pooled", 1)).isEqualTo(new Segment(1, 1, 1));
        assertThat(pooled.allocate("pooled", 1)).isEqualTo(new Segment(2, 50, 1));
    }

    @Test
    void aSequenceThatStandsBelowTheFirstIdIsRefused() throws SQLException {
        create("zero", 0, "INCREMENT BY " + increment + " MINVALUE 0");

        AllocationException e =
                assertThrows(AllocationException.class, () -> sequence("zero").allocate("zero", 1));

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining("the sequence zero returned 0");
    }
}
