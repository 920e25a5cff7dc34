package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import java.util.function.Supplier;

/**
 * A source that the application made itself, as an object or a bean, where settings would name a strategy. It is asked for
 * at the first id, and stays the application's to close.
 *
 * @param name what stands in the settings for it
 * @param source gives it
 */
record GivenSource(String name, Supplier<IdSource> source) implements IdStrategy {

    /** Its largest id is not known, so it fits into 63 bits and nothing narrower. */
    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(Long.MAX_VALUE, () -> new Borrowed(source.get()));
    }
}
