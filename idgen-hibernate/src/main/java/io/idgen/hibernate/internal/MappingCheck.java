package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.SnowflakeId;
import java.lang.reflect.AnnotatedElement;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Refuses at the end of a boot what Hibernate would pass over in silence: {@link SnowflakeId} where no generator is made from
 * it, and settings of sources that no entity has.
 */
public final class MappingCheck implements Integrator {

    /** Made by the service loader. */
    public MappingCheck() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        factory.addObserver(new SessionFactoryObserver() {
            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                check(metadata, factory);
            }
        });
    }

    // Nothing to undo; Hibernate 6.6 wants it.
    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}

    private static void check(Metadata metadata, SessionFactoryImplementor factory) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Property id = entity.getIdentifierProperty();
            if (id != null
                    && id.isComposite()
                    && isAnnotated(id, entity.getMappedClass())
                    && !(generator(factory, entity) instanceof SnowflakeIdGenerator)) {
                throw refusal(
                        entity.getJpaEntityName() + "." + id.getName(),
                        "an @EmbeddedId, which this version of Hibernate gives no value to; put it on the attribute inside");
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection.getElement() instanceof Component element) {
                for (Property property : element.getProperties()) {
                    if (isAnnotated(property, element.getComponentClass())) {
                        throw refusal(
                                element.getComponentClass().getSimpleName() + "." + property.getName(),
                                "an element of the collection " + collection.getRole()
                                        + ", and Hibernate generates no values there; make the element an entity");
                    }
                }
            }
        }
        if (factory.getProperties().keySet().stream().anyMatch(key -> key.contains(IdgenService.SOURCES))) {
            factory.getServiceRegistry().requireService(IdgenService.class).refuseUnboundNames();
        }
    }

    private static Object generator(SessionFactoryImplementor factory, PersistentClass entity) {
        return factory.getMappingMetamodel()
                .getEntityDescriptor(entity.getEntityName())
                .getGenerator();
    }

    private static boolean isAnnotated(Property property, Class<?> owner) {
        return property.getGetter(owner).getMember() instanceof AnnotatedElement member
                && member.isAnnotationPresent(SnowflakeId.class);
    }

    private static ConfigurationException refusal(String attribute, String why) {
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_MAPPING, "@SnowflakeId stands on " + attribute + ", " + why);
    }
}
