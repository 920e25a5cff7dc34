package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * {@code idgen.startup=eager} under Hibernate: at the end of the boot, the sources fetch what they need, or the boot
 * fails.
 */
class StartupTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder eager() {
        return Unit.of(Plain.class).url(database.url()).set("idgen.startup", "eager");
    }

    @Test
    void theWorkerIdIsLeasedFromATableThatTheSameBootMakes() throws SQLException {
        try (Unit unit = eager().set("idgen.worker.assigner", "jdbc").boot()) {
            assertThat(number("SELECT COUNT(*) FROM idgen_worker WHERE owner_token IS NOT NULL"))
                    .isOne();
            assertThat(unit.count("Plain")).isZero();
        }
    }

    @Test
    void aMissingTableFailsTheBootInsteadOfTheFirstId() {
        assertThatThrownBy(() -> eager().set("idgen.strategy", "segment")
                        .set("idgen.jdbc.initialize-schema", "never")
                        .boot())
                .hasStackTraceContaining("IDGEN-403")
                .hasStackTraceContaining("CREATE TABLE IF NOT EXISTS idgen_counter");
    }

    /** Its sources start only while {@link #isReady} is true. */
    private static final class Fickle implements IdStrategy {
        final CountingStrategy counting = new CountingStrategy();
        final AtomicBoolean isReady = new AtomicBoolean();

        @Override
        public String name() {
            return "fickle";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(Long.MAX_VALUE, () -> open(context));
        }

        private IdSource open(SourceContext context) {
            IdSource inner = counting.open(context);
            return new IdSource() {
                @Override
                public long nextId() {
                    return inner.nextId();
                }

                @Override
                public void warmUp() {
                    if (!isReady.get()) {
                        throw new IllegalStateException("not ready");
                    }
                }

                @Override
                public void close() {
                    inner.close();
                }
            };
        }
    }

    @Test
    void aStartThatFailsClosesWhatHasStarted() {
        Fickle strategy = new Fickle();

        assertThatThrownBy(() -> eager().set("idgen.strategy", strategy).boot()).hasStackTraceContaining("not ready");

        assertThat(strategy.counting.opened).hasValue(1);
        assertThat(strategy.counting.closed).hasValue(1);
    }

    @Test
    void aStartThatFailsDoesNotCloseWhatAnotherFactoryOfItsRegistryUses() {
        Fickle strategy = new Fickle();
        strategy.isReady.set(true);
        StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySetting("jakarta.persistence.jdbc.url", database.url())
                .applySetting("hibernate.hbm2ddl.auto", "update")
                .applySetting("idgen.startup", "eager")
                .applySetting("idgen.strategy", strategy)
                .build();
        try (SessionFactory first = factory(registry)) {
            strategy.isReady.set(false);
            assertThatThrownBy(() -> factory(registry)).hasStackTraceContaining("not ready");

            Plain entity = new Plain();
            first.inTransaction(session -> session.persist(entity));
            assertThat(entity.id).isEqualTo(1000);
            assertThat(strategy.counting.closed).hasValue(0);
        }
        assertThat(strategy.counting.closed).hasValue(1);
    }

    private static SessionFactory factory(StandardServiceRegistry registry) {
        return new MetadataSources(registry)
                .addAnnotatedClass(Plain.class)
                .buildMetadata()
                .buildSessionFactory();
    }

    private long number(String sql) throws SQLException {
        return Sql.number(database.dataSource(), sql);
    }
}
