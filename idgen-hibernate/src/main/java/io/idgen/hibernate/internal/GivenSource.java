package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import java.util.function.Supplier;

/**
 * A strategy that uses a source of the application, an object or a bean. It fetches the source at the first id, and
 * does not close it.
 *
 * @param name the value of the setting
 * @param source supplies the source
 */
record GivenSource(String name, Supplier<IdSource> source) implements IdStrategy {

    /** Its largest id is not known, so it fits into 63 bits and nothing narrower. */
    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(Long.MAX_VALUE, () -> new Borrowed(source.get()));
    }
}
