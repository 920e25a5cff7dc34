package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

/** Tests that idgen connects to the database of the application's {@code @ServiceConnection}. */
@Tag("matrix")
class ConnectionDetailsTest {
    private static final String SEGMENT = "idgen.sources.parcels.strategy=segment";
    private static final String START = "idgen.sources.parcels.start=100";

    @AutoClose
    private final Database container = TestDatabase.H2.create();

    @AutoClose
    private final Database other = TestDatabase.H2.create();

    /**
     * Starts the shop with a bean of the container's connection details, like one that {@code @ServiceConnection}
     * creates.
     */
    private ConfigurableApplicationContext start(String... settings) {
        SpringApplicationBuilder shop = new SpringApplicationBuilder(Shop.class)
                .initializers(context -> register((GenericApplicationContext) context, detailsType()));
        return Application.start(shop, other, settings);
    }

    private <T> void register(GenericApplicationContext context, Class<T> type) {
        context.registerBean("containerDetails", type, () -> details(type));
    }

    private static Class<?> detailsType() {
        String where = SpringBootVersion.getVersion().startsWith("3.") ? "autoconfigure.jdbc" : "jdbc.autoconfigure";
        return ClassUtils.resolveClassName("org.springframework.boot." + where + ".JdbcConnectionDetails", null);
    }

    private <T> T details(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getJdbcUrl" -> container.plainUrl();
                    case "getUsername" -> container.user();
                    case "getPassword" -> container.password();
                    default ->
                        method.isDefault()
                                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                                : method.invoke(container, arguments);
                }));
    }

    private static long lastParcel(Database database) {
        Long last = new JdbcTemplate(database.dataSource())
                .queryForObject("SELECT next_id FROM idgen_counter WHERE name = 'parcels'", Long.class);
        return last == null ? 0 : last;
    }

    /** Asserts that the segment and the lease are in the container, and that the other database has no table. */
    private void assertUsesContainer(ConfigurableApplicationContext shop) {
        assertThat(shop.getBean("parcelsIdSource", IdSource.class).nextId()).isEqualTo(100);
        assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
        assertThat(lastParcel(container)).isGreaterThan(100);
        assertThatThrownBy(() -> lastParcel(other)).hasStackTraceContaining("IDGEN_COUNTER");
    }

    @Test
    void theConnectionDetailsOfTheApplicationAreThoseOfIdgen() {
        try (ConfigurableApplicationContext shop =
                start(SEGMENT, START, "spring.datasource.url=jdbc:postgresql://localhost:1/none")) {
            assertUsesContainer(shop);
        }
    }
}
