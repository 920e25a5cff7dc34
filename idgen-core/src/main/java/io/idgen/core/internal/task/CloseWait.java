package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits while sources that are being closed hand back their unused ids and release their worker ids. */
@FunctionalInterface
public interface CloseWait {
    /** How long closing waits, however many sources are closed at once. */
    Duration LONGEST = Duration.ofSeconds(1);

    AsyncLog LOG = AsyncLog.of(CloseWait.class);

    /** Waits by the host's clock, and no longer if the thread is interrupted; the interrupt stays set. */
    CloseWait SYSTEM = (pending, longest) -> {
        try {
            pending.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "it is not known whether all ids and worker ids were handed back", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };

    /** Returns when the future is complete, or the time is over. */
    void await(CompletableFuture<?> pending, Duration longest);
}
