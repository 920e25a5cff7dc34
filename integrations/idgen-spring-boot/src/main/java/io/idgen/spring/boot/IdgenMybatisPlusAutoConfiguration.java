package io.idgen.spring.boot;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.idgen.core.config.SourceBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Ids for entities of MyBatis-Plus with {@code IdType.ASSIGN_ID}, which is its default. An {@link IdentifierGenerator}
 * bean of the application replaces this one.
 */
@AutoConfiguration(
        after = IdgenAutoConfiguration.class,
        beforeName = {
            "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration",
            "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"
        })
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnBean(SourceBinder.class)
public class IdgenMybatisPlusAutoConfiguration {

    /** Called by Spring. */
    public IdgenMybatisPlusAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(IdentifierGenerator.class)
    MybatisPlusIds idgenMybatisPlusIds(SourceBinder binder) {
        return new MybatisPlusIds(binder);
    }
}
