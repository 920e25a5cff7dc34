package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Opens the tables and rows that an earlier commit wrote on H2. */
class EarlierTablesTest {

    /** The largest snowflake that the earlier commit issued. */
    private static final long LAST_ORDER = 385113964090753144L;

    private final DataSource database = database();

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:earlier_tables;DB_CLOSE_DELAY=-1");
        return database;
    }

    @BeforeEach
    void open() throws SQLException {
        Sql.execute(database, "DROP ALL OBJECTS");
        Sql.execute(database, "RUNSCRIPT FROM 'classpath:/db/tables-of-c7f0e74d.sql'");
    }

    private IdSources sources() {
        return IdSources.builder()
                .resource(DataSource.class, database)
                .set("idgen.snowflake.layout", "41-0-4-18")
                .set("idgen.sources.items.strategy", "segment")
                .set("idgen.sources.invoices.strategy", "sequence-table")
                .source("orders")
                .build();
    }

    @Test
    void countersGoOnWhereTheEarlierCommitEnded() {
        try (IdSources sources = sources()) {
            assertThat(sources.get("items").nextId()).isEqualTo(1001);
            assertThat(sources.get("invoices").nextId()).isEqualTo(1001);
        }
    }

    @Test
    void aWorkerIdIsLeasedAndItsIdsAreAboveThoseOfTheEarlierCommit() throws SQLException {
        try (IdSources sources = sources()) {
            assertThat(sources.get("orders").nextId()).isGreaterThan(LAST_ORDER);
        }

        assertThat(Sql.number(database, "SELECT SUM(fence) FROM idgen_worker"))
                .as("two leases of the earlier commit, and one of this process")
                .isEqualTo(3);
    }

    @Test
    void theLayoutOfTheEarlierCommitIsRead() throws SQLException {
        Sql.execute(database, "UPDATE idgen_worker SET layout = '41-0-5-17 from 2024-01-01T00:00:00Z'");

        try (IdSources sources = sources()) {
            assertThatThrownBy(() -> sources.get("orders").nextId())
                    .as("control: another layout is refused")
                    .isInstanceOf(IdGenerationException.class)
                    .extracting("code")
                    .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        }
    }
}
