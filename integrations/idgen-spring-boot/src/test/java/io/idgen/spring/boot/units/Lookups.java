package io.idgen.spring.boot.units;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;

/** Beans that look up sources when they need them. */
public final class Lookups {
    private Lookups() {}

    /**
     * Can look up any source.
     *
     * @param sources all sources
     */
    public record OfAny(IdSources sources) {}

    /**
     * Looks up one source.
     *
     * @param parcels finds it
     */
    public record OfParcels(@Qualifier("Parcels") ObjectProvider<IdSource> parcels) {}
}
