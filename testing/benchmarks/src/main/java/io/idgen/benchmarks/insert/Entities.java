package io.idgen.benchmarks.insert;

import io.hypersistence.utils.hibernate.id.Tsid;
import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/** Pairs of orders and lines that differ only in their ids. Each pair has its own database. */
final class Entities {
    /** The entity name of all orders, and the name of idgen's source for their ids. */
    static final String ORDER = "CustomerOrder";

    /** The entity name of all lines, and the name of idgen's source for their ids. */
    static final String LINE = "OrderLine";

    private static final String ORDERS = "orders";
    private static final String LINES = "order_lines";
    private static final AtomicLong ASSIGNED = new AtomicLong();

    private Entities() {}

    /** An order with an id that the application assigns without cost. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class AssignedOrder extends OrderFields {
        @Id
        Long id = ASSIGNED.incrementAndGet();

        @Override
        Object id() {
            return id;
        }
    }

    /** A line with an id that the application assigns without cost. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class AssignedLine extends LineFields {
        @Id
        Long id = ASSIGNED.incrementAndGet();

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        AssignedOrder order;

        AssignedLine() {}

        AssignedLine(AssignedOrder order) {
            this.order = order;
        }
    }

    /** An order with an id of idgen, from the strategy of the settings. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class SnowflakeOrder extends OrderFields {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of idgen, from the strategy of the settings. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class SnowflakeLine extends LineFields {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        SnowflakeOrder order;

        SnowflakeLine() {}

        SnowflakeLine(SnowflakeOrder order) {
            this.order = order;
        }
    }

    /** An order with an id of Hypersistence's {@code @Tsid}. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class TsidOrder extends OrderFields {
        @Id
        @Tsid
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of Hypersistence's {@code @Tsid}. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class TsidLine extends LineFields {
        @Id
        @Tsid
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        TsidOrder order;

        TsidLine() {}

        TsidLine(TsidOrder order) {
            this.order = order;
        }
    }

    /** An order with an IDENTITY column. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class IdentityOrder extends OrderFields {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an IDENTITY column. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class IdentityLine extends LineFields {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        IdentityOrder order;

        IdentityLine() {}

        IdentityLine(IdentityOrder order) {
            this.order = order;
        }
    }

    /** An order with an id of a sequence, allocated fifty at a time: Hibernate's default. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Sequence50Order extends OrderFields {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "orders_seq", allocationSize = 50)
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of a sequence, allocated fifty at a time: Hibernate's default. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Sequence50Line extends LineFields {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "lines_seq", allocationSize = 50)
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Sequence50Order order;

        Sequence50Line() {}

        Sequence50Line(Sequence50Order order) {
            this.order = order;
        }
    }

    /** An order with an id of a sequence, allocated one at a time. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Sequence1Order extends OrderFields {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "orders_seq", allocationSize = 1)
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of a sequence, allocated one at a time. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Sequence1Line extends LineFields {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "lines_seq", allocationSize = 1)
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Sequence1Order order;

        Sequence1Line() {}

        Sequence1Line(Sequence1Order order) {
            this.order = order;
        }
    }

    /** An order with an id of a table, allocated fifty at a time. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Table50Order extends OrderFields {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @TableGenerator(name = "orders_row", allocationSize = 50)
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of a table, allocated fifty at a time. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Table50Line extends LineFields {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @TableGenerator(name = "lines_row", allocationSize = 50)
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Table50Order order;

        Table50Line() {}

        Table50Line(Table50Order order) {
            this.order = order;
        }
    }

    /** An order with an id of a table, allocated one at a time. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Table1Order extends OrderFields {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @TableGenerator(name = "orders_row", allocationSize = 1)
        @Nullable
        Long id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with an id of a table, allocated one at a time. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Table1Line extends LineFields {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        @TableGenerator(name = "lines_row", allocationSize = 1)
        @Nullable
        Long id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Table1Order order;

        Table1Line() {}

        Table1Line(Table1Order order) {
            this.order = order;
        }
    }

    /** An order with a random UUID. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Uuid4Order extends OrderFields {
        @Id
        @UuidGenerator(style = UuidGenerator.Style.RANDOM)
        @Nullable
        UUID id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with a random UUID. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Uuid4Line extends LineFields {
        @Id
        @UuidGenerator(style = UuidGenerator.Style.RANDOM)
        @Nullable
        UUID id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Uuid4Order order;

        Uuid4Line() {}

        Uuid4Line(Uuid4Order order) {
            this.order = order;
        }
    }

    /** An order with a time-ordered UUID. */
    @Entity(name = ORDER)
    @Table(name = ORDERS)
    static class Uuid7Order extends OrderFields {
        @Id
        @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
        @Nullable
        UUID id;

        @Override
        Object id() {
            return Objects.requireNonNull(id);
        }
    }

    /** A line with a time-ordered UUID. */
    @Entity(name = LINE)
    @Table(name = LINES)
    static class Uuid7Line extends LineFields {
        @Id
        @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
        @Nullable
        UUID id;

        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @JoinColumn(name = "order_id")
        @Nullable
        Uuid7Order order;

        Uuid7Line() {}

        Uuid7Line(Uuid7Order order) {
            this.order = order;
        }
    }
}
