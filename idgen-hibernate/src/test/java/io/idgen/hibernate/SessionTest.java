package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.hibernate.SnowflakeId.Preset;
import io.idgen.hibernate.internal.SnowflakeIdGenerator;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.PrePersist;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.PropertyValueException;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what sessions do with entities whose ids idgen generates. */
@Tag("versions")
class SessionTest {
    /** A limit: snowflakes of today are far above it; row numbers and segments of these tests are far below it. */
    private static final long SMALL = 1L << 40;

    private static final String TEMPORARY_TABLES =
            "org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableInsertStrategy";

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit boot(Class<?>... entities) {
        // eager, because the start compares the largest keys with the next ids, with one statement
        return Unit.of(entities)
                .countedOn(database)
                .set("idgen.startup", "eager")
                .boot();
    }

    @Test
    void anAnnotationIsEnough() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("jakarta.persistence.jdbc.url", database.url());
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("annotated", settings)) {
            Instant before = Instant.now().minusMillis(1);
            Plain entity = new Plain();
            factory.unwrap(SessionFactory.class).inTransaction(session -> session.persist(entity));

            assertThat(SnowflakeLayout.IDGEN.parse(entity.id).time())
                    .isBetween(before.minusSeconds(1), Instant.now().plusSeconds(1));
            factory.unwrap(SessionFactory.class)
                    .inTransaction(session ->
                            assertThat(session.find(Plain.class, entity.id)).isNotNull());
        }
    }

    @Entity
    static class Listening {
        @Id
        @SnowflakeId
        Long id;

        transient Long seen;

        @PrePersist
        void look() {
            seen = id;
        }
    }

    @Test
    void persistGivesTheIdBeforeAnySql() {
        try (Unit unit = boot(Listening.class)) {
            unit.resetCounts();
            unit.inTransaction(session -> {
                Listening entity = new Listening();
                session.persist(entity);

                assertThat(entity.id).isPositive();
                assertThat(entity.seen).isEqualTo(entity.id);
                assertThat(unit.statements.get() + unit.batches.get()).isZero();
            });
            assertThat(unit.batches.get()).isOne();
        }
    }

    @Test
    void aParentWithAHundredChildrenCostsThreeBatchesOfFiftyOneConnectionAndNothingElse() {
        try (Unit unit = boot(Parent.class, Child.class)) {
            unit.resetCounts();

            unit.persist(new Parent(100));

            assertThat(unit.batches.get()).isEqualTo(3);
            assertThat(unit.statements.get()).isZero();
            assertThat(unit.connections.get()).isOne();
        }
    }

    @Test
    void mergingANewEntityCostsOneInsertAndLeavesTheEntityAsItWas() {
        try (Unit unit = boot(Plain.class)) {
            unit.resetCounts();
            Plain entity = new Plain();
            unit.inTransaction(session -> assertThat(session.merge(entity).id).isPositive());

            assertThat(entity.id).isNull();
            assertThat(unit.batches.get()).isOne();
            assertThat(unit.statements.get()).isZero();
        }
    }

    @Entity
    static class Versioned {
        @Id
        @SnowflakeId
        Long id;

        @Version
        Long version;
    }

    @Test
    void anIdThatIsSetIsRefusedByPersistAndMerge() {
        try (Unit unit = boot(Named.class, Parent.class, Child.class, Versioned.class)) {
            Named there = new Named("there");
            unit.persist(there);
            Named preset = new Named("preset");
            preset.id = there.id;
            Named missing = new Named("missing");
            missing.id = 4711L;
            Parent primitive = new Parent(0);
            primitive.id = 4711;
            Versioned versioned = new Versioned();
            versioned.id = 4711L;

            Parent withChild = new Parent(1);
            withChild.children.get(0).id = 4712L;

            String rule = " before its insert, but idgen generates the ids; ";
            String wayOut = ", or keep such ids with @SnowflakeId(preset = KEEP)";
            assertThatThrownBy(() -> unit.persist(preset))
                    .isInstanceOf(EntityExistsException.class)
                    .hasMessageStartingWith("IDGEN-502: io.idgen.hibernate.Named has the id " + there.id + rule
                            + "if an attempt to insert it was rolled back, persist a new instance, or set the id of it and"
                            + " of its children to null (0 if primitive) before the next attempt; otherwise leave the id"
                            + " unset, call merge() if its row exists" + wayOut);
            assertThatThrownBy(() -> unit.persist(primitive))
                    .isInstanceOf(EntityExistsException.class)
                    .hasMessageContaining("Parent has the id 4711" + rule);
            assertThatThrownBy(() -> unit.persist(versioned))
                    .isInstanceOf(EntityExistsException.class)
                    .hasMessageContaining("Versioned has the id 4711" + rule);
            assertThatThrownBy(() -> unit.persist(withChild))
                    .isInstanceOf(EntityExistsException.class)
                    .hasMessageContaining("Child has the id 4712" + rule);
            assertThatThrownBy(() -> unit.inTransaction(session -> session.merge(missing)))
                    .isInstanceOf(OptimisticLockException.class)
                    .hasMessageContaining("IDGEN-502: io.idgen.hibernate.Named has the id 4711" + rule
                            + "its row does not exist: if it was deleted, do not merge it; otherwise leave the id unset"
                            + wayOut);
            assertThatThrownBy(() -> unit.inTransaction(session -> session.merge(versioned)))
                    .isInstanceOf(PersistenceException.class)
                    .hasMessageContaining("Versioned has the id 4711" + rule);

            assertThat(unit.read(Named.class, there.id).name).isEqualTo("there");
            assertThat(unit.count("Named")).isOne();
            assertThat(unit.count("Parent") + unit.count("Child") + unit.count("SessionTest$Versioned"))
                    .isZero();
        }
    }

    @Entity(name = "Strict")
    static class Strict {
        @Id
        @SnowflakeId
        Long id;

        @Column(nullable = false)
        String name;

        @OneToMany(cascade = CascadeType.ALL)
        List<Strict> parts = new ArrayList<>();
    }

    @Test
    void whatHibernateRefusesForOtherReasonsStaysInItsWords() {
        try (Unit unit = boot(Strict.class, Versioned.class)) {
            Versioned old = new Versioned();
            unit.persist(old);
            unit.inTransaction(session ->
                    session.lock(session.find(Versioned.class, old.id), LockModeType.OPTIMISTIC_FORCE_INCREMENT));
            assertThatThrownBy(() -> unit.inTransaction(session -> session.merge(old)))
                    .isInstanceOf(OptimisticLockException.class)
                    .hasMessageNotContaining("IDGEN");

            Strict there = new Strict();
            there.name = "there";
            unit.persist(there);

            assertThatThrownBy(() -> unit.persist(new Strict()))
                    .isInstanceOf(PropertyValueException.class)
                    .hasMessageContaining("name");
            there.parts.add(new Strict());
            assertThatThrownBy(() -> unit.inTransaction(session -> session.merge(there)))
                    .isInstanceOf(PropertyValueException.class)
                    .hasMessageContaining("name");
            assertThatThrownBy(() -> unit.persist((Object) null)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> unit.persist("no entity")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Entity
    static class Kept {
        @Id
        @SnowflakeId(preset = Preset.KEEP)
        Long id;
    }

    @Entity
    static class KeptPrimitive {
        @Id
        @SnowflakeId(preset = Preset.KEEP)
        long id;
    }

    @Entity
    static class KeptVersioned {
        @Id
        @SnowflakeId(preset = Preset.KEEP)
        Long id;

        @Version
        Long version;
    }

    @Test
    void anIdThatIsSetIsKeptOnRequest() {
        try (Unit unit = boot(Kept.class, KeptPrimitive.class, KeptVersioned.class)) {
            Kept persisted = new Kept();
            persisted.id = 91L;
            Kept merged = new Kept();
            merged.id = 92L;
            Kept inserted = new Kept();
            inserted.id = 93L;
            Kept unset = new Kept();
            KeptPrimitive primitive = new KeptPrimitive();
            primitive.id = 91;
            KeptPrimitive unsetPrimitive = new KeptPrimitive();
            KeptVersioned versioned = new KeptVersioned();
            versioned.id = 91L;
            KeptVersioned mergedVersioned = new KeptVersioned();
            mergedVersioned.id = 92L;

            unit.persist(persisted, unset, primitive, unsetPrimitive, versioned);
            unit.inTransaction(session -> session.merge(merged));
            unit.inTransaction(session -> session.merge(mergedVersioned));
            unit.insertStateless(inserted);

            for (long id = 91; id <= 93; id++) {
                assertThat(unit.read(Kept.class, id)).isNotNull();
            }
            assertThat(unset.id).isGreaterThan(SMALL);
            assertThat(unit.read(KeptPrimitive.class, 91L)).isNotNull();
            assertThat(unsetPrimitive.id).isGreaterThan(SMALL);
            assertThat(unit.read(KeptVersioned.class, 91L)).isNotNull();
            assertThat(unit.read(KeptVersioned.class, 92L)).isNotNull();
        }
    }

    /** Receives its id in the constructor, from the source that its unit also uses. */
    @Entity(name = "Drawn")
    static class Drawn {
        static final IdSource IDS = CountingStrategy.from(7000);

        @Id
        @SnowflakeId(preset = Preset.KEEP)
        Long id;

        String name;

        Drawn() {}

        Drawn(String name) {
            this.id = IDS.nextId();
            this.name = name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Drawn drawn && Objects.equals(id, drawn.id);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(id);
        }
    }

    @Test
    void anEntityThatDrawsItsIdInItsConstructorIsEqualToItselfBeforeAndAfter() {
        try (Unit unit = Unit.of(Drawn.class)
                .countedOn(database)
                .set("idgen.sources.drawn.strategy", Drawn.IDS)
                .boot()) {
            Drawn drawn = new Drawn("by its constructor");
            Drawn unset = new Drawn();
            Set<Drawn> set = new HashSet<>(Set.of(drawn));
            unit.resetCounts();

            unit.persist(drawn, unset);

            assertThat(unit.statements.get()).isZero();
            assertThat(unset.id).isEqualTo(drawn.id + 1);
            assertThat(set).contains(drawn, unit.read(Drawn.class, drawn.id));
        }
    }

    @Test
    void aStatelessInsertRefusesAnIdThatIsSetAndNamesTheWayOut() {
        try (Unit unit = boot(Plain.class, Parent.class, Child.class)) {
            Plain entity = new Plain();
            entity.id = 91L;
            Parent primitive = new Parent(0);
            primitive.id = 91;

            assertThatThrownBy(() -> unit.insertStateless(entity))
                    .isInstanceOfSatisfying(
                            IdGenerationException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.PRESET_ID))
                    .hasMessageContaining("has the id 91")
                    .hasMessageContaining("@SnowflakeId(preset = KEEP)");
            assertThatThrownBy(() -> unit.insertStateless(primitive)).hasMessageContaining("has the id 91");
            assertThat(unit.count("Plain")).isZero();

            entity.id = null;
            unit.insertStateless(entity);
            assertThat(unit.read(Plain.class, entity.id)).isNotNull();
        }
    }

    @Test
    void anUpsertNeedsAnId() {
        try (Unit unit = boot(Named.class)) {
            Named preset = new Named("preset");
            preset.id = 91L;
            unit.inStatelessTransaction(session -> session.upsert(preset));
            assertThat(unit.read(Named.class, 91L).name).isEqualTo("preset");

            assertThatThrownBy(() -> unit.inStatelessTransaction(session -> session.upsert(new Named("without"))))
                    .isInstanceOf(RuntimeException.class);
            assertThat(unit.count("Named")).isOne();
        }
    }

    @Test
    void manyAtOnceThroughAStatelessSessionGoInBatches() {
        if (Run.isBefore("7.0")) {
            assertThat(StatelessSession.class.getMethods())
                    .noneMatch(method -> method.getName().equals("insertMultiple"));
            return;
        }
        try (Unit unit = boot(Plain.class)) {
            List<Plain> entities = Stream.generate(Plain::new).limit(120).toList();
            unit.resetCounts();

            unit.inStatelessTransaction(session -> session.insertMultiple(entities));

            assertThat(entities)
                    .extracting(entity -> entity.id)
                    .doesNotContainNull()
                    .doesNotHaveDuplicates();
            assertThat(unit.statements.get()).isZero();
            assertThat(unit.batches.get()).isBetween(1, 3);
        }
    }

    @Test
    void anHqlInsertOfValuesGetsIds() {
        try (Unit unit = boot(Named.class)) {
            unit.inTransaction(
                    session -> session.createMutationQuery("insert into Named (name) values ('a'), ('b'), ('c')")
                            .executeUpdate());

            assertThat(ids(unit, "Named")).hasSize(3).doesNotHaveDuplicates().allMatch(id -> id > SMALL);
        }
    }

    @Test
    void anHqlInsertLeavesAttributesThatAreNoIdsNull() {
        try (Unit unit = boot(Numbered.class)) {
            unit.inTransaction(session -> session.createMutationQuery("insert into Numbered (note) values ('a')")
                    .executeUpdate());

            long id = ids(unit, "Numbered").get(0);
            assertThat(unit.read(Numbered.class, id).number).isNull();
        }
    }

    @Entity(name = "Copied")
    static class Copied {
        @Id
        @SnowflakeId
        Long id;

        String name;
    }

    @Entity(name = "Base")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Base {
        @Id
        @SnowflakeId
        Long id;

        String name;
    }

    @Entity(name = "Joined")
    static class Joined extends Base {
        String more;
    }

    @Test
    void anHqlInsertSelectGetsIdsOrIsRefusedAndNeverNumbersTheRows() {
        Class<?>[] entities = {Named.class, Copied.class, Base.class, Joined.class};
        Unit.Builder builder = Unit.of(entities).countedOn(database);
        if (Run.KIND == TestDatabase.POSTGRESQL) {
            try (Unit unit = boot(entities)) {
                unit.persist(new Named("one"));
                for (String target : List.of("Copied", "Joined")) {
                    assertThatThrownBy(() -> insertSelect(unit, target))
                            .hasStackTraceContaining("IDGEN-503")
                            .hasStackTraceContaining("hibernate.query.insert_strategy to " + TEMPORARY_TABLES);
                    assertThat(unit.count(target)).isZero();
                }
                unit.inTransaction(session ->
                        session.createMutationQuery("delete from Named").executeUpdate());
            }
            builder.set("hibernate.query.insert_strategy", TEMPORARY_TABLES);
        }
        try (Unit unit = builder.boot()) {
            int rows = 120;
            unit.persist(
                    IntStream.range(0, rows).mapToObj(i -> new Named("n" + i)).toArray());
            for (String target : List.of("Copied", "Joined")) {
                insertSelect(unit, target);
                assertThat(ids(unit, target))
                        .hasSize(rows)
                        .doesNotHaveDuplicates()
                        .allMatch(id -> id > SMALL);
            }
        }
    }

    private static void insertSelect(Unit unit, String target) {
        unit.inTransaction(
                session -> session.createMutationQuery("insert into " + target + " (name) select name from Named")
                        .executeUpdate());
    }

    private static List<Long> ids(Unit unit, String entity) {
        return unit.factory()
                .fromTransaction(
                        session -> session.createSelectionQuery("select e.id from " + entity + " e", Long.class)
                                .getResultList());
    }

    @Test
    void anIdWithoutAnEntityIsGiven() {
        try (Unit unit = boot(Plain.class)) {
            SnowflakeIdGenerator generator = (SnowflakeIdGenerator) unit.factory()
                    .unwrap(SessionFactoryImplementor.class)
                    .getMappingMetamodel()
                    .getEntityDescriptor(Plain.class)
                    .getGenerator();
            unit.inTransaction(
                    session -> assertThat((Long) generator.generate((SharedSessionContractImplementor) session, null))
                            .isGreaterThan(SMALL));
            unit.inStatelessTransaction(session -> assertThat(
                            (Long) generator.generate((SharedSessionContractImplementor) session, null, null, null))
                    .isGreaterThan(SMALL));
        }
    }

    @Test
    void allIdsOfManyThreadsAreDistinct() throws Exception {
        int threads = 16;
        try (Unit unit = Unit.of(Parent.class, Child.class).on(database).boot()) {
            Set<Long> ids = ConcurrentHashMap.newKeySet();
            CyclicBarrier barrier = new CyclicBarrier(threads);
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            Set<Future<?>> runs = new HashSet<>();
            for (int i = 0; i < threads; i++) {
                runs.add(pool.submit(() -> {
                    barrier.await();
                    for (int n = 0; n < 4; n++) {
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
            assertThat(ids).hasSize(threads * 4 * 6);
        }
    }
}
