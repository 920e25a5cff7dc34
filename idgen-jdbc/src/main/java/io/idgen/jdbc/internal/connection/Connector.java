package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
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

    private static final Duration LONGEST_GATE = Duration.ofMinutes(1);

    private final Callable<Connection> opener;

    // the last abandoned attempt, and when it was abandoned
    private volatile CompletableFuture<Void> leftBehind = CompletableFuture.completedFuture(null);
    private volatile long leftBehindNanos;

    /**
     * Creates a connector. Opens no connection.
     *
     * @param opener opens a connection, or borrows one from a pool; called on a thread of this class
     */
    public Connector(Callable<Connection> opener) {
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
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        CompletableFuture<Void> attempt = CompletableFuture.runAsync(() -> open(opened), THREADS);
        try {
            await(attempt, timeout, deadlineNanos);
        } catch (SQLException e) {
            if (opened.completeExceptionally(e)) {
                leftBehindNanos = System.nanoTime();
                leftBehind = attempt;
            }
        }
        try {
            return opened.join();
        } catch (CompletionException e) {
            throw Connector.<SQLException>unchecked(Objects.requireNonNull(e.getCause()));
        }
    }

    /** Throws an exception that is an SQLException, or needs no declaration. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
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

    /** Calls the opener. If it returns after the time limit, its connection is closed. */
    private void open(CompletableFuture<Connection> opened) {
        try {
            Connection made = opener.call();
            if (!opened.complete(made)) {
                made.close();
            }
        } catch (Throwable e) {
            if (!opened.completeExceptionally(e)) {
                System.getLogger(Connector.class.getName())
                        .log(System.Logger.Level.DEBUG, "an abandoned attempt to connect has failed", e);
            }
        }
    }
}
