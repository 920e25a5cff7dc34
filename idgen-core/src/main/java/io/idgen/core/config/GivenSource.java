package io.idgen.core.config;

import io.idgen.core.IdSource;
import java.util.function.Supplier;

/**
 * A strategy that uses a source of the application, an object or a bean.
 *
 * @param name the name that {@code idgen.strategy} selects it by
 * @param source fetches the source, with the first id
 */
record GivenSource(String name, Supplier<? extends IdSource> source) implements IdStrategy {

    /** {@inheritDoc} The largest id of the source is unknown, so the plan assumes that ids need 63 bits. */
    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(Long.MAX_VALUE, () -> new LentSource(source));
    }
}
