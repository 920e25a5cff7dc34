package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far the slowest replica is behind: for how long it has missed a position that the primary had. This needs
 * neither a table nor equal clocks, and is also right while a replica is paused or cut off.
 */
final class Replicas implements AutoCloseable {
    private final Limit limit;
    private final Positions positions;
    private final Session primary;
    private final List<Session> sessions = new ArrayList<>();
    private final Deque<Mark> missed = new ArrayDeque<>();

    /**
     * How far replicas may be behind.
     *
     * @param longest the longest lag; zero if none is watched
     * @param replicas the replicas; if empty, those that the primary knows
     * @param nanos the time
     */
    record Limit(Duration longest, List<DataSource> replicas, LongSupplier nanos) {
        static final Limit NONE = new Limit(Duration.ZERO, List.of(), System::nanoTime);
    }

    /**
     * What a kind of database knows about positions in its log.
     *
     * @param current the query of a primary for its position
     * @param reached the query of a replica whether it has the position that is its value
     * @param allReached the query of a primary whether all replicas have it; null if it does not know them
     * @param isHidden the query of a primary whether it does not show positions
     * @param hint why it does not, and the way out
     */
    record Positions(
            String current, String reached, @Nullable String allReached, String isHidden, String hint) {}

    private record Mark(String position, long nanos) {}

    Replicas(Limit limit, Positions positions, Session primary) throws SQLException {
        this.limit = limit;
        this.positions = positions;
        this.primary = primary;
        try {
            for (DataSource each : limit.replicas) {
                sessions.add(new Session(each));
            }
            if (isHidden()) {
                throw new AllocationException(ErrorCode.STATEMENT_REFUSED, positions.hint);
            }
        } catch (SQLException | RuntimeException e) {
            close(e);
            throw e;
        }
    }

    private boolean isWatched() {
        return !limit.longest.isZero() && (!sessions.isEmpty() || positions.allReached != null);
    }

    private boolean isHidden() throws SQLException {
        return isWatched()
                && (sessions.isEmpty() || positions.allReached == null)
                && primary.isTrue(positions.isHidden);
    }

    /** Returns the lag if it is above the limit; zero if it is not. */
    Duration excess() throws SQLException {
        if (!isWatched()) {
            return Duration.ZERO;
        }
        long now = limit.nanos.getAsLong();
        missed.add(new Mark(
                primary.query(row -> row.getString(1), positions.current).get(0), now));
        while (!missed.isEmpty() && haveReached(missed.peek().position)) {
            missed.remove();
        }
        Duration lag = missed.isEmpty() ? Duration.ZERO : Duration.ofNanos(now - missed.peek().nanos);
        return lag.compareTo(limit.longest) > 0 ? lag : Duration.ZERO;
    }

    private boolean haveReached(String position) throws SQLException {
        if (sessions.isEmpty() && positions.allReached != null) {
            return primary.isTrue(positions.allReached, position);
        }
        for (Session each : sessions) {
            if (!each.isTrue(positions.reached, position)) {
                return false;
            }
        }
        return true;
    }

    private void close(Exception cause) {
        try {
            close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Session each : sessions) {
            each.close();
        }
    }
}
