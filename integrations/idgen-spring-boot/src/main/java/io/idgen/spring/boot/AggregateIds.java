package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Sets the ids of new aggregates of Spring Data JDBC; see {@link FromIdSource}. Safe for many threads. */
final class AggregateIds extends RelationalIds implements BeforeConvertCallback<Object> {
    private final Map<Class<?>, IdSource> sources = new ConcurrentHashMap<>();

    AggregateIds(SourceBinder binder, RelationalMappingContext mapping) {
        super(binder, mapping);
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        checkOnce(aggregate.getClass());
        return newRow(aggregate)
                .map(row -> row.with(
                        sources.computeIfAbsent(row.type(), type -> bind(row)).nextId()))
                .orElse(aggregate);
    }
}
