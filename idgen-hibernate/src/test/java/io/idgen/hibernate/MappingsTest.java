package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.hibernate.SnowflakeId.Preset;
import io.idgen.hibernate.internal.SnowflakeIdGenerator;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.annotations.GenericGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the places where the annotation is allowed. */
@Tag("versions")
class MappingsTest {
    private static final long SMALL = 1L << 40;

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit boot(Class<?>... entities) {
        return Unit.of(entities).on(database).boot();
    }

    private Unit bootSegments(Class<?>... entities) {
        return Unit.of(entities).on(database).segments().boot();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }

    @Embeddable
    static class LineKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long line;

        long tenant;

        @Override
        public boolean equals(Object other) {
            return other instanceof LineKey key && Objects.equals(key.line, line) && key.tenant == tenant;
        }

        @Override
        public int hashCode() {
            return Objects.hash(line, tenant);
        }
    }

    @Entity
    static class Line {
        @EmbeddedId
        LineKey id = new LineKey();
    }

    @Test
    void aPartOfAnEmbeddedIdIsGivenAndTheOtherIsTheApplications() {
        try (Unit unit = boot(Line.class)) {
            Line line = new Line();
            line.id.tenant = 7;

            unit.persist(line);

            assertThat(line.id.line).isGreaterThan(SMALL);
            LineKey key = new LineKey();
            key.line = line.id.line;
            key.tenant = 7;
            assertThat(unit.read(Line.class, key)).isNotNull();
        }
    }

    static class PairKey implements Serializable {
        private static final long serialVersionUID = 1L;

        Long pair;
        long tenant;

        @Override
        public boolean equals(Object other) {
            return other instanceof PairKey key && Objects.equals(key.pair, pair) && key.tenant == tenant;
        }

        @Override
        public int hashCode() {
            return Objects.hash(pair, tenant);
        }
    }

    @Entity
    @IdClass(PairKey.class)
    static class Pair {
        @Id
        @SnowflakeId
        Long pair;

        @Id
        long tenant;
    }

    @Test
    void aPartOfAnIdClassIsGiven() {
        try (Unit unit = boot(Pair.class)) {
            Pair pair = new Pair();
            pair.tenant = 7;
            unit.persist(pair);
            assertThat(pair.pair).isGreaterThan(SMALL);
        }
    }

    @Embeddable
    record Whole(Long wholeNo) implements Serializable {}

    @Entity
    static class WithWhole {
        @EmbeddedId
        @SnowflakeId
        Whole id;
    }

    @Test
    void aWholeEmbeddedIdIsMadeOrRefusedAtBootAndNeverNull() {
        if (Run.isBefore("7.0")) {
            assertThatThrownBy(() -> boot(WithWhole.class))
                    .hasStackTraceContaining("IDGEN-504: @SnowflakeId is on MappingsTest$WithWhole.id")
                    .hasStackTraceContaining("move it to the attribute inside");
            return;
        }
        try (Unit unit = boot(WithWhole.class)) {
            WithWhole entity = new WithWhole();
            unit.persist(entity);
            assertThat(entity.id.wholeNo()).isGreaterThan(SMALL);
            assertThat(unit.read(WithWhole.class, entity.id)).isNotNull();
        }
    }

    @Entity
    static class Owner {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity
    static class Detail {
        @Id
        Long id;

        @MapsId
        @OneToOne(cascade = CascadeType.PERSIST)
        Owner owner = new Owner();
    }

    @Entity
    static class AnnotatedDetail {
        @Id
        @SnowflakeId
        Long id;

        @MapsId
        @OneToOne(cascade = CascadeType.PERSIST)
        Owner owner = new Owner();
    }

    @Test
    void anIdThatIsTheParentsIsTheParents() {
        try (Unit unit = boot(Owner.class, Detail.class, AnnotatedDetail.class)) {
            Detail detail = new Detail();
            AnnotatedDetail annotated = new AnnotatedDetail();

            unit.persist(detail, annotated);

            assertThat(detail.id).isEqualTo(detail.owner.id).isGreaterThan(SMALL);
            assertThat(annotated.id).isEqualTo(annotated.owner.id);
        }
    }

    @MappedSuperclass
    static class Common<T> {
        @Id
        @SnowflakeId
        T id;
    }

    @Entity
    static class CommonLong extends Common<Long> {}

    @Entity
    static class CommonText extends Common<String> {}

    @Entity
    static class CommonUuid extends Common<UUID> {}

    @Test
    void aGenericSuperclassHasTheTypeAndTheSourceOfEachEntity() {
        try (Unit unit = boot(CommonLong.class, CommonText.class)) {
            CommonLong number = new CommonLong();
            CommonText text = new CommonText();
            unit.persist(number, text);
            assertThat(number.id).isGreaterThan(SMALL);
            assertThat(text.id).hasSize(13);
        }
        assertThatThrownBy(() -> boot(CommonUuid.class))
                .hasStackTraceContaining(
                        "IDGEN-501: @SnowflakeId is on MappingsTest$CommonUuid.id, which is of type java.util.UUID");
    }

    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Vehicle {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity
    @Table(name = "cars")
    static class Car extends Vehicle {}

    @Entity
    @Table(name = "bikes")
    static class Bike extends Vehicle {}

    @Test
    void aHierarchyHasOneSourceAboveTheRowsOfAllItsTables() throws SQLException {
        execute("CREATE TABLE cars (id BIGINT PRIMARY KEY)");
        execute("CREATE TABLE bikes (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO cars VALUES (5)");
        execute("INSERT INTO bikes VALUES (70)");
        try (Unit unit = bootSegments(Vehicle.class, Car.class, Bike.class)) {
            Car car = new Car();
            Bike bike = new Bike();
            unit.persist(car, bike);
            assertThat(car.id).isEqualTo(71);
            assertThat(bike.id).isEqualTo(72);
        }
    }

    @Entity
    @Table(name = "invoices")
    static class Invoice {
        @Id
        @SnowflakeId(source = "documents")
        Long id;
    }

    @Entity
    @Table(name = "reminders")
    static class Reminder {
        @Id
        @SnowflakeId(source = "documents")
        Long id;
    }

    @Test
    void eachEntityHasItsOwnSourceAndTwoMayShareOneByName() throws SQLException {
        execute("CREATE TABLE invoices (id BIGINT PRIMARY KEY)");
        execute("CREATE TABLE reminders (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO invoices VALUES (70)");
        execute("INSERT INTO reminders VALUES (69)");
        try (Unit unit = bootSegments(Reminder.class, Invoice.class, Plain.class, Owner.class)) {
            Invoice invoice = new Invoice();
            Reminder reminder = new Reminder();
            Plain plain = new Plain();
            Owner owner = new Owner();

            unit.persist(invoice, reminder, plain, owner);

            assertThat(invoice.id).isEqualTo(71);
            assertThat(reminder.id).isEqualTo(72);
            assertThat(plain.id).isOne();
            assertThat(owner.id).isOne();
        }
    }

    @Embeddable
    static class Receipt {
        @SnowflakeId
        Long receipt;
    }

    @Entity
    static class Sale {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        Receipt receipt;
    }

    @Test
    void anAttributeThatIsNoIdGetsItsValueAtTheInsertAndKeepsIt() {
        try (Unit unit = boot(Numbered.class, Sale.class)) {
            Numbered fresh = new Numbered();
            Numbered preset = new Numbered();
            preset.number = 4711L;
            Numbered stateless = new Numbered();
            Sale sale = new Sale();

            unit.persist(fresh, preset, sale);
            unit.insertStateless(stateless);

            assertThat(fresh.number).isGreaterThan(SMALL).isNotEqualTo(fresh.id);
            assertThat(preset.number).isEqualTo(4711);
            assertThat(stateless.number).isGreaterThan(SMALL);
            assertThat(unit.read(Sale.class, sale.id).receipt.receipt).isGreaterThan(SMALL);
            unit.inTransaction(session -> session.find(Numbered.class, fresh.id).note = "changed");
            assertThat(unit.read(Numbered.class, fresh.id).number).isEqualTo(fresh.number);
            assertThat(unit.read(Numbered.class, fresh.id).note).isEqualTo("changed");
        }
    }

    @Entity(name = "PrimitiveNumbered")
    static class PrimitiveNumbered {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        long number;
    }

    @Test
    void aPrimitiveAttributeThatIsNoIdGetsAValueInsteadOfZero() {
        try (Unit unit = boot(PrimitiveNumbered.class)) {
            PrimitiveNumbered first = new PrimitiveNumbered();
            PrimitiveNumbered second = new PrimitiveNumbered();
            PrimitiveNumbered preset = new PrimitiveNumbered();
            preset.number = 4711;

            unit.persist(first, second, preset);

            assertThat(unit.read(PrimitiveNumbered.class, first.id).number).isGreaterThan(SMALL);
            assertThat(unit.read(PrimitiveNumbered.class, second.id).number)
                    .isGreaterThan(SMALL)
                    .isNotEqualTo(first.number);
            assertThat(unit.read(PrimitiveNumbered.class, preset.id).number).isEqualTo(4711);
        }
    }

    @Test
    void anAttributeThatIsNoIdBeginsAboveTheRowsToo() throws SQLException {
        execute("CREATE TABLE Numbered (id BIGINT PRIMARY KEY, number BIGINT, note VARCHAR(20))");
        execute("INSERT INTO Numbered VALUES (1, 500, 'old')");
        try (Unit unit = bootSegments(Numbered.class)) {
            Numbered entity = new Numbered();
            unit.persist(entity);
            assertThat(entity.id).isEqualTo(2);
            assertThat(entity.number).isEqualTo(501);
        }
    }

    @Entity
    static class ByGetter {
        private Long id;

        @Id
        @SnowflakeId
        Long getId() {
            return id;
        }

        void setId(Long id) {
            this.id = id;
        }
    }

    @Test
    void theAnnotationMayStandOnAGetter() {
        try (Unit unit = boot(ByGetter.class)) {
            ByGetter entity = new ByGetter();
            unit.persist(entity);
            assertThat(entity.getId()).isGreaterThan(SMALL);
            assertThat(unit.read(ByGetter.class, entity.getId())).isNotNull();
        }
    }

    @Entity(name = "Generic")
    @SuppressWarnings({"deprecation", "removal"})
    static class ByGenericGenerator {
        @Id
        @GeneratedValue(generator = "idgen")
        @GenericGenerator(name = "idgen", type = SnowflakeIdGenerator.class)
        Long id;
    }

    @Entity(name = "Generic")
    @SuppressWarnings({"deprecation", "removal"})
    static class ByUnnamedGenericGenerator {
        @Id
        @GenericGenerator(name = "unnamed since Hibernate 8", type = SnowflakeIdGenerator.class)
        Long id;
    }

    @Test
    void aGeneratorThatIsNamedByItsClassIsRefusedAtBoot() {
        Class<?> entity = Run.isBefore("8.0") ? ByGenericGenerator.class : ByUnnamedGenericGenerator.class;
        assertThatThrownBy(() -> boot(entity).close())
                .hasStackTraceContaining("IDGEN-504: the mapping of entity Generic names")
                .hasStackTraceContaining("annotate the id with @SnowflakeId");
    }

    @Entity
    static class KeptLine {
        @EmbeddedId
        KeptKey id = new KeptKey();
    }

    @Embeddable
    static class KeptKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId(preset = Preset.KEEP)
        Long line;

        long tenant;

        @Override
        public boolean equals(Object other) {
            return other instanceof KeptKey key && Objects.equals(key.line, line) && key.tenant == tenant;
        }

        @Override
        public int hashCode() {
            return Objects.hash(line, tenant);
        }
    }
}
