package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.cli.common.BadInputException;
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
import java.time.InstantSource;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Reads ids of a column on each database. */
@Tag("matrix")
@Tag("databases")
class ColumnIdsTest {
    private static final Instant TIME = Instant.parse("2026-11-20T08:00:00Z");

    private static void insert(Database database, LongStream ids) throws SQLException {
        Sql.execute(database.dataSource(), "DELETE FROM book");
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

    private static ColumnIds ids(Database database, String column) {
        return ColumnIds.of(database.dataSource(), column, new LayoutOptions(), InstantSource.fixed(TIME));
    }

    @ParameterizedTest
    @EachDatabase
    void sequencesAreToldFromSnowflakesByAFewRows(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            assertThatThrownBy(() -> ids(database, "book.id"))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("reading ids of book.id");
            Sql.execute(database.dataSource(), "CREATE TABLE book (id BIGINT NOT NULL PRIMARY KEY, pages BIGINT)");
            insert(database, LongStream.of(0, -1));
            assertThatThrownBy(() -> ids(database, "book.id"))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageContaining("contains no ids");

            insert(database, LongStream.rangeClosed(1, 3_000).map(i -> 30 * i));
            ColumnIds sequence = ids(database, "book.id");
            assertThat(sequence.layouts()).isEmpty();
            assertThat(sequence.largest()).isEqualTo("90000");
            assertThat(sequence.ids()).isBetween(1_001, 2_001);

            insert(
                    database,
                    LongStream.range(0, 200)
                            .map(i -> SnowflakeLayout.IDGEN.compose(new SnowflakeParts(TIME.plusMillis(i), 0, 1, 7))));
            ColumnIds snowflakes = ids(database, "book.id");
            assertThat(snowflakes.layouts()).extracting(ColumnIds.Match::layout).contains("idgen");
            assertThat(snowflakes.ids()).isEqualTo(200);

            assertThatThrownBy(() -> ids(database, "book.pages"))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageContainingAll("no index of book begins with pages", "primary key");
            Sql.execute(database.dataSource(), "CREATE INDEX of_pages ON book (pages)");
            assertThat(ids(database, "book.pages").largest()).isEqualTo("7");
        }
    }
}
