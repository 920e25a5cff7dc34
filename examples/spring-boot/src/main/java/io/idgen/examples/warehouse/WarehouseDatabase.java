package io.idgen.examples.warehouse;

import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** The second database. Its beans are no candidates for the rest of the application. */
@Configuration(proxyBeanMethods = false)
@Import(ItemsController.class)
public class WarehouseDatabase {

    /** Called by Spring. */
    public WarehouseDatabase() {}

    @Bean(defaultCandidate = false)
    DataSource warehouseDataSource(@Value("${warehouse.url}") String url) {
        return DataSourceBuilder.create().url(url).build();
    }

    @Bean(defaultCandidate = false)
    LocalContainerEntityManagerFactoryBean warehouseEntityManagerFactory(
            @Qualifier("warehouseDataSource") DataSource dataSource) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(dataSource);
        factory.setPersistenceUnitName("warehouse");
        factory.setPackagesToScan("io.idgen.examples.warehouse");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "update", "hibernate.jdbc.batch_size", 50));
        return factory;
    }

    @Bean(defaultCandidate = false)
    JpaTransactionManager warehouseTransactionManager(
            @Qualifier("warehouseEntityManagerFactory") EntityManagerFactory factory) {
        return new JpaTransactionManager(factory);
    }
}
