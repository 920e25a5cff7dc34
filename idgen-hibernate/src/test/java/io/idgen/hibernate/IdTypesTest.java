package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.text.IdCodec;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.Serializable;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Date;
import java.util.UUID;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.Type;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The types an id may have. */
class IdTypesTest {
    private static final long SMALL = 1L << 40;

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit boot(Class<?>... entities) {
        return Unit.of(entities).on(database).boot();
    }

    @Entity
    static class WithBigInteger {
        @Id
        @SnowflakeId
        BigInteger id;
    }

    @Test
    void wholeNumbersOfSixtyFourBitsAndMore() {
        try (Unit unit = boot(Plain.class, Parent.class, Child.class, WithBigInteger.class)) {
            Plain boxed = new Plain();
            Parent primitive = new Parent(0);
            WithBigInteger big = new WithBigInteger();

            unit.persist(boxed, primitive, big);

            assertThat(unit.read(Plain.class, boxed.id).id).isGreaterThan(SMALL);
            assertThat(unit.read(Parent.class, primitive.id).id).isGreaterThan(SMALL);
            assertThat(unit.read(WithBigInteger.class, big.id).id).isGreaterThan(BigInteger.valueOf(SMALL));
        }
    }

    @Entity
    static class AsDecimal {
        @Id
        @SnowflakeId(codec = IdCodec.DECIMAL)
        String id;
    }

    @Entity
    static class AsHex {
        @Id
        @SnowflakeId(codec = IdCodec.HEX)
        String id;
    }

    @Entity
    static class AsBase32 {
        @Id
        @SnowflakeId
        String id;
    }

    @Entity
    static class AsBase32Checked {
        @Id
        @SnowflakeId(codec = IdCodec.BASE32_CHECKED)
        String id;
    }

    @Entity
    static class AsBase62 {
        @Id
        @SnowflakeId(codec = IdCodec.BASE62)
        String id;
    }

    @Test
    void textsInEveryCodecWhichSortAsTheNumbersDo() {
        try (Unit unit = boot(AsDecimal.class, AsHex.class, AsBase32.class, AsBase32Checked.class, AsBase62.class)) {
            AsDecimal decimal = new AsDecimal();
            AsHex hex = new AsHex();
            AsBase32 base32 = new AsBase32();
            AsBase32 next = new AsBase32();
            AsBase32Checked checked = new AsBase32Checked();
            AsBase62 base62 = new AsBase62();

            unit.persist(decimal, hex, base32, next, checked, base62);

            assertThat(IdCodec.DECIMAL.decode(decimal.id)).isGreaterThan(SMALL);
            assertThat(IdCodec.HEX.decode(hex.id)).isGreaterThan(SMALL);
            assertThat(IdCodec.BASE32.decode(base32.id)).isGreaterThan(SMALL);
            assertThat(IdCodec.BASE32_CHECKED.decode(checked.id)).isGreaterThan(SMALL);
            assertThat(IdCodec.BASE62.decode(base62.id)).isGreaterThan(SMALL);
            assertThat(base32.id).isLessThan(next.id);
            assertThat(unit.read(AsBase32.class, base32.id)).isNotNull();
            assertThat(unit.read(AsBase62.class, base62.id)).isNotNull();
        }
    }

    @Entity
    static class WithUuid {
        @Id
        @SnowflakeId
        UUID id;
    }

    @Entity
    static class WithDate {
        @Id
        @SnowflakeId
        Date id;
    }

    @Test
    void whatCannotHoldAnIdIsRefusedAtBootByEntityAndAttribute() {
        assertThatThrownBy(() -> boot(WithUuid.class))
                .hasStackTraceContaining(
                        "IDGEN-501: @SnowflakeId is on IdTypesTest$WithUuid.id, which is of type java.util.UUID;"
                                + " idgen's ids have 63 bits and are not UUIDs");
        assertThatThrownBy(() -> boot(WithDate.class))
                .hasStackTraceContaining(
                        "IDGEN-501: @SnowflakeId is on IdTypesTest$WithDate.id, which is of type java.util.Date");
    }

    @Entity(name = "Narrow")
    static class Narrow {
        @Id
        @SnowflakeId
        int id;
    }

    @Entity(name = "NarrowBoxed")
    static class NarrowBoxed {
        @Id
        @SnowflakeId
        Integer id;
    }

    @Entity(name = "Narrowest")
    static class Narrowest {
        @Id
        @SnowflakeId
        Short id;
    }

