package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Transient;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.annotations.Formula;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Wherever the annotation stands, a value is generated, or the boot is refused with a place that works. */
@Tag("versions")
class PlacesTest {
    private static final long SMALL = 1L << 40;

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit boot(Class<?>... entities) {
        return Unit.of(entities).on(database).boot();
    }

    private void assertRefused(String message, Class<?>... entities) {
        assertThatThrownBy(() -> boot(entities).close())
                .as(entities[0].getSimpleName())
                .hasStackTraceContaining(message);
    }

    /** A key with one part that idgen generates. */
    @MappedSuperclass
    abstract static class Ident implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long line;

        @Override
        public boolean equals(Object other) {
            return other instanceof Ident key && Objects.equals(key.line, line);
        }

        @Override
        public int hashCode() {
            return Objects.hash(line);
        }
    }

    @Embeddable
    static class Key extends Ident {
        private static final long serialVersionUID = 1L;

        long tenant;
    }

    @Embeddable
    static class Around implements Serializable {
        private static final long serialVersionUID = 1L;

        @Embedded
        Key key = new Key();

        long other;

        @Override
        public boolean equals(Object other) {
            return other instanceof Around around && around.key.equals(key);
        }

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }

    @Entity
    static class NestedKey {
        @EmbeddedId
        Around id = new Around();
    }

    @Embeddable
    record RecordKey(@SnowflakeId Long line) implements Serializable {}

    @Embeddable
    record RecordAround(RecordKey key, long other) implements Serializable {}

    @Entity
    static class NestedRecordKey {
        @EmbeddedId
        RecordAround id = new RecordAround(new RecordKey(null), 7);
    }

    @Entity
    static class OnField {
        @SnowflakeId
        private Long id;

        @Id
        Long getId() {
            return id;
        }

        void setId(Long id) {
            this.id = id;
        }
    }

    @Entity
    static class OnGetter {
        @Id
        private Long id;

        @SnowflakeId
        Long getId() {
            return id;
        }
    }

    @Embeddable
    static class FieldPart {
        @SnowflakeId
        private Long no;

        Long getNo() {
            return no;
        }

        void setNo(Long no) {
            this.no = no;
        }
    }

    @Entity
    static class PartByGetter {
        private Long id;
        private FieldPart part;

        @Id
        Long getId() {
            return id;
        }

        void setId(Long id) {
            this.id = id;
        }

        @Embedded
        FieldPart getPart() {
            return part;
        }

        void setPart(FieldPart part) {
            this.part = part;
        }
    }

    @Entity
    static class OnTransient {
        @Id
        Long id;

        @Transient
        @SnowflakeId
        Long no;
    }

    @Entity
    static class OnStatic {
        @Id
        Long id;

        @SnowflakeId
        static Long no;
    }

    static class NotMapped {
        @SnowflakeId
        Long no;
    }

    @Entity
    static class BelowNotMapped extends NotMapped {
        @Id
        Long id;
    }

    static class PairKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long pair;

        long tenant;

        @Override
        public boolean equals(Object other) {
            return other instanceof PairKey key && Objects.equals(key.pair, pair);
        }

        @Override
        public int hashCode() {
            return Objects.hash(pair);
        }
    }

    @Entity
    @IdClass(PairKey.class)
    static class OnIdClass {
        @Id
        Long pair;

        @Id
        long tenant;
    }

    @Entity
    static class NotInsertable {
        @Id
        Long id;

        @Column(insertable = false)
        @SnowflakeId
        Long no;
    }

    @Entity
    static class OnFormula {
        @Id
        Long id;

        @Formula("1 + 1")
        @SnowflakeId
        Long no;
    }

    @Entity
    static class Plain {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity
    static class OnAssociation {
        @Id
        Long id;

        @SnowflakeId
        @ManyToOne
        Plain other;
    }

    @Entity
    static class OnAssociationId {
        @Id
        @SnowflakeId
        @ManyToOne
        Plain other;
    }

    @Entity
    static class OnCollection {
        @Id
        Long id;

        @SnowflakeId
        @OneToMany
        List<Plain> others = new ArrayList<>();
    }

    @Embeddable
    static class MappedKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long plain;

        long line;

        @Override
        public boolean equals(Object other) {
            return other instanceof MappedKey key && Objects.equals(key.plain, plain);
        }

        @Override
        public int hashCode() {
            return Objects.hash(plain);
        }
    }

    @Entity
    static class OnMappedPart {
        @EmbeddedId
        MappedKey id = new MappedKey();

        @MapsId("plain")
        @ManyToOne(cascade = CascadeType.PERSIST)
        Plain plain;
    }

    @Embeddable
    static class Part {
        @SnowflakeId
        Long no;

        String text = "text";
    }

    @Embeddable
    static class PartAround {
        @Embedded
        Part part = new Part();

        String other = "other";
    }

    @Entity
    static class Elements {
        @Id
        Long id;

        @ElementCollection
        List<PartAround> parts = new ArrayList<>();
    }

    @Entity
    static class Keys {
        @Id
        Long id;

        @ElementCollection
        Map<Part, String> parts = new HashMap<>();
    }

    @Test
    void aPlaceWithoutAGeneratorIsRefusedAtBoot() {
        assertRefused(
                "IDGEN-504: @SnowflakeId is on PlacesTest$NestedKey.id.key.line, an attribute of", NestedKey.class);
        assertRefused("IDGEN-504: @SnowflakeId is on PlacesTest$NestedRecordKey.id.key.line", NestedRecordKey.class);
        assertRefused("OnField.id, a field, but Hibernate reads", OnField.class);
        assertRefused("OnGetter.id, a getter, but Hibernate reads", OnGetter.class);
        assertRefused("IDGEN-504: @SnowflakeId is on PlacesTest$PartByGetter.part.no", PartByGetter.class);
        assertRefused("OnTransient.no, which Hibernate does not map", OnTransient.class);
        assertRefused("OnStatic.no, which Hibernate does not map", OnStatic.class);
        assertRefused("BelowNotMapped.no, which Hibernate does not map", BelowNotMapped.class);
        assertRefused("IDGEN-504: @SnowflakeId is on PlacesTest$OnIdClass.pair", OnIdClass.class);
        assertRefused("NotInsertable.no, which is not insertable", NotInsertable.class);
        assertRefused("OnFormula.no, a formula", OnFormula.class);
        assertRefused("IDGEN-501: @SnowflakeId is on PlacesTest$OnAssociation.other", OnAssociation.class, Plain.class);
        assertRefused("IDGEN-504: @SnowflakeId is on PlacesTest$OnAssociationId", OnAssociationId.class, Plain.class);
        assertRefused("IDGEN-501: @SnowflakeId is on PlacesTest$OnCollection", OnCollection.class, Plain.class);
        assertRefused(
                "MappedKey.plain, which @MapsId of PlacesTest$OnMappedPart.plain", OnMappedPart.class, Plain.class);
        assertRefused("Elements.parts.part.no, an attribute of the elements of", Elements.class);
        assertRefused("Keys.parts.no, an attribute of the elements of", Keys.class);
    }

    @Embeddable
    record RecordPart(@SnowflakeId Long no, String text) {}

    @Entity
    static class WithRecord {
        @Id
        Long id = 1L;

        @Embedded
        RecordPart part = new RecordPart(null, "text");
    }

    @Entity
    static class WithNested {
        @Id
        Long id = 1L;

        @Embedded
        PartAround around = new PartAround();
    }

    @Test
    void hibernate74GeneratesInRecordsAndNestedEmbeddablesAndOtherVersionsAreRefused() {
        if (Run.isBefore("7.4") || !Run.isBefore("8.0")) {
            assertRefused("WithRecord.part.no, a component of a record", WithRecord.class);
            assertRefused("WithNested.around.part.no, an attribute of an embeddable", WithNested.class);
            return;
        }
        try (Unit unit = boot(WithRecord.class, WithNested.class)) {
            unit.persist(new WithRecord(), new WithNested());
            assertThat(unit.read(WithRecord.class, 1L).part.no()).isGreaterThan(SMALL);
            assertThat(unit.read(WithNested.class, 1L).around.part.no).isGreaterThan(SMALL);
        }
    }

    @MappedSuperclass
    abstract static class Base<I extends Ident> {
        @EmbeddedId
        I id;
    }

    @Entity
    static class Generic extends Base<Key> {
        Generic() {
            id = new Key();
        }
    }

    interface Typed extends Serializable {}

    @MappedSuperclass
    abstract static class TypedBase<I extends Typed> {
        @EmbeddedId
        @SnowflakeId
        I id;
    }

    @Embeddable
    record TypedKey(Long no) implements Typed {}

    @Entity
    static class GenericWhole extends TypedBase<TypedKey> {}

    @Test
    void anEmbeddedIdOfAGenericSuperclassHasTheTypeOfTheEntity() {
        try (Unit unit = boot(Generic.class)) {
            Generic generic = new Generic();
            unit.persist(generic);
            assertThat(generic.id.line).isGreaterThan(SMALL);
        }
        if (Run.isBefore("7.0")) {
            assertRefused("GenericWhole.id, an @EmbeddedId, for which this version", GenericWhole.class);
            return;
        }
        try (Unit unit = boot(GenericWhole.class)) {
            GenericWhole whole = new GenericWhole();
            unit.persist(whole);
            assertThat(whole.id.no()).isGreaterThan(SMALL);
        }
    }

    @Entity
    static class WithoutIdClass implements Serializable {
        private static final long serialVersionUID = 1L;

        @Id
        @SnowflakeId
        Long line;

        @Id
        long tenant;

        @SnowflakeId
        Long number;
    }

    @Test
    void anIdOfSeveralAttributesWithoutAnIdClassIsGenerated() {
        try (Unit unit = boot(WithoutIdClass.class)) {
            WithoutIdClass entity = new WithoutIdClass();
            unit.persist(entity);
            assertThat(entity.line).isGreaterThan(SMALL);
            assertThat(entity.number).isGreaterThan(SMALL);
        }
    }

    @Entity
    static class NullKey {
        @EmbeddedId
        Key id;
    }

    @Test
    void anEmbeddedIdThatIsNullIsCreatedOrRefused() {
        try (Unit unit = boot(NullKey.class)) {
            NullKey entity = new NullKey();
            if (Run.isBefore("7.4")) {
                assertThatThrownBy(() -> unit.persist(entity))
                        .hasMessageContaining("IDGEN-505: " + NullKey.class.getName() + ".id is null")
                        .hasMessageContaining("id = new Key()");
                return;
            }
            unit.persist(entity);
            assertThat(entity.id.line).isGreaterThan(SMALL);
        }
    }

    @Entity
    static class Upserted {
        @Id
        Long id = 1L;

        @SnowflakeId
        Long number;

        @Embedded
        Part part = new Part();
    }

    @Test
    void anUpsertWithoutAValueThatIdgenGeneratesIsRefusedAndKeepsTheStoredOne() {
        try (Unit unit = boot(Upserted.class)) {
            Upserted inserted = new Upserted();
            unit.persist(inserted);
            Upserted upserted = new Upserted();
            assertUpsertRefused(unit, upserted, "number");
            upserted.number = 4711L;
            assertUpsertRefused(unit, upserted, "part.no");
            upserted.part.no = 4712L;

            unit.inStatelessTransaction(session -> session.upsert(upserted));

            assertThat(unit.read(Upserted.class, 1L).number).isEqualTo(4711);
            assertThat(unit.read(Upserted.class, 1L).part.no).isEqualTo(4712);
        }
    }

    private static void assertUpsertRefused(Unit unit, Upserted entity, String attribute) {
        assertThatThrownBy(() -> unit.inStatelessTransaction(session -> session.upsert(entity)))
                .hasMessageContaining("IDGEN-505: " + Upserted.class.getName() + "." + attribute + " is not set");
        assertThat(unit.read(Upserted.class, 1L).number).isGreaterThan(SMALL);
    }

    @Entity
    static class WithIdentity {
        @Id
        @SnowflakeId
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;
    }

    @Entity
    static class WithGeneratedValue {
        @Id
        @SnowflakeId
        @GeneratedValue
        Long id;
    }

    @Test
    void anotherStrategyNextToItIsReportedOnce() {
        try (LogRecords log = new LogRecords();
                Unit unit = boot(WithIdentity.class, WithGeneratedValue.class)) {
            WithIdentity entity = new WithIdentity();
            unit.persist(entity);
            assertThat(entity.id).isGreaterThan(SMALL);
            assertThat(log.with("@GeneratedValue")).singleElement().asString().contains("WithIdentity.id");
        }
    }

    @Entity
    static class Root {
        @Id
        @SnowflakeId
        Long id;

        @OneToMany(cascade = CascadeType.PERSIST)
        List<Plain> children = new ArrayList<>(List.of(new Plain()));
    }

    @Test
    void aRetryWithTheSameInstancesNamesTheCureForTheRootAndItsChildren() {
        try (Unit unit = boot(Root.class, Plain.class)) {
            Root root = new Root();
            assertThatCode(() -> unit.inTransaction(session -> {
                        session.persist(root);
                        throw new IllegalStateException("the transaction is rolled back");
                    }))
                    .hasMessageContaining("rolled back");

            for (String entity : List.of("Root", "Plain")) {
                assertThatThrownBy(() -> unit.persist(root))
                        .isInstanceOf(EntityExistsException.class)
                        .hasMessageContaining("IDGEN-502: " + PlacesTest.class.getName() + "$" + entity)
                        .hasMessageContaining("rolled back, persist a new instance, or set the id of it and of its"
                                + " children to null");
                root.id = null;
            }
            root.children.forEach(child -> child.id = null);
            unit.persist(root);
            assertThat(unit.count("PlacesTest$Plain")).isOne();
        }
    }
}
