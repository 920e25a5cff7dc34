package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits while sources that are being closed hand back their unused ids and release their worker ids. */
@FunctionalInterface
public interface CloseWait {
    /** The longest time that closing waits, however many sources are closed at once. */
    Duration LONGEST = Duration.ofSeconds(1);

    AsyncLog LOG = AsyncLog.of(CloseWait.class);

    /** Waits by the host's clock, or until the thread is interrupted. The interrupt stays set. */
    CloseWait SYSTEM = (pending, longest) -> {
        try {
            pending.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "it is not known whether all ids and worker ids were handed back", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };

    /** Returns when the future is complete, or after the longest wait. */
    void await(CompletableFuture<?> pending, Duration longest);
}
