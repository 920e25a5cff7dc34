package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.hibernate.SnowflakeId;
import java.lang.reflect.Member;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/** Generates the values of one attribute, from its source and in its type. The first value opens the source. */
final class Values {
    private final IdgenService service;
    private final String source;
    private final IdType type;
    private volatile @Nullable IdSource ids;

    private Values(IdgenService service, String source, IdType type) {
        this.service = service;
        this.source = source;
        this.type = type;
    }

    /** Binds an annotated attribute to its source, and checks both. Opens nothing. */
    static Values of(
            SnowflakeId annotation, Member member, Property property, GeneratorCreationContext context, boolean isId) {
        Attribute attribute = Attribute.of(member, property, context, isId);
        String source = annotation.source().isEmpty() ? attribute.source() : annotation.source();
        IdgenService service = context.getServiceRegistry().requireService(IdgenService.class);
        service.generated().add(property);
        return new Values(service, source, service.bind(source, attribute, annotation.codec()));
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
}
