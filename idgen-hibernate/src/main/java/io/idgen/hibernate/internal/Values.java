package io.idgen.hibernate.internal;

import io.idgen.core.AsyncIds;
import io.idgen.core.IdSource;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.text.IdCodec;
import java.lang.reflect.Member;
import java.util.concurrent.CompletableFuture;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Property;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** Generates the values of one attribute, from its source and in its type. The first value opens the source. */
final class Values {
    private final IdgenService service;
    private final String source;
    private final IdType type;
    private volatile @Nullable IdSource ids;
    private volatile @Nullable AsyncIds requests;

    private Values(IdgenService service, String source, IdType type) {
        this.service = service;
        this.source = source;
        this.type = type;
    }

    /** Binds an attribute to its source, and checks both. Opens nothing. */
    static Values of(Attribute attribute, String source, IdCodec codec, ServiceRegistry registry) {
        IdgenService service = registry.requireService(IdgenService.class);
        return new Values(service, source, service.bind(source, attribute, codec));
    }

    /** Binds an annotated attribute to its source. The property then counts as generated. */
    static Values of(
            SnowflakeId annotation, Member member, Property property, GeneratorCreationContext context, boolean isId) {
        Attribute attribute = Attribute.of(member, property, context, isId);
        String source = annotation.source().isEmpty() ? attribute.source() : annotation.source();
        Values values = of(attribute, source, annotation.codec(), context.getServiceRegistry());
        values.service.generated().put(property, values);
        return values;
    }

    /** Adds the tables that its source needs to Hibernate's schema. */
    void contributeTables(Database database) {
        database.addAuxiliaryDatabaseObject(new IdgenTables(service));
    }

    /** Returns the next value; it was never returned before. */
    Object next() {
        IdSource open = ids;
        if (open == null) {
            open = service.current().sources().get(source);
            ids = open;
        }
        return type.value().apply(open.nextId());
    }

    /** Returns the next value without blocking, now or later on another thread; it was never returned before. */
    CompletableFuture<Object> nextLater() {
        AsyncIds open = requests;
        if (open == null) {
            // Two threads may both create one; both serve. The first request opens the source on another thread.
            open = new AsyncIds(service.current().sources().lend(source));
            requests = open;
        }
        return open.nextId().thenApply(id -> type.value().apply(id));
    }
}
