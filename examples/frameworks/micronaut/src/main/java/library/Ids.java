package library;

import io.idgen.core.config.IdSources;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

@Factory
class Ids {

    @Singleton
    @Bean(preDestroy = "close")
    IdSources sources(DataSource dataSource) {
        return IdSources.builder()
                .resource(DataSource.class, DelegatingDataSource.unwrapDataSource(dataSource))
                .source("chapters")
                .build();
    }
}
