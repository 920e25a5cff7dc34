package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits while sources that are being closed hand back their unused ids and release their worker ids. */
public final class CloseWait {
    /** The longest time that closing waits, however many sources are closed at once. */
    public static final Duration LONGEST = Duration.ofSeconds(1);

    private static final AsyncLog LOG = AsyncLog.of(CloseWait.class);

    private CloseWait() {}

    /** Returns when all is handed back, after {@link #LONGEST}, or at an interrupt, which stays set. */
    public static void await(CompletableFuture<?> pending) {
        try {
            pending.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "it is not known whether all ids and worker ids were handed back", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
