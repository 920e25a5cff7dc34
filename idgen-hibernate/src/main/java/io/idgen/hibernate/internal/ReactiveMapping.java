package io.idgen.hibernate.internal;

import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.generator.Generator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.KeyValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.reactive.provider.impl.ReactiveModeCheck;
import org.hibernate.service.ServiceRegistry;

/**
 * Gives Hibernate Reactive generators that do not block. Hibernate creates the generator that an annotation names, so
 * this class wraps it, after all annotations are read and before the generators are created. Does nothing without
 * Hibernate Reactive.
 */
public final class ReactiveMapping implements AdditionalMappingContributor {

    /** Called by the service loader. */
    public ReactiveMapping() {}

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator streams,
            MetadataBuildingContext context) {
        if (isReactive(context.getBootstrapContext().getServiceRegistry())) {
            metadata.addSecondPass(entities -> entities.values().forEach(ReactiveMapping::wrap));
        }
    }

    static boolean isReactive(ServiceRegistry registry) {
        try {
            return ReactiveModeCheck.isReactiveRegistry(registry);
        } catch (NoClassDefFoundError withoutHibernateReactive) {
            return false;
        }
    }

    private static void wrap(PersistentClass entity) {
        KeyValue id = entity.getIdentifier();
        if (id instanceof Component parts) {
            parts.getProperties().stream().map(Property::getValue).forEach(ReactiveMapping::wrap);
        }
        wrap(id);
    }

    private static void wrap(Object value) {
        if (value instanceof SimpleValue simple && simple.getCustomIdGeneratorCreator() != null) {
            simple.setCustomIdGeneratorCreator(new Wrapper(simple.getCustomIdGeneratorCreator()));
        }
    }

    /** Creates the same generators, those of idgen wrapped. */
    private record Wrapper(GeneratorCreator creator) implements GeneratorCreator {
        @Override
        public Generator createGenerator(GeneratorCreationContext context) {
            Generator generator = creator.createGenerator(context);
            return generator instanceof SnowflakeIdGenerator ours ? new ReactiveIdGenerator(ours) : generator;
        }

        // Hibernate 6.6 has no such method.
        @Override
        public boolean isAssigned() {
            return creator.isAssigned();
        }
    }
}
