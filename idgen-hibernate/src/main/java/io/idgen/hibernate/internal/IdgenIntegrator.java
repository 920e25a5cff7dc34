package io.idgen.hibernate.internal;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * What idgen does for a session factory as a whole: it tells in its own words why ids that are set are refused; and at the end
 * of the boot, when all generators are made and Hibernate has made the schema, it looks at the whole mapping and starts the
 * sources that shall not wait for their first id.
 */
public final class IdgenIntegrator implements Integrator {

    /** Made by the service loader. */
    public IdgenIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        if (IdgenTables.in(metadata.getDatabase()).findAny().isPresent()) {
            PresetIds.explainIn(factory);
        }
        factory.addObserver(new SessionFactoryObserver() {
            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                MappingCheck.check(metadata, factory);
                IdgenTables.in(metadata.getDatabase())
                        .forEach(tables -> tables.service().start());
            }
        });
    }

    // Nothing to undo; Hibernate 6.6 wants it.
    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}
}
