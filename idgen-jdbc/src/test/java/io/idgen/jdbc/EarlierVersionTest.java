package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Leases;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rows that the first version of idgen has written on MariaDB. If a later version counted them as those of another
 * server, the two would take the rows from each other during a rolling deployment.
 */
@Tag("databases")
class EarlierVersionTest {
    private static final Terms TERMS = Leases.terms(1024);

    private static final String SERVER = "@@server_id, @@hostname, @@port, @@datadir, ";

    /** Of the first version, so it must never change. */
    private static final String OF_COUNTERS =
            "CONVERT(SHA1(CONCAT_WS('|', " + SERVER + "UUID_SHORT() DIV 16777216)) USING ascii)";

    /** Of the first version, so it must never change. */
    private static final String OF_LEASES = "CONVERT(SHA1(COALESCE((SELECT VARIABLE_VALUE FROM"
            + " information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID' AND VARIABLE_VALUE RLIKE"
            + " '[1-9a-f]'), CONCAT_WS('|', " + SERVER + "IF(@@innodb_flush_log_at_trx_commit = 1 AND (NOT @@log_bin OR"
            + " @@sync_binlog = 1), NULL, (SELECT UNIX_TIMESTAMP() - VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
            + " WHERE VARIABLE_NAME = 'UPTIME'))))) USING ascii)";

    @AutoClose
    private final Database database = TestDatabase.MARIADB.create();

    @BeforeEach
    void create() {
        new IdgenSchema(database.dataSource()).create();
    }

    private void row(String name, String server) throws SQLException {
        Sql.execute(
                database.dataSource(),
                "INSERT INTO idgen_sequence (table_name, next_id, reach, server_id) VALUES ('" + name + "', 101, 50, "
                        + server + ")");
    }

    @Test
    void aCounterOfAnEarlierVersionGoesOnWithoutASkip() throws SQLException {
        row("orders", OF_COUNTERS);
        row("control", OF_COUNTERS.replace("SHA1(", "MD5("));
        SequenceTable table = new SequenceTable(database.dataSource());

        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(101, 10, 1));
        assertThat(table.allocate("control", 10))
                .as("control: another hash counts as another server")
                .isEqualTo(new Segment(201, 10, 1));
    }

    @Test
    void workerIdsOfAnEarlierVersionAreLeasedAtOnce() throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = " + OF_LEASES);
        JdbcWorkerIds store = new JdbcWorkerIds(database.dataSource());
        assertThat(store.candidates(TERMS, null).rows()).hasSize(64).allMatch(Row::sameServer);

        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = " + OF_LEASES.replace("SHA1(", "MD5("));
        assertThat(store.candidates(TERMS, null).rows())
                .as("control: another hash counts as another server")
                .hasSize(64)
                .noneMatch(Row::sameServer);
    }
}
