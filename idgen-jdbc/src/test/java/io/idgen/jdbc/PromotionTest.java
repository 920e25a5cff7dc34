package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A standby of PostgreSQL with many pages to write, right after its promotion. */
@Tag("matrix")
@Tag("databases")
class PromotionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String IDENTITY =
            "SELECT " + Dialects.named("postgresql").serverIdentity();
    private static final String LAST_CHECKPOINT = "SELECT timeline_id FROM pg_control_checkpoint()";

    @AutoClose
    private final PostgreSqlPair servers = new PostgreSqlPair();

    PromotionTest() throws SQLException {}

    @Test
    void aPromotedServerIsAnotherOneBeforeItsFirstCheckpointHasEnded() throws SQLException {
        DataSource primary = new UrlDataSource(servers.url(), "", "", TIMEOUT);
        Sql.execute(primary, "CREATE TABLE pages AS SELECT n, repeat('x', 1000) AS x FROM generate_series(1, 20000) n");
        String before = Sql.rows(primary, IDENTITY).get(0);
        long timeline = Sql.number(primary, LAST_CHECKPOINT);

        DataSource promoted = new UrlDataSource(servers.promote(), "", "", TIMEOUT);

        assertThat(Sql.rows(promoted, IDENTITY).get(0)).isNotEqualTo(before);
        assertThat(Sql.number(promoted, LAST_CHECKPOINT)).as("control").isEqualTo(timeline);
    }
}
