package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.hibernate.SnowflakeId;
import java.lang.reflect.Member;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerator;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Gives ids to entities, each source's above those that are in its entities' tables: looks up the registry's {@link IdgenService}, and does nothing else. Hibernate makes two of these per
 * entity, and may throw one away unused.
 */
public final class SnowflakeIdGenerator implements IdentifierGenerator, AnnotationBasedGenerator<SnowflakeId> {
    private static final long serialVersionUID = 1L;

    private transient @Nullable IdgenService service;
    private String source = "";
    private transient volatile @Nullable IdSource ids;

    /** Made by Hibernate. */
    public SnowflakeIdGenerator() {}

    @Override
    public void initialize(SnowflakeId annotation, GeneratorCreationContext context) {
        initialize(annotation, context.getMemberDetails().toJavaMember(), context);
    }

    // The form of Hibernate before 7.3, which knows no member details.
    @Override
    @SuppressWarnings("removal")
    public void initialize(SnowflakeId annotation, Member member, GeneratorCreationContext context) {
        GeneratedAttribute attribute = GeneratedAttribute.of(member, context);
        source = annotation.source().isEmpty() ? attribute.entity() : annotation.source();
    }

    // The form of all versions; the newer one with a context calls it.
    @Override
    @SuppressWarnings("removal")
    public void configure(Type type, Properties parameters, ServiceRegistry registry) {
        service = Objects.requireNonNull(registry.getService(IdgenService.class));
        String column = parameters.getProperty(PersistentIdentifierGenerator.PK);
        if (column == null) {
            service.bind(source);
        } else {
            service.bind(source, qualified(column, parameters));
        }
    }

    private static String qualified(String column, Properties parameters) {
        return Stream.of(
                        parameters.getProperty(PersistentIdentifierGenerator.CATALOG),
                        parameters.getProperty(PersistentIdentifierGenerator.SCHEMA),
                        parameters.getProperty(PersistentIdentifierGenerator.TABLE),
                        column)
                .filter(part -> part != null && !part.isEmpty())
                .collect(Collectors.joining("."));
    }

    @Override
    public Object generate(SharedSessionContractImplementor session, Object owner) {
        IdSource open = ids;
        if (open == null) {
            open = Objects.requireNonNull(service, "configured").source(source);
            ids = open;
        }
        return open.nextId();
    }
}
