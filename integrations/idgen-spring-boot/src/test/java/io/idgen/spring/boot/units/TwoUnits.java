package io.idgen.spring.boot.units;

import io.idgen.spring.boot.IdgenActuatorAutoConfiguration;
import io.idgen.spring.boot.IdgenAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** Two units, neither of whose data sources is primary. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({IdgenAutoConfiguration.class, IdgenActuatorAutoConfiguration.class})
public class TwoUnits {
    /** Called by Spring. */
    public TwoUnits() {}

    @Bean
    DataSource salesDataSource(Environment environment) {
        return dataSource("sales", environment);
    }

    @Bean
    DataSource warehouseDataSource(Environment environment) {
        return dataSource("warehouse", environment);
    }

    private static DataSource dataSource(String name, Environment environment) {
        return new DriverManagerDataSource(environment.getRequiredProperty(name + ".url"));
    }

    @Bean
    LocalContainerEntityManagerFactoryBean salesEntityManagerFactory(
            DataSource salesDataSource, Environment environment) {
        return factory(salesDataSource, PurchaseOrder.class, environment);
    }

    /** Its unit has a name of its own, which counts instead of that of the bean. */
    @Bean
    LocalContainerEntityManagerFactoryBean itemsEntityManagerFactory(
            DataSource warehouseDataSource, Environment environment) {
        LocalContainerEntityManagerFactoryBean factory = factory(warehouseDataSource, Item.class, environment);
        factory.setPersistenceUnitName("warehouse");
        return factory;
    }

    private static LocalContainerEntityManagerFactoryBean factory(
            DataSource dataSource, Class<?> entity, Environment environment) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(dataSource);
        factory.setManagedTypes(PersistenceManagedTypes.of(entity.getName()));
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", environment.getProperty("ddl-auto", "update")));
        return factory;
    }

    @Bean
    MeterRegistry meterRegistry() {
        return new SimpleMeterRegistry();
    }
}
