package io.idgen.spring.boot;

import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.WorkerIdAssigner;
import io.idgen.core.lease.LeaseStore;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;

/**
 * Builds the sources of an application from its settings and beans.
 *
 * @param builder has what is known of them already
 */
record SourcesOfBeans(IdSources.Builder builder, IdgenSettings settings, BeanFactory beans) {
    /** Binds all sources. */
    SourceBinder bind(IdgenDatabase database) {
        beans.getBeanProvider(IdStrategy.class).orderedStream().forEach(builder::strategy);
        List<IdgenListener> listeners =
                beans.getBeanProvider(IdgenListener.class).orderedStream().toList();
        if (!listeners.isEmpty()) {
            builder.resource(IdgenListener.class, event -> listeners.forEach(each -> each.onEvent(event)));
        }
        beans.getBeanProvider(LeaseStore.class).ifAvailable(bean -> builder.resource(LeaseStore.class, bean));
        beans.getBeanProvider(WorkerIdAssigner.class)
                .ifAvailable(bean -> builder.resource(WorkerIdAssigner.class, bean));
        settings.sources().stream()
                .filter(name -> settings.origin(name).isEmpty())
                .forEach(builder::source);
        DataSource lender = database.lender();
        if (lender != null) {
            settings.remove(IdgenDatabase.DATA_SOURCE);
            builder.resource(DataSource.class, lender);
        }
        settings.applyTo(builder);
        if (database.isServer()) {
            builder.settings(Map.of("idgen.startup", "eager"), "the default for a database server");
        }
        return SourceBinder.of(builder);
    }
}
