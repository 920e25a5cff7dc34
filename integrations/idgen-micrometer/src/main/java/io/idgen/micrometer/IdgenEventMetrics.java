package io.idgen.micrometer;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the events of sources, by kind. It is a listener that needs no registry, so you can create it before both.
 *
 * <pre>{@code
 * IdgenEventMetrics events = new IdgenEventMetrics();
 * IdSources sources = IdSources.builder().resource(IdgenListener.class, events).source("orders").build();
 * events.bindTo(registry);
 * }</pre>
 *
 * <p>The counters of all kinds exist from the binding on, and include earlier events. {@code docs/metrics.md} explains
 * when to alert. Safe for many threads.
 */
public final class IdgenEventMetrics implements IdgenListener, MeterBinder {
    /** The tag with the kind of the events, in lower case, for example {@code lease_lost}: {@value}. */
    public static final String EVENT = "idgen.event";

    private final AtomicLongArray counts = new AtomicLongArray(IdgenEvent.Kind.values().length);

    /** Creates a listener that has counted nothing. */
    public IdgenEventMetrics() {}

    @Override
    public void onEvent(IdgenEvent event) {
        counts.incrementAndGet(event.kind().ordinal());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (IdgenEvent.Kind kind : IdgenEvent.Kind.values()) {
            FunctionCounter.builder("idgen.events", counts, all -> all.get(kind.ordinal()))
                    .baseUnit("events")
                    .description("changes in the state of sources")
                    .tag(EVENT, kind.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }
}
