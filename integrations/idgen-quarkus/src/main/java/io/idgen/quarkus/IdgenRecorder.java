package io.idgen.quarkus;

import io.quarkus.hibernate.orm.runtime.integration.HibernateOrmIntegrationRuntimeInitListener;
import io.quarkus.hibernate.orm.runtime.integration.HibernateOrmIntegrationStaticInitListener;
import io.quarkus.runtime.annotations.Recorder;
import java.util.function.BiConsumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;

/**
 * Passes the settings {@code idgen.*} of Quarkus to Hibernate, where idgen checks them. Quarkus reads the mapping
 * before it knows the database, and creates the session factory later; both need the settings. Called by Quarkus.
 */
@Recorder
public class IdgenRecorder {
    private static final String PREFIX = "idgen.";

    /** Called by Quarkus. */
    public IdgenRecorder() {}

    /**
     * Passes the settings when Quarkus reads the mapping.
     *
     * @return a listener without state
     */
    public HibernateOrmIntegrationStaticInitListener mapping() {
        return new HibernateOrmIntegrationStaticInitListener() {
            @Override
            public void contributeBootProperties(BiConsumer<String, Object> settings) {
                pass(settings);
            }

            @Override
            public void onMetadataInitialized(
                    Metadata metadata, BootstrapContext context, BiConsumer<String, Object> settings) {
                // idgen adds its generators by the annotation
            }
        };
    }

    /**
     * Passes the settings when Quarkus creates the session factory.
     *
     * @return a listener without state
     */
    public HibernateOrmIntegrationRuntimeInitListener factory() {
        return IdgenRecorder::pass;
    }

    private static void pass(BiConsumer<String, Object> settings) {
        Config config = ConfigProvider.getConfig();
        for (String name : config.getPropertyNames()) {
            ConfigValue value = name.startsWith(PREFIX) ? config.getConfigValue(name) : null;
            if (value != null && value.getValue() != null && !isOfEnvironment(value)) {
                settings.accept(name, value.getValue());
            }
        }
    }

    /** Returns whether idgen reads the value itself. Quarkus cannot tell from IDGEN_X_Y where a name has hyphens. */
    private static boolean isOfEnvironment(ConfigValue value) {
        return value.getSourceName() != null && value.getSourceName().startsWith("EnvConfigSource");
    }
}
