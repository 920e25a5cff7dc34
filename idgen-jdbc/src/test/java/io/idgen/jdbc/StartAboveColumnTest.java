package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;

/** Tests {@code idgen.snowflake.start-above} with a column. */
class StartAboveColumnTest {

    private static IdSources.Builder above(String column, Database database) {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.snowflake.start-above", column)
                .source("orders");
    }

    private static IdGenerationException refusal(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return assertThrows(
                    IdGenerationException.class, () -> sources.get("orders").nextId());
        }
    }

    private static long first(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return sources.get("orders").nextId();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void theFirstIdIsAboveTheIdsOfTheColumnOrRefused(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            Sql.execute(database.dataSource(), "CREATE TABLE book (id BIGINT NOT NULL PRIMARY KEY)");
            assertThat(first(above("book.id", database))).as("an empty table").isPositive();

            long ofTsid = SnowflakeLayout.TSID.firstIdAt(Instant.now().minus(2, ChronoUnit.HOURS));
            Sql.execute(database.dataSource(), "INSERT INTO book VALUES (" + ofTsid + ")");
            IdGenerationException refusal = refusal(above("book.id", database));

            assertThat(refusal.code()).isEqualTo(ErrorCode.NEXT_ID_NOT_ABOVE);
            assertThat(refusal)
                    .hasMessageContainingAll("largest value of book.id, " + ofTsid, "idgen.snowflake.layout=tsid");
        }
    }

    /** The proposal is accepted when the id of the earlier generator is older than the clocks may differ. */
    @ParameterizedTest
    @EachDatabase
    void theProposalIsAccepted(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            long ofTsid = SnowflakeLayout.TSID.firstIdAt(Instant.now().minus(2, ChronoUnit.HOURS));
            Sql.execute(database.dataSource(), "CREATE TABLE book (id BIGINT NOT NULL PRIMARY KEY)");
            Sql.execute(database.dataSource(), "INSERT INTO book VALUES (" + ofTsid + ")");

            assertThat(first(above("book.id", database).set("idgen.snowflake.layout", "tsid")))
                    .isGreaterThan(ofTsid);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aColumnThatDoesNotExistIsRefused(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThat(refusal(above("book.id", database)))
                    .hasMessageContaining("cannot read the largest value of book.id");
        }
    }
}
