package io.idgen.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idgen.text.PublicIds;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Ids in JSON that JavaScript does not round, for each version of Jackson that the application has. {@code
 * idgen.json.enabled=false} turns it off. With {@code idgen.json.large-numbers=string}, all numbers of the type {@code
 * long} above 2<sup>53</sup> - 1 are strings, also without an annotation. Uses the bean of the type {@link PublicIds}.
 */
@AutoConfiguration
public class IdgenJsonAutoConfiguration {
    private static final String ENABLED = "idgen.json.enabled";
    private static final String LARGE_NUMBERS = "idgen.json.large-numbers";

    /** Settings that idgen itself does not know. */
    static final Set<String> SETTINGS = Set.of(ENABLED, LARGE_NUMBERS);

    /** Called by Spring. */
    public IdgenJsonAutoConfiguration() {}

    /** Jackson 3, which finds the module by itself too. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({io.idgen.jackson.IdgenModule.class, JsonMapper.class})
    static class Jackson3 {
        @Bean
        @ConditionalOnMissingBean(io.idgen.jackson.IdgenModule.class)
        static JacksonModule idgenJackson3Module(Environment environment, ObjectProvider<PublicIds> publicIds) {
            if (!environment.getProperty(ENABLED, Boolean.class, true)) {
                return new SimpleModule(io.idgen.jackson.IdgenModule.class.getName()); // replaces the one that is found
            }
            io.idgen.jackson.IdgenModule module = new io.idgen.jackson.IdgenModule();
            if (writesLargeAsStrings(environment, "Jackson 3")) {
                module = module.withLargeLongsAsStrings();
            }
            PublicIds keys = publicIds.getIfUnique();
            return keys == null ? module : module.withPublicIds(keys);
        }
    }

    /** Jackson 2. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({io.idgen.jackson2.IdgenModule.class, ObjectMapper.class})
    @ConditionalOnProperty(name = ENABLED, matchIfMissing = true)
    static class Jackson2 {
        @Bean
        @ConditionalOnMissingBean
        static io.idgen.jackson2.IdgenModule idgenJackson2Module(
                Environment environment, ObjectProvider<PublicIds> publicIds) {
            io.idgen.jackson2.IdgenModule module = new io.idgen.jackson2.IdgenModule();
            if (writesLargeAsStrings(environment, "Jackson 2")) {
                module = module.withLargeLongsAsStrings();
            }
            PublicIds keys = publicIds.getIfUnique();
            return keys == null ? module : module.withPublicIds(keys);
        }
    }

    private static boolean writesLargeAsStrings(Environment environment, String jackson) {
        String large = environment.getProperty(LARGE_NUMBERS, "number");
        if (!large.equals("number") && !large.equals("string")) {
            throw new IllegalArgumentException(LARGE_NUMBERS + ": number or string is expected, got '" + large + "'");
        }
        boolean isLarge = large.equals("string");
        System.getLogger(IdgenJsonAutoConfiguration.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        isLarge
                                ? "JSON by {0}: ids are strings, and so are all longs above 2^53 - 1"
                                : "JSON by {0}: ids with @SnowflakeId or @IdAsString are strings; JavaScript rounds other longs"
                                        + " above 2^53 - 1, such as ids in DTOs without an annotation ({1}=string prevents it)",
                        jackson,
                        LARGE_NUMBERS);
        return isLarge;
    }
}