    @Test
    void aTypeTooNarrowForItsSourceIsRefusedAtBootAndOneWideEnoughIsNot() {
        assertThatThrownBy(() -> boot(Narrow.class, Narrowest.class))
                .hasStackTraceContaining(
                        "IDGEN-501: the ids of these sources do not fit in their attributes: Narrow.id (int, up to"
                                + " 2147483647; source 'narrow', strategy snowflake, up to 922337203")
                .hasStackTraceContaining(
                        ", Narrowest.id (Short, up to 32767; source 'narrowest', strategy snowflake, up to")
                .hasStackTraceContaining("idgen.sources.<name>.strategy=segment");
        assertThatThrownBy(() -> Unit.of(Narrow.class)
                        .on(database)
                        .segments()
                        .set("idgen.sources.narrow.limit", "3000000000")
                        .boot())
                .hasStackTraceContaining("source 'narrow', strategy segment, up to 2999999999");

        try (Unit unit = Unit.of(Narrow.class, NarrowBoxed.class, Narrowest.class)
                .on(database)
                .segments()
                .boot()) {
            Narrow narrow = new Narrow();
            NarrowBoxed boxed = new NarrowBoxed();
            Narrowest narrowest = new Narrowest();
            unit.persist(narrow, boxed, narrowest);
            assertThat(narrow.id).isOne();
            assertThat(boxed.id).isOne();
            assertThat(narrowest.id).isOne();
        }
    }

    @Entity(name = "TextNo")
    static class TextNo {
        @Id
        @SnowflakeId(codec = IdCodec.DECIMAL)
        String id;
    }

    @Test
    void idsInTextNeedAStartBecauseTheLastTextIsNotTheLargestId() throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE TextNo (id VARCHAR(255) PRIMARY KEY)");
        Sql.execute(database.dataSource(), "INSERT INTO TextNo VALUES ('70')");
        Sql.execute(database.dataSource(), "INSERT INTO TextNo VALUES ('9')"); // the last in the order of texts
        try (Unit unit = Unit.of(TextNo.class).on(database).segments().boot()) {
            assertThatThrownBy(() -> unit.persist(new TextNo()))
                    .hasStackTraceContaining("IDGEN-404: no row for 'textno'")
                    .hasStackTraceContaining("idgen.sources.textno.start");
        }
        try (Unit unit = Unit.of(TextNo.class)
                .on(database)
                .segments()
                .set("idgen.sources.textno.start", "71")
                .boot()) {
            TextNo entity = new TextNo();
            unit.persist(entity);
            assertThat(entity.id).isEqualTo("71");
        }
    }

    @Entity
    static class ByUserType {
        @Id
        @SnowflakeId
        @Type(OrderNo.AsUserType.class)
        OrderNo id;
    }

    @Entity
    static class ByJavaType {
        @Id
        @SnowflakeId
        @JavaType(OrderNo.AsJavaType.class)
        OrderNo id;
    }

    @Embeddable
    record Key(@SnowflakeId Long keyNo) implements Serializable {}

    @Entity
    static class ByRecord {
        @EmbeddedId
        Key id;
    }

    @Test
    void typedIdsAreMadeFromTheNumberAndFoundAgain() {
        try (Unit unit = boot(ByUserType.class, ByJavaType.class, ByRecord.class)) {
            ByUserType userType = new ByUserType();
            ByJavaType javaType = new ByJavaType();
            ByRecord record = new ByRecord();
            record.id = new Key(null);

            unit.persist(userType, javaType, record);

            assertThat(userType.id.number()).isGreaterThan(SMALL);
            assertThat(unit.read(ByUserType.class, userType.id)).isNotNull();
            assertThat(unit.read(ByJavaType.class, javaType.id)).isNotNull();
            assertThat(record.id.keyNo()).isGreaterThan(SMALL);
            assertThat(unit.read(ByRecord.class, record.id)).isNotNull();
        }
    }

    @Converter
    static class OrderNoConverter implements AttributeConverter<OrderNo, Long> {
        @Override
        public Long convertToDatabaseColumn(OrderNo id) {
            return id == null ? null : id.number();
        }

        @Override
        public OrderNo convertToEntityAttribute(Long column) {
            return column == null ? null : new OrderNo(column);
        }
    }

    @Entity
    static class ByConverter {
        @Id
        @SnowflakeId
        @Convert(converter = OrderNoConverter.class)
        OrderNo id;
    }

    @Test
    void anIdWithAConverterWorksAsLongAsHibernateLetsIt() {
        if (!Run.isBefore("7.0")) {
            assertThatThrownBy(() -> boot(ByConverter.class)).hasMessageContaining("'AttributeConverter' not allowed");
            return;
        }
        try (Unit unit = boot(ByConverter.class)) {
            ByConverter entity = new ByConverter();
            unit.persist(entity);
            assertThat(entity.id.number()).isGreaterThan(SMALL);
            assertThat(unit.read(ByConverter.class, entity.id)).isNotNull();
        }
    }
}
