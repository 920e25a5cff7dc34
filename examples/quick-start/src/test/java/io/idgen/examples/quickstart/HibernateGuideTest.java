package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.hibernate.EntityIds;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.test.CountingIds;
import io.idgen.text.IdCodec;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PrePersist;
import jakarta.persistence.Table;
import java.io.Serializable;
import org.junit.jupiter.api.Test;

/** Runs the entities of {@code docs/hibernate.md}. */
class HibernateGuideTest {

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @SnowflakeId(codec = IdCodec.BASE62)
        @Column(length = 11)
        private String id;
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @SnowflakeId(source = "documents")
        private Long id;
    }

    @Entity(name = "CreditNote")
    static class CreditNote {
        @Id
        @SnowflakeId(source = "documents")
        private Long id;
    }

    @Entity(name = "Order")
    @Table(name = "orders")
    static class Order {
        @Id
        @SnowflakeId(source = "billing.orders")
        private Long id;
    }

    @Embeddable
    record LineKey(@SnowflakeId Long line, long tenant) implements Serializable {}

    @Entity(name = "Line")
    static class Line {
        @EmbeddedId
        private LineKey id = new LineKey(null, 7);
    }

    @Entity(name = "Parcel")
    static class Parcel {
        @Id
        @SnowflakeId(preset = SnowflakeId.Preset.KEEP)
        private Long id;

        protected Parcel() {}

        Parcel(IdSource ids) {
            this.id = ids.nextId();
        }

        Long getId() {
            return id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Parcel parcel && id.equals(parcel.getId());
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    @Entity(name = "Crate")
    static class Crate {
        @Id
        @GeneratedValue
        @SnowflakeId
        private Long id;
    }

    @Entity(name = "Shipment")
    static class Shipment {
        @Id
        @SnowflakeId
        private Long id;

        @SnowflakeId
        private Long trackingNumber;

        private transient Long idInPrePersist;
        private transient Long trackingNumberInPrePersist;

        @PrePersist
        void created() {
            idInPrePersist = id;
            trackingNumberInPrePersist = trackingNumber;
        }
    }

    private static EntityManagerFactory boot(Class<?>... entities) {
        return configure(entities).createEntityManagerFactory();
    }

    private static PersistenceConfiguration configure(Class<?>... entities) {
        PersistenceConfiguration guide = new PersistenceConfiguration("guide")
                .property("jakarta.persistence.jdbc.url", "jdbc:h2:mem:guide")
                .property("hibernate.hbm2ddl.auto", "create-drop");
        for (Class<?> entity : entities) {
            guide.managedClass(entity);
        }
        return guide;
    }

    @Test
    void anIdCanBeAText() {
        try (EntityManagerFactory factory = boot(Ticket.class)) {
            Ticket ticket = new Ticket();
            factory.runInTransaction(entities -> entities.persist(ticket));
            assertThat(ticket.id).hasSize(11);
        }
    }

    @Test
    void twoEntitiesWithOneSourceHaveNoIdInCommon() {
        try (EntityManagerFactory factory = boot(Invoice.class, CreditNote.class)) {
            Invoice invoice = new Invoice();
            CreditNote note = new CreditNote();
            factory.runInTransaction(entities -> {
                entities.persist(invoice);
                entities.persist(note);
            });
            assertThat(note.id).isGreaterThan(invoice.id);
        }
    }

    @Test
    void aSourceIsARowOfItsName() {
        try (EntityManagerFactory factory =
                configure(Order.class).property("idgen.strategy", "segment").createEntityManagerFactory()) {
            factory.runInTransaction(entities -> entities.persist(new Order()));
            Object name = factory.callInTransaction(entities ->
                    entities.createNativeQuery("SELECT name FROM idgen_counter").getSingleResult());
            assertThat(name).isEqualTo("billing.orders");
        }
    }

    @Test
    void aTestCanPassIdsThatItKnows() {
        try (EntityManagerFactory factory = configure(Invoice.class)
                .property("idgen.strategy", new CountingIds())
                .createEntityManagerFactory()) {
            Invoice invoice = new Invoice();
            factory.runInTransaction(entities -> entities.persist(invoice));
            assertThat(invoice.id).isEqualTo(1);
        }
    }

    @Test
    void aPartOfACompositeIdIsGenerated() {
        try (EntityManagerFactory factory = boot(Line.class)) {
            Line line = new Line();
            factory.runInTransaction(entities -> entities.persist(line));
            assertThat(line.id.line()).isPositive();
            assertThat(line.id.tenant()).isEqualTo(7);
        }
    }

    @Test
    void anIdFromTheConstructorIsKeptAlsoInARetry() {
        try (EntityManagerFactory factory = boot(Parcel.class)) {
            Parcel parcel = new Parcel(EntityIds.of(factory, "parcel"));
            Long id = parcel.id;
            assertThatThrownBy(() -> factory.runInTransaction(entities -> {
                        entities.persist(parcel);
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessage("rolled back");
            factory.runInTransaction(entities -> entities.persist(parcel));
            Parcel found = factory.callInTransaction(entities -> entities.find(Parcel.class, id));
            assertThat(found).isEqualTo(parcel).isNotSameAs(parcel);
        }
    }

    @Test
    void anotherAttributeIsSetAtTheInsertAndARetryNeedsANewObject() {
        try (EntityManagerFactory factory = boot(Shipment.class)) {
            Shipment shipment = new Shipment();
            factory.runInTransaction(entities -> entities.persist(shipment));
            assertThat(shipment.id).isEqualTo(shipment.idInPrePersist);
            assertThat(shipment.trackingNumberInPrePersist).isNull();
            assertThat(shipment.trackingNumber).isPositive();
            assertThatThrownBy(() -> factory.runInTransaction(entities -> entities.persist(shipment)))
                    .hasStackTraceContaining("IDGEN-502");
        }
    }

    @Test
    void aGeneratedValueIsAllowed() {
        try (EntityManagerFactory factory = boot(Crate.class)) {
            Crate crate = new Crate();
            factory.runInTransaction(entities -> entities.persist(crate));
            assertThat(crate.id).isGreaterThan(100_000_000_000_000_000L);
        }
    }
}
