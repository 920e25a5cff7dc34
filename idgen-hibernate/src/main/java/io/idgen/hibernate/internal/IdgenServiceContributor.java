package io.idgen.hibernate.internal;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/** Adds an {@link IdgenService} to every service registry. The first generator that needs it creates it. */
public final class IdgenServiceContributor implements ServiceContributor, StandardServiceInitiator<IdgenService> {

    /** Called by the service loader. */
    public IdgenServiceContributor() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(this);
    }

    @Override
    public IdgenService initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        return new IdgenService(settings, registry);
    }

    @Override
    public Class<IdgenService> getServiceInitiated() {
        return IdgenService.class;
    }
}
