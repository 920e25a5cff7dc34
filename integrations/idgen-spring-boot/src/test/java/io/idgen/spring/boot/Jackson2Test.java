package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.idgen.jackson2.IdgenModule;
import io.idgen.spring.boot.units.PurchaseOrder;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/** Tests ids in JSON with Spring Boot 3.5; with Spring Boot 4, examples/spring-boot does. */
class Jackson2Test {

    /** An application with Jackson; each version ignores the class that it does not have. */
    @ImportAutoConfiguration(IdgenJackson2AutoConfiguration.class)
    static class Json {}

    private static void assumeSpringBoot3() {
        assumeTrue(String.valueOf(SpringBootVersion.getVersion()).startsWith("3."));
    }

    @Test
    void theModuleOfIdgenIsRegisteredIfItsJarIsThere() throws ClassNotFoundException {
        assumeSpringBoot3();
        PurchaseOrder order = new PurchaseOrder();
        order.id = 382324861541810176L;

        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        Json.class,
                        Class.forName("org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration"))
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .run()) {
            Object mapper = context.getBean(Class.forName("com.fasterxml.jackson.databind.ObjectMapper"));

            assertThat(context.getBeansOfType(IdgenModule.class)).hasSize(1);
            assertThat(ReflectionTestUtils.<String>invokeMethod(mapper, "writeValueAsString", order))
                    .isEqualTo("{\"id\":\"382324861541810176\"}");
        }
    }

    @Test
    void aModuleOfTheApplicationReplacesThatOfTheStarter() {
        assumeSpringBoot3();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(IdgenJackson2AutoConfiguration.class))
                .withBean("own", IdgenModule.class)
                .run(context -> assertThat(context.getBeanNamesForType(IdgenModule.class))
                        .containsExactly("own"));
    }
}
