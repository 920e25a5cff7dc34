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
 * Gets connections within a time, whatever a data source's own patience: some wait half a minute for a pool, and for ever
 * for a server that accepts and then says nothing. It is asked on another thread, which may be left behind; for a
 * minute no second one follows it.
 *
 * <p>That other thread also has no transaction of the caller's, which some data sources would join.
 */
public final class Connector {
    private static final System.Logger LOG = System.getLogger(Connector.class.getName());

    /** For what may hang: daemons that end when they are idle. */
    public static final ExecutorService THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "idgen-connect");
                thread.setDaemon(true);
                thread.setContextClassLoader(Connector.class.getClassLoader());
                return thread;
            });

    private final Opener opener;

    private static final Duration LONGEST_GATE = Duration.ofMinutes(1);

    // the last attempt that nobody waits for any more, and since when
    private volatile CompletableFuture<Void> leftBehind = CompletableFuture.completedFuture(null);
    private volatile long leftBehindNanos;

    /** What opens a connection, or takes one from a pool. */
    @FunctionalInterface
    public interface Opener {
        /**
         * A connection, however long it takes.
         *
         * @return not null
         * @throws SQLException if there is none
         */
        Connection open() throws SQLException;
    }

    /**
     * Connections of one kind. Opens none.
     *
     * @param opener called on a thread of this class
     */
    public Connector(Opener opener) {
        this.opener = opener;
    }

    /**
     * A connection.
     *
     * @param timeout how long to wait for it
     * @return what the data source gave
     * @throws SQLTimeoutException if there is none in time
     * @throws SQLException if there is none, or the thread is interrupted while it waits; it then stays interrupted
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
            throw new IllegalStateException("an attempt ends normally, whatever comes of it", e);
        }
    }

    /** One request for a connection, which may come when nobody wants it any more. */
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
                    LOG.log(System.Logger.Level.DEBUG, "an attempt to connect that was given up has failed", e);
                }
            } finally {
                ended.complete(null);
            }
        }

        /** What has come of it. */
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
