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

    /** Its largest id is not known, so it fits into 63 bits and nothing narrower. */
    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(Long.MAX_VALUE, () -> new LentSource(source));
    }
}
