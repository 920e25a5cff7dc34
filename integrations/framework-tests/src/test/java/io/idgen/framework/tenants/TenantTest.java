package io.idgen.framework.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Tenants share their tables, by {@code @TenantId}. One source serves all of them. */
class TenantTest {
    private final Database database = TestDatabase.POSTGRESQL.create();

    @AfterEach
    void drop() {
        CurrentTenant.NAME.remove();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment"})
    void tenantsThatShareATableNeverGetEqualIds(String strategy) {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(TenantApplication.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--spring.datasource.url=" + database.plainUrl(),
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--spring.flyway.enabled=false",
                        "--spring.jpa.hibernate.ddl-auto=update",
                        "--spring.jpa.properties.idgen.strategy=" + strategy,
                        "--spring.jpa.properties.idgen.acquire-timeout=1m",
                        "--spring.jpa.properties.hibernate.tenant_identifier_resolver="
                                + CurrentTenant.class.getName())) {
            Tickets tickets = application.getBean(Tickets.class);
            Set<Long> ids = new HashSet<>();
            for (String tenant : new String[] {"north", "south", "north"}) {
                CurrentTenant.NAME.set(tenant);
                ids.add(tickets.save(new Ticket()).id());
            }

            assertThat(ids).hasSize(3);
            assertThat(tickets.count()).isEqualTo(2);
        }
    }
}
