package io.idgen.spring.boot;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import java.util.List;

/**
 * Passes each event to all listeners of the application in their order. A listener that throws does not keep the next
 * one from the event.
 *
 * @param all the listeners
 */
record Listeners(List<IdgenListener> all) implements IdgenListener {
    @Override
    public void onEvent(IdgenEvent event) {
        RuntimeException failure = null;
        for (IdgenListener listener : all) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure; // idgen logs it
        }
    }
}
