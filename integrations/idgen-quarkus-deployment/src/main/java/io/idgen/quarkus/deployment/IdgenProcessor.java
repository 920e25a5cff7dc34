package io.idgen.quarkus.deployment;

import io.idgen.core.config.IdSources;
import io.idgen.quarkus.IdSourcesProducer;
import io.idgen.quarkus.IdgenRecorder;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.ConfigDescriptionBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.hibernate.orm.deployment.PersistenceUnitDescriptorBuildItem;
import io.quarkus.hibernate.orm.deployment.integration.HibernateOrmIntegrationRuntimeConfiguredBuildItem;
import io.quarkus.hibernate.orm.deployment.integration.HibernateOrmIntegrationStaticConfiguredBuildItem;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.metrics.MetricsFactory;
import java.util.List;
import java.util.Optional;

/** The build steps of the extension. */
class IdgenProcessor {
    private static final String NAME = "idgen";
    private static final String DEFAULT_UNIT = "<default>";
    private static final String METERS = "io.idgen.micrometer.IdgenMetrics";

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem(NAME);
    }

    @BuildStep
    void beans(
            Capabilities capabilities,
            Optional<MetricsCapabilityBuildItem> metrics,
            List<PersistenceUnitDescriptorBuildItem> units,
            BuildProducer<AdditionalBeanBuildItem> beans) {
        if (units.stream().noneMatch(unit -> unit.getPersistenceUnitName().equals(DEFAULT_UNIT))) {
            return;
        }
        beans.produce(AdditionalBeanBuildItem.unremovableOf(IdSourcesProducer.class));
        if (capabilities.isPresent(Capability.SMALLRYE_HEALTH)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf("io.idgen.quarkus.IdgenHealth"));
        }
        if (metrics.filter(found -> found.metricsSupported(MetricsFactory.MICROMETER))
                        .isPresent()
                && QuarkusClassLoader.isClassPresentAtRuntime(METERS)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf("io.idgen.quarkus.IdgenMeters"));
        }
    }

    /** Describes the settings for the tools of Quarkus, such as the editor of the Dev UI. */
    @BuildStep
    void describe(BuildProducer<ConfigDescriptionBuildItem> descriptions) {
        IdSources.settings()
                .forEach(setting -> descriptions.produce(new ConfigDescriptionBuildItem(
                        setting.toString(),
                        setting.defaultText().orElse(null),
                        setting.meaning(),
                        String.class.getName(),
                        List.of(),
                        ConfigPhase.RUN_TIME)));
    }

    @BuildStep
    @Record(ExecutionTime.STATIC_INIT)
    void mapping(
            IdgenRecorder recorder,
            List<PersistenceUnitDescriptorBuildItem> units,
            BuildProducer<HibernateOrmIntegrationStaticConfiguredBuildItem> settings) {
        units.forEach(unit -> settings.produce(
                new HibernateOrmIntegrationStaticConfiguredBuildItem(NAME, unit.getPersistenceUnitName())
                        .setInitListener(recorder.mapping())));
    }

    @BuildStep
    @Record(ExecutionTime.RUNTIME_INIT)
    void factory(
            IdgenRecorder recorder,
            List<PersistenceUnitDescriptorBuildItem> units,
            BuildProducer<HibernateOrmIntegrationRuntimeConfiguredBuildItem> settings) {
        units.forEach(unit -> settings.produce(
                new HibernateOrmIntegrationRuntimeConfiguredBuildItem(NAME, unit.getPersistenceUnitName())
                        .setInitListener(recorder.factory())));
    }
}
