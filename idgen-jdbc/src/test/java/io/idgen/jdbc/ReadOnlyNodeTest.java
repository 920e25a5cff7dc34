package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool with a connection to a read-only node, as after a failover. */
@Timeout(60)
@Tag("databases")
class ReadOnlyNodeTest {
    private Database database;
    private HikariDataSource pool;
    private SegmentTable table;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.POSTGRESQL.create();
        new IdgenSchema(database.dataSource()).create();
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setMaximumPoolSize(1);
        table = new SegmentTable(pool).startingAt(1);
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    /** Sets whether new sessions can write. Open sessions do not change. */
    private void newSessionsMayWrite(boolean yes) throws SQLException {
        String name =
                Sql.rows(database.dataSource(), "SELECT current_database()").get(0);
        Sql.execute(
                database.dataSource(),
                "BEGIN READ WRITE; ALTER DATABASE " + name + " SET default_transaction_read_only = " + !yes
                        + "; COMMIT");
    }

    @Test
    void isAnOutageAndItsConnectionLeavesThePool() throws SQLException {
        newSessionsMayWrite(false);
        assertThat(Sql.rows(pool, "SHOW transaction_read_only")).containsExactly("on"); // now in the pool
        newSessionsMayWrite(true);

        AllocationException e = assertThrows(AllocationException.class, () -> table.allocate("orders", 10));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e).hasMessageContaining("read-only transaction (SQL state 25006)");
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
    }

    @Test
    void aSourceGoesOnAsSoonAsTheNodeMayWrite() throws Exception {
        newSessionsMayWrite(false);
        try (IdSource orders = SegmentIdSource.builder(table, "orders")
                .acquireTimeout(Duration.ofMillis(500))
                .build()) {
            assertThat(Await.failure("read-only transaction", orders::nextId))
                    .isInstanceOf(IdUnavailableException.class);
            newSessionsMayWrite(true);

            Await.until("an id", () -> isServed(orders));
        }
    }

    private static boolean isServed(IdSource source) {
        try {
            return source.nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }
}
