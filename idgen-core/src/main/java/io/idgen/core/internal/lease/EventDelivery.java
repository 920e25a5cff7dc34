package io.idgen.core.internal.lease;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.Outbox;

/**
 * Writes each event of a source to the log and hands it to a listener, without delay for the thread that reports it. A
 * listener that blocks or throws delays only itself. When {@value Outbox#CAPACITY} events wait for it, further ones are
 * dropped, and the log reports that. Safe for many threads.
 */
public final class EventDelivery implements IdgenListener {
    private final AsyncLog log;
    private final IdgenListener listener;
    private final Outbox waiting = new Outbox();

    public EventDelivery(AsyncLog log, IdgenListener listener) {
        this.log = log;
        this.listener = listener;
    }

    @Override
    public void onEvent(IdgenEvent event) {
        log.add(logger -> logger.log(event.kind().level(), () -> event.source() + ": " + event.text()));
        if (listener != NONE && waiting.add(() -> deliver(event), dropped -> warn(event, dropped)) == 1) {
            log.log(
                    System.Logger.Level.WARNING,
                    "{0}: the listener does not return and {1} events wait for it; further ones are dropped until it"
                            + " returns",
                    event.source(),
                    Outbox.CAPACITY);
        }
    }

    private void warn(IdgenEvent event, long dropped) {
        log.log(
                System.Logger.Level.WARNING,
                "{0}: {1} events were dropped while the listener did not return",
                event.source(),
                dropped);
    }

    private void deliver(IdgenEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            log.log(System.Logger.Level.WARNING, "a listener failed at " + event.kind() + " of " + event.source(), e);
        }
    }
}
