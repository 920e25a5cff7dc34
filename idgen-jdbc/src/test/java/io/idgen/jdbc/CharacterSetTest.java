package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Leases;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Names in letters that the character set of the database lacks. */
@Tag("servers")
class CharacterSetTest {
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aDatabaseInLatin1HasIdsOfEachNameAndNamespace(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            Sql.execute(database.dataSource(), "ALTER DATABASE CHARACTER SET latin1");
            new IdgenSchema(database.dataSource()).create();
            try (IdSources sources = IdSources.builder()
                    .resource(DataSource.class, database.dataSource())
                    .set("idgen.worker.namespace", "магазин 店")
                    .set("idgen.worker.owner", "служба")
                    .set("idgen.acquire-timeout", "1m")
                    .source("leased")
                    .set("idgen.sources.заказы.strategy", "segment")
                    .set("idgen.sources.заказы.start", "1")
                    .build()) {
                assertThat(sources.get("leased").nextId()).isPositive();
                assertThat(sources.get("заказы").nextId()).isOne();
            }
            Sql.execute(database.dataSource(), "UPDATE idgen_counter SET description = 'заказы'");
            assertThat(Sql.rows(
                            database.dataSource(),
                            "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
                                    + " AND TABLE_NAME LIKE 'idgen%' AND CHARACTER_SET_NAME = 'latin1'"))
                    .as("columns in the character set of the database")
                    .isEmpty();
        }
    }

    /** The columns of a script that declares no character set. */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aColumnWithoutTheLettersIsRefusedAtOnce(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(),
                    "ALTER TABLE idgen_worker MODIFY namespace VARCHAR(64) CHARACTER SET latin1 NOT NULL");
            Sql.execute(
                    database.dataSource(),
                    "ALTER TABLE idgen_counter MODIFY name VARCHAR(128) CHARACTER SET latin1 NOT NULL");
            JdbcWorkerIds workers = new JdbcWorkerIds(database.dataSource());
            Counters counters = new Counters(database.dataSource()).startingAt(1);
            for (ThrowingCallable each : List.<ThrowingCallable>of(
                    () -> workers.candidates(Leases.terms("магазин", 0, 1), null),
                    () -> counters.allocate("заказы", 1))) {
                assertThatThrownBy(each)
                        .isInstanceOfSatisfying(
                                AllocationException.class,
                                e -> assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.STATEMENT_REFUSED));
            }
        }
    }
}
