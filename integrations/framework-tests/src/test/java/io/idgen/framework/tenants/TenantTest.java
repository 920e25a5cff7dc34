package io.idgen.framework.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants share their tables, by {@code @TenantId}. One source serves all of them. */
@Tag("matrix")
class TenantTest {
    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment"})
    void tenantsThatShareATableNeverGetEqualIds(String strategy) {
        try (Database database = TestDatabase.POSTGRESQL.create();
                SessionFactory factory = new Configuration()
                        .addAnnotatedClass(Ticket.class)
                        .setProperty("jakarta.persistence.jdbc.url", database.url())
                        .setProperty("hibernate.hbm2ddl.auto", "update")
                        .setProperty("idgen.strategy", strategy)
                        .setProperty("idgen.acquire-timeout", "1m") // longer, for a busy machine
                        .buildSessionFactory()) {
            Set<Long> ids = new HashSet<>();
            for (String tenant : new String[] {"north", "south", "north"}) {
                try (Session session =
                        factory.withOptions().tenantIdentifier((Object) tenant).openSession()) {
                    Ticket ticket = new Ticket();
                    session.beginTransaction();
                    session.persist(ticket);
                    session.getTransaction().commit();
                    ids.add(ticket.id);
                    assertThat(session.createSelectionQuery("select count(*) from Ticket", Long.class)
                                    .getSingleResult())
                            .isEqualTo(ids.size() == 3 ? 2 : 1);
                }
            }

            assertThat(ids).hasSize(3);
        }
    }
}
