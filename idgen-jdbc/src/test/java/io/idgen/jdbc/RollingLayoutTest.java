package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rolling deployment that changes the layout, in data centers with separate rows. */
@Timeout(60)
@Tag("databases")
class RollingLayoutTest {
    private static final SnowflakeLayout OLD = SnowflakeLayout.IDGEN;
    private static final SnowflakeLayout NEW = SnowflakeLayout.parse("41-3-3-16");
    private static final int MOST_IDS = 2_000_000;

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void aProcessOfTheNewLayoutIsRefusedWhileTheNamespaceHasTheOldOne(TestDatabase kind) throws SQLException {
        try (Database database = withTheRowOfOneDatacenter(kind);
                Snowflake old = snowflake(database, OLD, 1, 0);
                Snowflake fresh = snowflake(database, NEW, 0, 2)) {
            old.nextId();
            AllocationException e = assertThrows(AllocationException.class, fresh::nextId);

            assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
            assertThat(e).hasMessageContaining("belong to layout " + OLD + ", and this process has " + NEW);
        }
    }

    /**
     * The control: shows that the test above detects repeated ids. Two layouts share one namespace, because no row
     * holds the layout.
     */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void processesOfTwoLayoutsRepeatIdsThoughTheirWorkerIdsDiffer(TestDatabase kind) throws SQLException {
        try (Database database = withTheRowOfOneDatacenter(kind)) {
            Sql.execute(database.dataSource(), "DELETE FROM idgen_worker WHERE worker_id < 0");
            Sql.execute(
                    database.dataSource(),
                    "INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon, longest_window,"
                            + " server_id) SELECT namespace, 2, '" + NEW
                            + "', 0, 0, 0, 0, server_id FROM idgen_worker");
            try (Snowflake old = snowflake(database, OLD, 1, 0);
                    Snowflake fresh = snowflake(database, NEW, 0, 2)) {
                assertThat(repeatsOne(old, fresh)).isTrue();
            }
        }
    }

    private static boolean repeatsOne(Snowflake one, Snowflake other) {
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < MOST_IDS; i++) {
            if (!ids.add(one.nextId()) | !ids.add(other.nextId())) {
                return true;
            }
        }
        return false;
    }

    private static Snowflake snowflake(Database database, SnowflakeLayout layout, int datacenter, int worker) {
        return Snowflake.builder()
                .layout(layout)
                .datacenterId(datacenter)
                .workerId(worker)
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .build();
    }

    /** Creates a namespace whose first process has created only its own row: worker id 0 of data center 1. */
    private static Database withTheRowOfOneDatacenter(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "DELETE FROM idgen_worker WHERE worker_id NOT IN (-1, 32)");
        return database;
    }
}
