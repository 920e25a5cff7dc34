package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Entities with {@link SnowflakeId} on embedded H2. */
class SnowflakeIdTest {
    private final Database database = TestDatabase.H2.create();

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void anEntityWithNothingButTheAnnotationGetsAnIdWithoutAnySetting() {
        try (Unit unit = Unit.of(Plain.class).url(database.url()).boot()) {
            Plain entity = new Plain();
            Instant before = Instant.now().minusMillis(1);

            unit.persist(entity);

            assertThat(SnowflakeLayout.IDGEN.parse(entity.id).time()).isBetween(before, Instant.now());
            assertThat(unit.read(Plain.class, entity.id)).isNotNull();
        }
    }

    @Test
    void persistGivesTheIdBeforeAnySql() {
        try (Unit unit =
                Unit.of(Plain.class).countedDataSource(database.dataSource()).boot()) {
            unit.resetCounts();
            unit.factory().runInTransaction(manager -> {
                Plain entity = new Plain();
                manager.persist(entity);

                assertThat(entity.id).isPositive();
                assertThat(unit.statements.get() + unit.batches.get()).isZero();
            });
            assertThat(unit.batches.get()).isOne();
        }
    }

    @Test
    void aParentWithTenChildrenCostsTwoBatchesOneConnectionAndNothingElse() {
        try (Unit unit = Unit.of(Parent.class, Child.class)
                .countedDataSource(database.dataSource())
                .boot()) {
            unit.resetCounts();

            unit.persist(new Parent(10));

            assertThat(unit.batches.get()).isEqualTo(2);
            assertThat(unit.statements.get()).isZero();
            assertThat(unit.connections.get()).isOne();
        }
    }

    @Test
    void allIdsOfManyThreadsAreDistinct() throws Exception {
        int threads = 16;
        try (Unit unit = Unit.of(Parent.class, Child.class).url(database.url()).boot()) {
            Set<Long> ids = ConcurrentHashMap.newKeySet();
            CyclicBarrier barrier = new CyclicBarrier(threads);
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            Set<Future<?>> runs = new HashSet<>();
            for (int i = 0; i < threads; i++) {
                runs.add(pool.submit(() -> {
                    barrier.await();
                    for (int n = 0; n < 20; n++) {
                        Parent parent = new Parent(5);
                        unit.persist(parent);
                        ids.add(parent.id);
                        parent.children.forEach(child -> ids.add(child.id));
                    }
                    return true;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
            pool.shutdown();
            assertThat(ids).hasSize(threads * 20 * 6);
        }
    }

    @Test
    void anAttributeThatIsNoIdGetsItsValueAtTheInsertAndKeepsIt() {
        try (Unit unit = Unit.of(Numbered.class).url(database.url()).boot()) {
            Numbered fresh = new Numbered();
            Numbered preset = new Numbered();
            preset.number = 4711L;

            unit.persist(fresh, preset);

            assertThat(fresh.number).isPositive().isNotEqualTo(fresh.id);
            assertThat(preset.number).isEqualTo(4711);
            unit.factory().runInTransaction(manager -> manager.find(Numbered.class, fresh.id).note = "changed");
            assertThat(unit.read(Numbered.class, fresh.id).number).isEqualTo(fresh.number);
        }
    }

    @Test
    void twoUnitsInOneProcessShareTheirWorkerIdAndRepeatNothing() {
        try (Database other = TestDatabase.H2.create();
                Unit one = Unit.of(Plain.class).url(database.url()).boot();
                Unit two = Unit.of(Plain.class).url(other.url()).boot()) {
            Set<Long> ids = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                Plain first = new Plain();
                Plain second = new Plain();
                one.persist(first);
                two.persist(second);
                ids.add(first.id);
                ids.add(second.id);
            }
            assertThat(ids).hasSize(2000);
        }
    }

    @Test
    void closingOneUnitLeavesTheOtherWorking() {
        try (Unit left = Unit.of(Plain.class).url(database.url()).boot()) {
            Unit closed = Unit.of(Plain.class).url(database.url()).boot();
            closed.persist(new Plain());
            closed.close();

            Plain entity = new Plain();
            left.persist(entity);

            assertThat(entity.id).isPositive();
        }
    }

    @Entity
    static class WithText {
        @Id
        @SnowflakeId
        String id;
    }

    @Test
    void aTypeThatCannotHoldTheIdsIsRefusedAtBootByEntityAndAttribute() {
        assertThatThrownBy(() -> Unit.of(WithText.class).url(database.url()).boot())
                .hasStackTraceContaining(
                        "IDGEN-501: @SnowflakeId stands on SnowflakeIdTest$WithText.id, which is of type java.lang.String");
    }

    @Test
    void anUnknownStrategyIsRefusedAtBootWithTheKnownOnes() {
        assertThatThrownBy(() -> Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.strategy", "snowflik")
                        .boot())
                .hasStackTraceContaining("IDGEN-103")
                .hasStackTraceContaining("'snowflik'; known are segment, snowflake");
    }

    @Test
    void anUnknownKeyIsRefusedAtBootWithTheNearestKnownOnes() {
        assertThatThrownBy(() -> Unit.of(Plain.class)
                        .url(database.url())
                        .set("hibernate.idgen.stratgy", "segment")
                        .boot())
                .hasStackTraceContaining("no setting is called idgen.stratgy; the nearest known are idgen.strategy");
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
}
