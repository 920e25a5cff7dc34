package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.StatementCounter.Counts;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Counts the statements for 1,000 ids of a name in use, for each strategy on each database. One caller requests the ids
 * one by one, so the strategies on demand send a statement for each id.
 */
@Timeout(60)
@Tag("databases")
class StatementCountTest {
    private static final int IDS = 1_000;
    private static final int BLOCK = 50;

    private static final Set<TestDatabase> WITHOUT_SEQUENCES =
            EnumSet.of(TestDatabase.SQLITE, TestDatabase.MYSQL, TestDatabase.MYSQL_BY_MARIADB_DRIVER);
    private static final Set<TestDatabase> READING_THE_INCREMENT_WITH_THE_VALUE =
            EnumSet.of(TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MARIADB_BY_MYSQL_DRIVER);
    private static final Set<TestDatabase> ADDING_IN_TWO_STATEMENTS =
            EnumSet.of(TestDatabase.HSQLDB, TestDatabase.DERBY);

    private static final String ROW = "%-24s %-27s %10s %16s %16s";
    private static final List<String> TABLE = new ArrayList<>(
            List.of(ROW.formatted("database", "strategy", "statements", "commits/rollbacks", "session changes")));

    private enum Strategy {
        SEGMENT_OF_1000(dataSource -> new SegmentTable(dataSource).withStep(IDS).startingAt(1)),
        SEQUENCE_TABLE(dataSource -> new SequenceTable(dataSource).startingAt(1)),
        STEPPED_1_OF_2(dataSource -> new SteppedSequence(dataSource, 1, 2).startingAt(1)),
        NATIVE_SEQUENCE(dataSource -> new NativeSequence(dataSource).named("by_one")),
        NATIVE_SEQUENCE_OF_50(
                dataSource -> new NativeSequence(dataSource).named("by_fifty").inBlocks(BLOCK, ValueIs.FIRST));

        private final Function<DataSource, SegmentAllocator> allocator;

        Strategy(Function<DataSource, SegmentAllocator> allocator) {
            this.allocator = allocator;
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aThousandIdsCostWhatTheStrategySays(TestDatabase kind) throws SQLException {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            new IdgenSchema(database.dataSource()).create();
            boolean sequences = !WITHOUT_SEQUENCES.contains(kind);
            if (sequences) {
                Sql.execute(database.dataSource(), "CREATE SEQUENCE by_one START WITH 1 INCREMENT BY 1");
                Sql.execute(database.dataSource(), "CREATE SEQUENCE by_fifty START WITH 1 INCREMENT BY " + BLOCK);
            }
            DataSource pool = Wrapped.dataSource(() -> kept(connection));
            for (Strategy strategy : Strategy.values()) {
                if (sequences || !strategy.name().startsWith("NATIVE")) {
                    Counts counts = thousandIds(strategy, pool);
                    TABLE.add(ROW.formatted(
                            kind, strategy, counts.statements(), counts.transactionEnds(), counts.sessionChanges()));
                    assertThat(counts.statements())
                            .as("statements of %s", strategy)
                            .isEqualTo(statements(strategy, kind));
                    assertThat(counts.transactionEnds())
                            .as("commits of %s", strategy)
                            .isEqualTo(commits(strategy, kind));
                }
            }
        }
    }

    private static Connection kept(Connection connection) {
        return Wrapped.wrap(Connection.class, connection, call -> call.is("close") ? null : call.proceed());
    }

    private static Counts thousandIds(Strategy strategy, DataSource dataSource) {
        StatementCounter counter = new StatementCounter(dataSource);
        SegmentAllocator allocator = strategy.allocator.apply(counter.dataSource());
        allocator.allocate("orders", IDS); // the row exists and is known from now on
        Counts before = counter.counts();
        int ids = 0;
        while (ids < IDS) {
            ids += allocator
                    .allocate("orders", allocator.isOnDemand() ? 1 : IDS - ids)
                    .count();
        }
        assertThat(ids).isEqualTo(IDS);
        return counter.counts().minus(before);
    }

    private static long allocations(Strategy strategy) {
        return switch (strategy) {
            case SEGMENT_OF_1000 -> 1;
            case SEQUENCE_TABLE, STEPPED_1_OF_2, NATIVE_SEQUENCE -> IDS;
            case NATIVE_SEQUENCE_OF_50 -> IDS / BLOCK;
        };
    }

    private static long statements(Strategy strategy, TestDatabase kind) {
        return allocations(strategy)
                * switch (strategy) {
                    case SEGMENT_OF_1000, SEQUENCE_TABLE, STEPPED_1_OF_2 ->
                        ADDING_IN_TWO_STATEMENTS.contains(kind) ? 2 : 1;
                    case NATIVE_SEQUENCE -> 1;
                    // checks each time that the increment has not changed
                    case NATIVE_SEQUENCE_OF_50 -> READING_THE_INCREMENT_WITH_THE_VALUE.contains(kind) ? 1 : 2;
                };
    }

    private static long commits(Strategy strategy, TestDatabase kind) {
        return ADDING_IN_TWO_STATEMENTS.contains(kind) ? allocations(strategy) : 0;
    }

    @AfterAll
    static void print() throws IOException {
        TABLE.forEach(System.out::println);
        Files.write(Files.createDirectories(Path.of("target")).resolve("statements-per-1000-ids.txt"), TABLE);
    }
}
