package io.idgen.cli.compare.contender;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import me.ahoo.cosid.CosIdException;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/** Ids from CosId's SegmentChainId, with a thread that fetches segments in advance. */
final class CosIdKeys implements Keys {
    private final SegmentChainId source;
    private final PrefetchWorkerExecutorService prefetching;

    private CosIdKeys(SegmentChainId source, PrefetchWorkerExecutorService prefetching) {
        this.source = source;
        this.prefetching = prefetching;
    }

    /** Inserts the row if it is missing, as CosId does at its start. */
    static Keys open(String table, DataSource dataSource) {
        Row row = new Row(table, dataSource);
        row.insertIfMissing();
        PrefetchWorkerExecutorService prefetching = new PrefetchWorkerExecutorService(
                PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, 1, false); // a source uses one of its threads
        return new CosIdKeys(
                new SegmentChainId(
                        IdSegment.TIME_TO_LIVE_FOREVER, SegmentChainId.DEFAULT_SAFE_DISTANCE, row, prefetching),
                prefetching);
    }

    @Override
    public void next(long[] into, int at) {
        try {
            into[at] = source.generate();
        } catch (CosIdException e) {
            throw new IdGenerationException(
                    ErrorCode.DATABASE_FAILED, "no id, because CosId failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        prefetching.shutdown();
    }

    /**
     * A row of CosId's table. Sends the statements of CosId's own module for JDBC, which is not on Maven Central: an
     * UPDATE and a SELECT in one transaction.
     */
    private record Row(String table, DataSource dataSource) implements IdSegmentDistributor {
        private static final String NAMESPACE = "compare";
        private static final String INTEGRITY_VIOLATED = "23"; // the class of SQL states

        void insertIfMissing() {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO " + table + " (name, last_max_id, last_fetch_time) VALUES (?, 0, 0)")) {
                insert.setString(1, getNamespacedName());
                insert.executeUpdate();
            } catch (SQLException e) {
                if (e.getSQLState() == null || !e.getSQLState().startsWith(INTEGRITY_VIOLATED)) {
                    throw new IdGenerationException(
                            ErrorCode.DATABASE_FAILED, "cannot insert the row of CosId: " + e.getMessage(), e);
                }
            }
        }

        @Override
        public String getNamespace() {
            return NAMESPACE;
        }

        @Override
        public String getName() {
            return table;
        }

        @Override
        public long getStep() {
            return CosIdContender.STEP;
        }

        @Override
        public long nextMaxId(long step) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    update(connection, step);
                    long max = select(connection);
                    connection.commit();
                    return max;
                } catch (SQLException e) {
                    connection.rollback();
                    throw e;
                }
            } catch (SQLException e) {
                throw new CosIdException(e);
            }
        }

        private void update(Connection connection, long step) throws SQLException {
            try (PreparedStatement update = connection.prepareStatement(
                    "UPDATE " + table + " SET last_max_id = last_max_id + ?, last_fetch_time = ? WHERE name = ?")) {
                update.setLong(1, step);
                update.setLong(2, System.currentTimeMillis() / 1000);
                update.setString(3, getNamespacedName());
                if (update.executeUpdate() != 1) {
                    throw new SQLException("the row " + getNamespacedName() + " of " + table + " is missing");
                }
            }
        }

        private long select(Connection connection) throws SQLException {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT last_max_id FROM " + table + " WHERE name = ?")) {
                select.setString(1, getNamespacedName());
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) {
                        throw new SQLException("the row " + getNamespacedName() + " of " + table + " is missing");
                    }
                    return row.getLong(1);
                }
            }
        }
    }
}
