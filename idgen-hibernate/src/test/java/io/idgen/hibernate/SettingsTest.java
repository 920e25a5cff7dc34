package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.jdbc.testing.Database;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests that settings alone choose strategies and sources; the entities do not change. */
class SettingsTest {
    private static final long SMALL = 1L << 40;

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder unit() {
        return Unit.of(Parent.class, Child.class).on(database);
    }

    /** Checks the ids of a parent and of its child. */
    private static void assertIds(Unit.Builder builder, Long ofParent, Long ofChild) {
        try (Unit unit = builder.boot()) {
            Parent parent = new Parent(1);
            unit.persist(parent);
            assertId(parent.id, ofParent);
            assertId(parent.children.get(0).id, ofChild);
        }
    }

    private static void assertId(long id, Long expected) {
        if (expected == null) {
            assertThat(id).isGreaterThan(SMALL);
        } else {
            assertThat(id).isEqualTo(expected);
        }
    }

    @Test
    void oneSettingChangesTheStrategyOfAll() {
        assertIds(unit().segments(), 1L, 1L);
        assertIds(unit(), null, null);
    }

    @Test
    void oneEntityMayHaveAStrategyOfItsOwn() {
        assertIds(
                unit().set("hibernate.idgen.sources.children.strategy", "segment")
                        .set("idgen.jdbc.initialize-schema", "always"),
                null,
                1L);
    }

    @Test
    void aStrategyMayBeAnObject() {
        assertIds(unit().set("idgen.strategy", new CountingStrategy()), 1000L, 1000L);
        assertIds(
                unit().set("hibernate.hbm2ddl.auto", "create")
                        .set("idgen.sources.children.strategy", new CountingStrategy()),
                null,
                1000L);
    }

    @Test
    void whatIsHandedToTheFactoryWinsOverItsFile() {
        Map<String, Object> settings = Map.of(
                "jakarta.persistence.jdbc.url",
                database.url(),
                "hibernate.idgen.strategy",
                "snowflake",
                "idgen.worker.assigner",
                "single-process");
        Plain bySegment = new Plain();
        Plain bySnowflake = new Plain();
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                "with-segments", Map.of("jakarta.persistence.jdbc.url", database.url()))) {
            factory.unwrap(SessionFactory.class).inTransaction(session -> session.persist(bySegment));
        }
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("with-segments", settings)) {
            factory.unwrap(SessionFactory.class).inTransaction(session -> session.persist(bySnowflake));
        }
        assertThat(bySegment.id).isOne();
        assertThat(bySnowflake.id).isGreaterThan(SMALL);
    }

    @Test
    void aSourceMayBeAnObjectWhichIsNotClosed() {
        CountingStrategy strategy = new CountingStrategy();
        IdSource source = strategy.open(null);
        assertIds(unit().set("hibernate.idgen.sources.children.strategy", source), null, 1000L);
        assertThat(strategy.closed).hasValue(0);
        assertIds(unit().set("idgen.strategy", source), 1001L, 1002L);
        assertThat(strategy.closed).hasValue(0);
    }

    @Test
    void anUnknownStrategyIsRefusedAtBootWithTheKnownOnes() {
        assertThatThrownBy(() -> unit().set("idgen.strategy", "snowflik").boot())
                .hasStackTraceContaining("IDGEN-103")
                .hasStackTraceContaining(
                        "'snowflik'; known are native-sequence, segment, sequence-table, snowflake, stepped");
    }

    @Test
    void anUnknownKeyIsRefusedAtBootWithTheNearestKnownOnes() {
        assertThatThrownBy(
                        () -> unit().set("hibernate.idgen.stratgy", "segment").boot())
                .hasStackTraceContaining("no setting is called idgen.stratgy; the nearest known are idgen.strategy");
    }

    @Test
    void aSettingForAnEntityThatIsNotThereIsRefusedAtBootWithTheNearestOnes() {
        assertThatThrownBy(() -> unit().set("idgen.sources.childen.strategy", "snowflake")
                        .boot())
                .hasStackTraceContaining(
                        "IDGEN-104: settings speak of a source 'childen', and there is none; the nearest known are children, parents"
                                + " (from Hibernate's settings)");
    }

    @Test
    void aWorkerIdThatDoesNotFitIsRefusedAtBootWithValueRuleAndOrigin() {
        assertThatThrownBy(() -> Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.worker.id", 32)
                        .boot())
                .hasStackTraceContaining(
                        "worker id 32 does not fit in 5 bits (0..31); choose another or widen the layout"
                                + " (from Hibernate's settings)");
    }

    @Test
    void aUrlInPlaceOfThatNameIsRefusedAtBootWithoutItsPassword() {
        try (LogRecords log = new LogRecords()) {
            assertThatThrownBy(() -> unit().set("idgen.jdbc.data-source", "postgresql://u:hush@db/shop")
                            .boot())
                    .hasStackTraceContaining("idgen.jdbc.data-source: must be a JNDI name, and *** is a URL")
                    .satisfies(refusal -> assertThat(refusal.toString()).doesNotContain("hush"));

            assertThat(log.with("hush")).isEmpty();
        }
    }
}
