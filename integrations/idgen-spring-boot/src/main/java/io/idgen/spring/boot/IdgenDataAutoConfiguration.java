package io.idgen.spring.boot;

import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.config.GlobalConfig;
import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.AssignedIdCallback;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/**
 * Ids for Spring Data JDBC and R2DBC, see {@link io.idgen.spring.data.FromIdSource}, and for entities of MyBatis-Plus
 * with {@code IdType.ASSIGN_ID}, which is its default.
 */
@AutoConfiguration(
        after = IdgenAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration",
            "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration"
        },
        beforeName = {
            "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration",
            "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"
        })
@ConditionalOnBean(SourceBinder.class)
public class IdgenDataAutoConfiguration {

    /** Called by Spring. */
    public IdgenDataAutoConfiguration() {}

    /** Ids of aggregates. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcMappingContext.class)
    @ConditionalOnBean(JdbcMappingContext.class)
    static class Jdbc {
        @Bean
        AggregateIds idgenAggregateIds(SourceBinder binder, JdbcMappingContext mapping) {
            return new AggregateIds(binder, mapping);
        }

        @Bean
        static ClosedLater idgenClosedAfterDataJdbc() {
            return new ClosedLater(JdbcAggregateOperations.class);
        }

        @Bean
        @ConditionalOnMissingBean
        AssignedIdCallback idgenAssignedIdCallback() {
            return new AssignedIdCallback();
        }
    }

    /** Ids of reactive entities. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(R2dbcMappingContext.class)
    @ConditionalOnBean(R2dbcMappingContext.class)
    static class R2dbc {
        @Bean
        R2dbcIds idgenR2dbcIds(SourceBinder binder, R2dbcMappingContext mapping) {
            return new R2dbcIds(binder, mapping);
        }

        @Bean
        static ClosedLater idgenClosedAfterDataR2dbc() {
            return new ClosedLater(R2dbcEntityOperations.class);
        }
    }

    /** Ids of entities of MyBatis-Plus. A generator of the application replaces this one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(IdentifierGenerator.class)
    static class MybatisPlus {
        @Bean
        @ConditionalOnMissingBean(IdentifierGenerator.class)
        MybatisPlusIds idgenMybatisPlusIds(SourceBinder binder) {
            return new MybatisPlusIds(binder);
        }

        /** Lets a factory of the application use the generator, if it has only the one of MyBatis-Plus. */
        @Bean
        static BeanPostProcessor idgenMybatisPlusFactories(ObjectProvider<MybatisPlusIds> ids) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof SqlSessionFactory factory
                            && factory.getConfiguration() instanceof MybatisConfiguration configuration) {
                        GlobalConfig global = GlobalConfigUtils.getGlobalConfig(configuration);
                        if (global.getIdentifierGenerator() instanceof DefaultIdentifierGenerator) {
                            ids.ifAvailable(global::setIdentifierGenerator);
                            ids.ifAvailable(IdWorker::setIdentifierGenerator);
                        }
                    }
                    return bean;
                }
            };
        }

        @Bean
        static ClosedLater idgenClosedAfterMybatis() {
            return new ClosedLater(SqlSessionFactory.class);
        }
    }
}
