package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Tests the sample of a column, on each database. */
@Tag("matrix")
@Tag("databases")
class ColumnSampleTest {
    private static final Instant TIME = Instant.parse("2026-11-20T08:00:00Z");

    private static void insert(Database database, LongStream ids) throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE book (id BIGINT NOT NULL PRIMARY KEY, pages BIGINT)");
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO book VALUES (?, 7)")) {
            connection.setAutoCommit(false);
            for (long id : ids.toArray()) {
                insert.setLong(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        }
    }

    private static ColumnSample sample(Database database) {
        return ColumnSample.of(database.dataSource(), "book.id");
    }

    @ParameterizedTest
    @EachDatabase
    void numbersOfASequenceAreSequentialAndNotAllAreRead(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            insert(database, LongStream.rangeClosed(1, 3_000).map(i -> 30 * i));

            ColumnSample sample = sample(database);

            assertThat(sample.isSequential()).isTrue();
            assertThat(sample.ids()).contains(30L, 90_000L).hasSizeBetween(1_001, 2_001);
            assertThat(sample.ids()).isSorted().doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void snowflakesAreNotSequential(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            insert(
                    database,
                    LongStream.range(0, 200)
                            .map(i -> SnowflakeLayout.IDGEN.compose(new SnowflakeParts(TIME.plusMillis(i), 0, 1, 7))));

            ColumnSample sample = sample(database);

            assertThat(sample.isSequential()).isFalse();
            assertThat(sample.ids()).hasSize(200);
        }
    }

    /** In one tick, a generator counts without gaps, as a sequence does. */
    @Test
    void oneBurstOfSnowflakesIsNotSequential() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            long first = SnowflakeLayout.IDGEN.firstIdAt(TIME);
            insert(database, LongStream.range(first, first + 2_000));

            assertThat(sample(database).isSequential()).isFalse();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void anEmptyTableHasNoIds(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            insert(database, LongStream.of(0, -1));

            assertThat(sample(database)).isEqualTo(new ColumnSample(List.of(), false));
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aColumnWithoutAnIndexIsRefused(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            insert(database, LongStream.of(1));

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ColumnSample.of(database.dataSource(), "book.pages"))
                    .withMessageContainingAll("no index of book begins with pages", "primary key");
            Sql.execute(database.dataSource(), "CREATE INDEX of_pages ON book (pages)");
            assertThat(ColumnSample.of(database.dataSource(), "book.pages").ids())
                    .containsExactly(7L);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aTableThatDoesNotExistIsRefused(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThatThrownBy(() -> sample(database))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("reading ids of book.id");
        }
    }
}
