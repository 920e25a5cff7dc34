package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the search for missing tables on PostgreSQL, which aborts a transaction at the first one. */
@Tag("matrix")
@Tag("databases")
class MissingTablesTest {

    /** Hibernate's own connections have no auto-commit, so the search needs a rollback after each missing table. */
    @Test
    void allMissingTablesAreReportedAlthoughTheFirstOneAbortsTheTransaction() throws SQLException {
        try (Database postgreSql = TestDatabase.POSTGRESQL.create()) {
            Sql.execute(postgreSql.dataSource(), "CREATE TABLE Plain (id bigint PRIMARY KEY)");
            Sql.execute(postgreSql.dataSource(), "CREATE TABLE Named (id bigint PRIMARY KEY, name varchar(255))");
            Unit.Builder validating = Unit.of(Plain.class, Named.class)
                    .url(postgreSql.url())
                    .set("hibernate.hbm2ddl.auto", "validate")
                    .set("idgen.sources.named.strategy", "segment");

            assertThatThrownBy(validating::boot)
                    .hasStackTraceContaining("IDGEN-403: idgen_counter and idgen_worker is missing");
        }
    }
}
