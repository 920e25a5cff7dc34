package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens connections within a time limit, even if the data source does not. Some data sources wait half a minute for a
 * pool, or forever for a server that accepts the connection and then sends nothing. Another thread calls the data
 * source, and is abandoned if it does not return in time. While an abandoned attempt runs, no second attempt starts;
 * after a minute one may.
 *
 * <p>Some data sources would join the caller's transaction. The other thread has none.
 */
public final class Connector {

    /** Daemon threads for calls that may hang. They end when they are idle. */
    public static final ExecutorService THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "idgen-connect");
                thread.setDaemon(true);
                thread.setContextClassLoader(Connector.class.getClassLoader());
                return thread;
            });

    private final Opener opener;

    private static final Duration LONGEST_GATE = Duration.ofMinutes(1);

    // the last abandoned attempt, and when it was abandoned
    private volatile CompletableFuture<Void> leftBehind = CompletableFuture.completedFuture(null);
    private volatile long leftBehindNanos;

    /** Opens a connection, or borrows one from a pool. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Returns a connection. Blocks for as long as it takes.
         *
         * @return the connection, not null
         * @throws SQLException if no connection can be opened
         */
        Connection open() throws SQLException;
    }

    /**
     * Creates a connector. Opens no connection.
     *
     * @param opener called on a thread of this class
     */
    public Connector(Opener opener) {
        this.opener = opener;
    }

    /**
     * Returns a connection. Blocks for at most {@code timeout}.
     *
     * @param timeout how long to wait for the connection
     * @return the connection that the opener returned
     * @throws SQLTimeoutException if there is no connection in time
     * @throws SQLException if the opener fails, or if the thread is interrupted while it waits; its interrupt status
     *     stays set
     */
    public Connection connect(Duration timeout) throws SQLException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        if (System.nanoTime() - leftBehindNanos < LONGEST_GATE.toNanos()) {
            await(leftBehind, timeout, deadlineNanos);
        }
        Attempt attempt = new Attempt();
        THREADS.execute(attempt);
        try {
            await(attempt.ended, timeout, deadlineNanos);
        } catch (SQLException e) {
            if (attempt.connection.completeExceptionally(e)) {
                leftBehindNanos = System.nanoTime();
                leftBehind = attempt.ended;
            }
        }
        return attempt.outcome();
    }

    private static void await(Future<?> end, Duration timeout, long deadlineNanos) throws SQLException {
        try {
            end.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SQLTimeoutException("no connection within " + timeout.toMillis() + " ms", "08001", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a connection", "08001", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an attempt always ends normally", e);
        }
    }

    /** One call of the opener. If it returns after the time limit, its connection is closed. */
    private final class Attempt implements Runnable {
        final CompletableFuture<Connection> connection = new CompletableFuture<>();
        final CompletableFuture<Void> ended = new CompletableFuture<>();

        @Override
        public void run() {
            try {
                Connection made = opener.open();
                if (!connection.complete(made)) {
                    made.close();
                }
            } catch (SQLException | RuntimeException | Error e) {
                if (!connection.completeExceptionally(e)) {
                    System.getLogger(Connector.class.getName())
                            .log(System.Logger.Level.DEBUG, "an abandoned attempt to connect has failed", e);
                }
            } finally {
                ended.complete(null);
            }
        }

        /** The connection, or the exception of the opener. */
        Connection outcome() throws SQLException {
            try {
                return connection.join();
            } catch (CompletionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                if (cause instanceof Error error) {
                    throw error;
                }
                throw (SQLException) cause;
            }
        }
    }
}
