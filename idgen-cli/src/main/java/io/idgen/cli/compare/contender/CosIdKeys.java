package io.idgen.cli.compare.contender;

import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import me.ahoo.cosid.CosIdException;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/**
 * Ids from CosId's SegmentChainId, with a thread that fetches segments in advance. Sends the statements of CosId's own
 * module for JDBC, which is not on Maven Central: an UPDATE and a SELECT in one transaction.
 */
final class CosIdKeys implements Keys {
    /** The definition of its table, with its row. */
    static final String TABLE = " AS SELECT 'compare' AS name, CAST(0 AS DECIMAL(19)) AS last_max_id,"
            + " CAST(0 AS DECIMAL(19)) AS last_fetch_time";

    private final PrefetchWorkerExecutorService prefetching = new PrefetchWorkerExecutorService(
            PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, 1, false); // a source uses one of its threads
    private final SegmentChainId source;

    CosIdKeys(Opening opening) {
        source = new SegmentChainId(
                IdSegment.TIME_TO_LIVE_FOREVER,
                SegmentChainId.DEFAULT_SAFE_DISTANCE,
                new CosIdRow(opening.phase().prefix() + "cosid", opening.pool().dataSource()),
                prefetching);
    }

    @Override
    public void next(long[] into, int at) {
        try {
            into[at] = source.generate();
        } catch (CosIdException e) {
            throw Contenders.failed("CosId", e);
        }
    }

    @Override
    public void close() {
        prefetching.shutdown();
    }

    /** The row of a table. */
    private record CosIdRow(String table, DataSource dataSource) implements IdSegmentDistributor {
        @Override
        public String getNamespace() {
            return "compare";
        }

        @Override
        public String getName() {
            return table;
        }

        @Override
        public long getStep() {
            return DEFAULT_STEP;
        }

        @Override
        public long nextMaxId(long step) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                new SqlText("UPDATE " + table)
                        .set("last_max_id = last_max_id + ?", step)
                        .set("last_fetch_time = ?", System.currentTimeMillis() / 1000)
                        .update(connection);
                long max = new SqlText("SELECT last_max_id FROM " + table)
                        .first(connection, row -> row.getLong(1))
                        .orElseThrow();
                connection.commit();
                return max;
            } catch (SQLException e) {
                throw new CosIdException(e);
            }
        }
    }
}
