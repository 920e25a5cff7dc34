package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Connects idgen to a session factory. It explains why ids that are set are refused. At the end of the boot, when all
 * generators and the schema exist, it checks the whole mapping and starts the sources with {@code idgen.startup=eager}.
 */
public final class IdgenIntegrator implements Integrator {
    private static final System.Logger LOG = System.getLogger(IdgenIntegrator.class.getName());

    private static final AtomicBoolean CHECKED = new AtomicBoolean();

    /** Called by the service loader. */
    public IdgenIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        IdgenTables.service(metadata)
                .filter(service -> service.continueIn(factory.getServiceRegistry()))
                .map(IdgenService::current)
                .ifPresent(service -> factory.addObserver(new SessionFactoryObserver() {
                    @Override
                    public void sessionFactoryClosed(SessionFactory closed) {
                        service.stop();
                    }
                }));
        factory.addObserver(new SessionFactoryObserver() {
            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                MappingCheck.check(metadata, factory);
                IncrementCheck.check(factory);
                IdgenTables.service(metadata).ifPresent(service -> {
                    if (!CHECKED.getAndSet(true)) {
                        ClassPathCheck.warnings(ClassPathCheck::isPresent)
                                .forEach(text -> LOG.log(System.Logger.Level.WARNING, text));
                    }
                    PresetIds.explainIn(factory); // now that all integrators have set their listeners
                    Upserts.addTo(factory, metadata, service.generated());
                    start(service, factory);
                });
            }
        });
    }

    /** Starts the sources. A build, which reads the mapping with the settings of the application, starts none. */
    private static void start(IdgenService service, SessionFactoryImplementor factory) {
        try {
            service.check();
        } catch (ConfigurationException e) {
            if (EntityDatabase.isSeen(factory.getServiceRegistry())) {
                throw e;
            }
            LOG.log(System.Logger.Level.DEBUG, "no source is started, since Hibernate has reached no database", e);
            return; // the first id reports the problem
        }
        service.start();
    }

    // Nothing to undo; Hibernate 6.6 requires the method.
    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}
}
