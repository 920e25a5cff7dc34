package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** Entities in a database whose worker id is leased from Redis, by two settings. */
class RedisUnderHibernateTest {

    /** An entity. */
    @Entity(name = "Book")
    public static class Book {
        @Id
        @SnowflakeId
        private Long id;

        /** Called by Hibernate. */
        public Book() {}
    }

    @Test
    void twoSettingsAreEnough() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
            Configuration configuration = new Configuration()
                    .addAnnotatedClass(Book.class)
                    .setProperty("hibernate.connection.url", "jdbc:h2:mem:books")
                    .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                    .setProperty("idgen.worker.assigner", "redis")
                    .setProperty("idgen.redis.uri", server.uri());
            try (SessionFactory factory = configuration.buildSessionFactory()) {
                Book book = new Book();
                factory.inTransaction(session -> session.persist(book));

                SnowflakeParts parts = SnowflakeLayout.IDGEN.parse(book.id);
                long workerId = SnowflakeLayout.IDGEN.packWorker(parts.datacenter(), parts.worker());
                assertThat(server.command("HGET", "idgen:{default}:workers", workerId + ":owner"))
                        .startsWith(ProcessHandle.current().pid() + "@");
                long tables = factory.fromSession(session -> session.createNativeQuery(
                                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'IDGEN_WORKER'",
                                Long.class)
                        .getSingleResult());
                assertThat(tables).as("tables of worker ids in the database").isZero();
            }
        }
    }
}
