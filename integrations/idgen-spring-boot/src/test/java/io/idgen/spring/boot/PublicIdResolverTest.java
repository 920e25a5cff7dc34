package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.springframework.beans.SimpleTypeConverter;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** On Spring MVC. */
class PublicIdResolverTest extends PublicIdContract {
    PublicIdResolverTest() {
        super(WebApplicationType.SERVLET);
    }

    private static MockHttpServletResponse mock(ConfigurableApplicationContext application, String path)
            throws Exception {
        return MockMvcBuilders.webAppContextSetup((WebApplicationContext) application)
                .build()
                .perform(MockMvcRequestBuilders.get(URI.create(path)))
                .andReturn()
                .getResponse();
    }

    @Test
    void mocksOfMvcDecodeToo() throws Exception {
        assertThat(mock(desk, "/orders/" + order(ID)).getContentAsString()).isEqualTo("order " + ID);
        assertThat(mock(desk, "/orders/" + ID).getStatus()).isEqualTo(400);
    }

    @Test
    void behindAConverterANumberWouldPassThatTheConverterRefuses() {
        DefaultConversionService conversions = new DefaultConversionService();
        Converter<String, Long> refusing = text -> {
            throw new IllegalArgumentException("not a public id");
        };
        conversions.addConverter(String.class, Long.class, refusing);
        SimpleTypeConverter spring = new SimpleTypeConverter();
        spring.setConversionService(conversions);

        assertThat(spring.convertIfNecessary(Long.toString(ID), Long.class)).isEqualTo(ID);
    }

    @Test
    void linksToControllersHavePublicIds() throws Exception {
        assertThat(request("/orders/" + order(7) + "/links").body())
                .isEqualTo("/orders/" + order(7) + " after=" + order(7));
    }

    @Test
    void anErrorOfTheApplicationSaysWhatToChange() throws Exception {
        assertThatThrownBy(() -> mock(desk, "/orders/" + order(7) + "/narrow"))
                .hasStackTraceContaining("of type int; change the type to long or Long");
        try (ConfigurableApplicationContext withoutKeys = start("desk.keys=false")) {
            assertThatThrownBy(() -> mock(withoutKeys, "/orders/" + ID))
                    .hasStackTraceContaining(
                            "there is no bean, or more than one, of the type io.idgen.text.PublicIds; declare one");
        }
    }
}
