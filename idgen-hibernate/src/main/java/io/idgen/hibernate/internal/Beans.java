package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/** Sources that are beans of the application's container, such as Spring or CDI. */
final class Beans {
    private Beans() {}

    /**
     * Returns the bean with a name.
     *
     * @param setting the setting that names the bean
     * @throws ConfigurationException if there is no container, no such bean, or the bean is not an {@link IdSource}
     */
    static IdSource source(String name, String setting, ServiceRegistryImplementor registry) {
        BeanContainer container =
                registry.requireService(ManagedBeanRegistry.class).getBeanContainer();
        if (container == null) {
            throw refusal(setting + ": there is no bean '" + name + "', since Hibernate has no bean container; set"
                    + " hibernate.resource.beans.container, or set " + setting + " to the IdSource itself");
        }
        Object bean = bean(name, setting, container);
        if (bean instanceof IdSource source) {
            return source;
        }
        throw refusal(setting + ": the bean '" + name + "' is of type "
                + bean.getClass().getName() + "; it must be an " + IdSource.class.getName());
    }

    private static Object bean(String name, String setting, BeanContainer container) {
        try {
            // As Object: if no bean has the name, Spring returns the only bean of the type, whatever its name.
            return container
                    .getBean(name, Object.class, new AsTheContainerMakesIt(), new NoOtherBean())
                    .getBeanInstance();
        } catch (NoSuchBean e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    setting + ": there is no bean '" + name + "'; set it to the name of a bean of type "
                            + IdSource.class.getName(),
                    e);
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    setting + ": the bean '" + name + "' cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static ConfigurationException refusal(String message) {
        return new ConfigurationException(ErrorCode.UNKNOWN_SOURCE, message);
    }

    /**
     * Requests the container's own instance. With JPA-compliant creation, Spring would create another instance of the
     * type, and would fail for an interface.
     */
    private record AsTheContainerMakesIt() implements BeanContainer.LifecycleOptions {
        @Override
        public boolean canUseCachedReferences() {
            return false;
        }

        @Override
        public boolean useJpaCompliantCreation() {
            return false;
        }
    }

    /** Called by Hibernate's containers to create a bean that they do not have. */
    private record NoOtherBean() implements BeanInstanceProducer {
        @Override
        public <B> B produceBeanInstance(Class<B> type) {
            throw new NoSuchBean();
        }

        @Override
        public <B> B produceBeanInstance(String name, Class<B> type) {
            throw new NoSuchBean();
        }
    }

    private static final class NoSuchBean extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoSuchBean() {
            super("the container has no bean with this name");
        }
    }
}
