package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idgen.jackson2.IdgenModule;
import io.idgen.text.IdAsString;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** Ids in JSON in an application with both versions of Jackson. */
class IdgenJsonAutoConfigurationTest {
    private static final long ID = 382324861541810186L;
    private static final String AS_STRING = "{\"annotated\":\"382324861541810186\",\"plain\":";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, IdgenJsonAutoConfiguration.class));

    private record Shown(@IdAsString long annotated, long plain) {}

    private record Hidden(@PublicId long id) {}

    private static String byJackson3(ApplicationContext context) {
        return context.getBean(JsonMapper.class).writeValueAsString(new Shown(ID, ID));
    }

    private static String byJackson2(ApplicationContext context) throws Exception {
        return new ObjectMapper()
                .registerModule(context.getBean(IdgenModule.class))
                .writeValueAsString(new Shown(ID, ID));
    }

    @Test
    void idsAreStringsWithBothVersions() {
        application.run(context -> {
            assertThat(byJackson3(context)).isEqualTo(AS_STRING + "382324861541810186}");
            assertThat(byJackson2(context)).isEqualTo(AS_STRING + "382324861541810186}");
        });
    }

    @Test
    void largeNumbersAreStringsOnRequest() {
        application.withPropertyValues("idgen.json.large-numbers=string").run(context -> {
            assertThat(byJackson3(context)).isEqualTo(AS_STRING + "\"382324861541810186\"}");
            assertThat(byJackson2(context)).isEqualTo(AS_STRING + "\"382324861541810186\"}");
        });
        application
                .withPropertyValues("idgen.json.large-numbers=text")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessage("idgen.json.large-numbers: number or string is expected, got 'text'"));
    }

    @Test
    void itCanBeTurnedOff() {
        application.withPropertyValues("idgen.json.enabled=false").run(context -> {
            assertThat(byJackson3(context)).startsWith("{\"annotated\":382324861541810186,");
            assertThat(context).doesNotHaveBean(IdgenModule.class);
        });
    }

    @Test
    void publicIdsHaveTheKeysOfTheApplication() {
        PublicIds keys = new PublicIds(
                1, Map.of(1, IdPermutation.over63Bits("sixteen bytes or".getBytes(StandardCharsets.US_ASCII))));

        application
                .withBean(PublicIds.class, () -> keys)
                .run(context -> assertThat(context.getBean(JsonMapper.class).writeValueAsString(new Hidden(ID)))
                        .isEqualTo("{\"id\":\"" + keys.encode(ID) + "\"}"));
    }

    @Test
    void aModuleOfTheApplicationIsUsedInstead() {
        application
                .withBean(
                        io.idgen.jackson.IdgenModule.class,
                        () -> new io.idgen.jackson.IdgenModule().withLargeLongsAsStrings())
                .run(context -> assertThat(byJackson3(context)).endsWith("\"plain\":\"382324861541810186\"}"));
    }
}
