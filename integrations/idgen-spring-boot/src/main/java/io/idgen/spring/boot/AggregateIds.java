package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Sets the ids of new aggregates of Spring Data JDBC; see {@link FromIdSource}. Safe for many threads. */
final class AggregateIds extends RelationalIds<IdSource> implements BeforeConvertCallback<Object> {
    AggregateIds(SourceBinder binder, RelationalMappingContext mapping) {
        super(binder, mapping, source -> source);
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        return idsOf(aggregate.getClass())
                .filter(ids -> ids.isMissingIn(aggregate))
                .map(ids -> ids.set(aggregate, ids.ids().nextId()))
                .orElse(aggregate);
    }
}
