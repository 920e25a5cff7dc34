package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A source has the name of the table that it fills, whatever the classes are called. */
@Tag("versions")
class SourceNamesTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder unit(Class<?>... entities) {
        return Unit.of(entities).on(database).segments();
    }

    @MappedSuperclass
    abstract static class WithId {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity(name = "Order")
    @Table(name = "purchase_order")
    static class Order extends WithId {}

    @Entity(name = "Purchase")
    @Table(name = "purchase_order")
    static class Renamed extends WithId {}

    /** Another class of this simple name. */
    static class Sales {
        @Entity(name = "SalesOrder")
        @Table(name = "sales_order")
        static class Order extends WithId {}
    }

    @Embeddable
    static class Receipt {
        @SnowflakeId
        Long receipt;
    }

    @Entity
    @Table(name = "`Payment Slips`")
    static class Payment extends WithId {
        @SnowflakeId
        @Column(name = "Payment_No")
        Long number;

        @Embedded
        Receipt receipt;
    }

    @Entity
    @Inheritance(strategy = InheritanceType.JOINED)
    @Table(name = "employees")
    static class Employee extends WithId {}

    @Entity
    @Table(name = "managers")
    static class Manager extends Employee {
        @SnowflakeId
        Long car;
    }

    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    @Table(name = "vehicles")
    abstract static class Vehicle extends WithId {}

    @Entity
    @Table(name = "bikes")
    static class Bike extends Vehicle {}

    @Test
    void aSourceHasTheNameOfTheTableOfTheRootAndOfTheColumnIfItIsNoKey() {
        try (Unit unit = unit(
                        Order.class,
                        Sales.Order.class,
                        Payment.class,
                        Employee.class,
                        Manager.class,
                        Vehicle.class,
                        Bike.class)
                .boot()) {
            assertThat(EntityIds.sources(unit.factory()).names())
                    .containsExactly(
                            "employees",
                            "managers.car",
                            "payment slips",
                            "payment slips.payment_no",
                            "payment slips.receipt",
                            "purchase_order",
                            "sales_order",
                            "vehicles");
        }
    }

    @Entity
    @Table(name = "parcels", schema = "shop", catalog = "shop")
    static class Parcel extends WithId {}

    @ParameterizedTest
    @CsvSource({"other, shop.shop.parcels", "SHOP, parcels"})
    void aNameBeginsWithTheSchemaOnlyIfThatIsNotTheDefault(String defaultSchema, String source) {
        try (Unit unit = Unit.of(Parcel.class)
                .set("hibernate.boot.allow_jdbc_metadata_access", "false")
                .set("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                .set("hibernate.hbm2ddl.auto", "none")
                .set("hibernate.default_schema", defaultSchema)
                .set("hibernate.default_catalog", defaultSchema)
                .boot()) {
            assertThat(EntityIds.sources(unit.factory()).names()).containsExactly(source);
        }
    }

    @Test
    void aRenamedEntityGoesOnWithTheRowOfItsTableWhileTheOldOneStillRuns() {
        try (Unit old = unit(Order.class).boot();
                Unit renamed = unit(Renamed.class).boot()) {
            for (int i = 0; i < 5; i++) {
                old.persist(new Order(), new Order());
                renamed.persist(new Renamed(), new Renamed());
            }

            assertThat(old.count("Order")).isEqualTo(20);
        }
    }

    @Test
    void twoEntitiesOfOneTableShareItsSource() {
        try (Unit unit = unit(Order.class, Renamed.class).boot()) {
            Order first = new Order();
            Renamed second = new Renamed();
            Order third = new Order();

            unit.persist(first);
            unit.persist(second);
            unit.persist(third);

            assertThat(second.id).isEqualTo(first.id + 1);
            assertThat(third.id).isEqualTo(first.id + 2);
        }
    }

    @Test
    void twoClassesOfOneSimpleNameHaveTheSourcesOfTheirTables() {
        try (Unit unit = unit(Order.class, Sales.Order.class).boot()) {
            Order order = new Order();
            Sales.Order sold = new Sales.Order();

            unit.persist(order, sold);

            assertThat(order.id).isOne();
            assertThat(sold.id).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Order", "order", "io.idgen.hibernate.SourceNamesTest$Order"})
    void aSettingThatNamesAnEntityIsRefusedWithItsTable(String entity) {
        assertThatThrownBy(() -> unit(Order.class)
                        .set("idgen.sources." + entity + ".limit", "2147483648")
                        .boot())
                .hasStackTraceContaining("IDGEN-104: settings speak of a source '" + entity + "', and there is none; "
                        + entity + " is an entity; write its table: idgen.sources.purchase_order.…");
    }

    @Entity(name = "Archived")
    @Table(name = "purchase_order")
    static class Archived {
        @Id
        @SnowflakeId(source = "archive")
        Long id;
    }

    @Test
    void twoNamesForOneColumnAreRefusedAtBootUnlessBothAreSnowflakes() throws SQLException {
        assertThatThrownBy(() -> unit(Order.class, Archived.class).boot())
                .hasStackTraceContaining("IDGEN-410: the sources '")
                .hasStackTraceContaining("are for one column, purchase_order.id, and would generate equal ids;"
                        + " give both the same name");
        Sql.execute(database.dataSource(), "DROP TABLE IF EXISTS purchase_order");

        try (Unit unit = Unit.of(Order.class, Archived.class).on(database).boot()) {
            unit.persist(new Order(), new Archived(), new Order());
            assertThat(unit.count("Order")).isEqualTo(3);
        }
    }
}
