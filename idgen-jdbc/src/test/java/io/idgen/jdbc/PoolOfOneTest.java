package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** An application with a pool of one connection, held by a thread that requests an id. */
@Timeout(60)
@Tag("databases")
class PoolOfOneTest {
    private static final int THREADS = 64;
    private static final int ROWS_PER_THREAD = 5;

    @ParameterizedTest
    @EachDatabase
    void sixtyFourThreadsInsertTheirRows(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                HikariDataSource pool = poolOfOne(database);
                IdSource orders = source(database.dataSource(), Duration.ofMinutes(1))) {
            Sql.execute(database.dataSource(), "CREATE TABLE orders (id BIGINT PRIMARY KEY)");

            Together.run(THREADS, thread -> {
                for (int i = 0; i < ROWS_PER_THREAD; i++) {
                    insert(pool, orders);
                }
                return thread;
            });

            assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM orders"))
                    .isEqualTo(THREADS * ROWS_PER_THREAD);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void aSourceOverThatPoolItselfGetsNothingAndSaysSo(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                HikariDataSource pool = poolOfOne(database);
                IdSource orders = source(pool, Duration.ofMillis(100));
                Connection held = pool.getConnection()) {
            held.setAutoCommit(false);
            IdUnavailableException e = assertThrows(IdUnavailableException.class, orders::nextId);

            assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(e).hasMessageContaining("no id for 'orders' within 100 ms");
        }
    }

    private static void insert(DataSource pool, IdSource orders) throws Exception {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            statement.setLong(1, orders.nextId());
            statement.executeUpdate();
            connection.commit();
        }
    }

    private static IdSource source(DataSource dataSource, Duration acquireTimeout) {
        new IdgenSchema(dataSource).create();
        return SegmentIdSource.builder(new SegmentTable(dataSource).startingAt(1), "orders")
                .step(10)
                .acquireTimeout(acquireTimeout)
                .build();
    }

    private static HikariDataSource poolOfOne(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.plainUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(0); // no timeout, because the test has one
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }
}
