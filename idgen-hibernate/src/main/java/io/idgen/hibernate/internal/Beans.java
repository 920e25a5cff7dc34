package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/**
 * How idgen asks the application's container, such as Spring or CDI, for a bean: it wants the container's own instance.
 * With JPA-compliant creation, Spring would create another instance of the type, and would fail for an interface.
 * Hibernate's containers call the last two methods for a bean that they do not have.
 */
record Beans() implements BeanContainer.LifecycleOptions, BeanInstanceProducer {

    /**
     * Returns the bean with a name.
     *
     * @param setting the setting that names the bean
     * @throws ConfigurationException if there is no container, no such bean, or the bean is not an {@link IdSource}
     */
    static IdSource source(String name, String setting, ServiceRegistryImplementor registry) {
        Beans asItIs = new Beans();
        try {
            BeanContainer container =
                    registry.requireService(ManagedBeanRegistry.class).getBeanContainer();
            if (container == null) {
                throw new IllegalStateException("Hibernate has no bean container; set"
                        + " hibernate.resource.beans.container, or set " + setting + " to the IdSource itself");
            }
            // As Object: if no bean has the name, Spring returns the only bean of the type, whatever its name.
            return (IdSource)
                    container.getBean(name, Object.class, asItIs, asItIs).getBeanInstance();
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    setting + " must be the name of a bean of type " + IdSource.class.getName() + ", and '" + name
                            + "' cannot be used: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public boolean canUseCachedReferences() {
        return false;
    }

    @Override
    public boolean useJpaCompliantCreation() {
        return false;
    }

    @Override
    public <B> B produceBeanInstance(Class<B> type) {
        throw new IllegalStateException("there is no bean with this name");
    }

    @Override
    public <B> B produceBeanInstance(String name, Class<B> type) {
        return produceBeanInstance(type);
    }
}
