package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.spring.data.FromIdSource;
import io.idgen.text.IdCodec;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.Set;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

/** Aggregates of Spring Data JDBC receive ids of the type of their id property. The tests need no database. */
class AggregateIdTypesTest {
    private final SourceBinder binder = SourceBinder.of(IdSources.builder().set("idgen.worker.id", "1"));

    @AutoClose
    private final IdSources sources = binder.sources();

    private final AggregateIds ids = new AggregateIds(binder, new RelationalMappingContext());

    record WithLong(@Id @FromIdSource @Nullable Long id) {}

    record WithPrimitive(@Id @FromIdSource long id) {}

    record WithText(@Id @FromIdSource @Nullable String id) {}

    record WithName(@Id @FromIdSource("orders") @Nullable Long id) {}

    record WithInteger(@Id @FromIdSource @Nullable Integer id) {}

    record WithoutAnnotation(@Id @Nullable Long id) {}

    record WithoutId(@Nullable Long number) {}

    private <T> T convert(T aggregate) {
        @SuppressWarnings("unchecked")
        T converted = (T) ids.onBeforeConvert(aggregate);
        return converted;
    }

    @Test
    void aNewAggregateGetsTheNextIdOfTheSourceOfItsTable() {
        Long first = convert(new WithLong(null)).id();

        assertThat(first).isPositive();
        assertThat(convert(new WithLong(null)).id()).isGreaterThan(first);
        assertThat(sources.snapshots()).containsOnlyKeys("with_long");
    }

    @Test
    void zeroIsANewId() {
        assertThat(convert(new WithPrimitive(0)).id()).isPositive();
        assertThat(convert(new WithLong(0L)).id()).isPositive();
    }

    @Test
    void anAggregateKeepsItsId() {
        assertThat(convert(new WithPrimitive(7)).id()).isEqualTo(7);
        assertThat(convert(new WithText("seven")).id()).isEqualTo("seven");
        assertThat(sources.snapshots()).isEmpty();
    }

    @Test
    void anIdInTextIsEncoded() {
        String id = convert(new WithText(null)).id();

        assertThat(IdCodec.BASE32.decode(id)).isPositive();
    }

    @Test
    void theAnnotationNamesTheSource() {
        assertThat(convert(new WithName(null)).id()).isPositive();
        assertThat(sources.snapshots()).containsOnlyKeys("orders");
    }

    @Test
    void anotherTypeIsRefused() {
        assertThatThrownBy(() -> convert(new WithInteger(null)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("which is of type java.lang.Integer; change the type to Long, long or String");
    }

    @Test
    void aggregatesWithoutTheAnnotationStayAsTheyAre() {
        WithoutAnnotation withoutAnnotation = new WithoutAnnotation(null);
        WithoutId withoutId = new WithoutId(null);

        assertThat(convert(withoutAnnotation)).isSameAs(withoutAnnotation);
        assertThat(convert(withoutId)).isSameAs(withoutId);
    }

    record ItemId(long value) {}

    record CodeId(String value) {}

    record WithTypedId(@Id @FromIdSource @Nullable ItemId id) {}

    record WithTypedText(@Id @FromIdSource @Nullable CodeId id) {}

    record WithEmbeddedId(
            @Id @Embedded(onEmpty = Embedded.OnEmpty.USE_NULL) @FromIdSource @Nullable
            ItemId id) {}

    @Test
    void aTypedIdIsCreatedFromTheId() {
        assertThat(convert(new WithTypedId(null)).id().value()).isPositive();
        assertThat(convert(new WithEmbeddedId(null)).id().value()).isPositive();
        assertThat(IdCodec.BASE32.decode(convert(new WithTypedText(null)).id().value()))
                .isPositive();
        assertThat(convert(new WithTypedId(new ItemId(7))).id().value()).isEqualTo(7);
    }

    record LineId(@FromIdSource @Nullable Long no, long tenant) {}

    record WithCompositeId(
            @Id @Embedded(onEmpty = Embedded.OnEmpty.USE_NULL) @Nullable
            LineId id) {}

    record OnOtherAttribute(
            @Id @Nullable Long id, @FromIdSource @Nullable Long number) {}

    record OnTransient(
            @Id @Nullable Long id,
            @FromIdSource @Transient @Nullable Long number) {}

    record Line(@Id @FromIdSource @Nullable Long id) {}

    record WithLines(@Id @Nullable Long id, Set<Line> lines) {}

    record OfHibernate(@Id @SnowflakeId @Nullable Long id) {}

    @Test
    void aPlaceForWhichSpringDataRequestsNoValueIsRefused() {
        for (Class<?> place : List.of(
                WithCompositeId.class, OnOtherAttribute.class, OnTransient.class, WithLines.class, OfHibernate.class)) {
            RelationalMappingContext mapping = new RelationalMappingContext();
            mapping.getRequiredPersistentEntity(place);
            assertThatThrownBy(() -> new AggregateIds(binder, mapping).sourceByEntity())
                    .as(place.getSimpleName())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("IDGEN-504: @");
        }
        assertThatThrownBy(() -> convert(new OnOtherAttribute(null, null))).hasMessageContaining("IDGEN-504");
    }

    @Entity
    static class OfJpa {
        @jakarta.persistence.Id
        @FromIdSource
        Long id;
    }

    @Test
    void anEntityOfHibernateIsRefused() {
        Configuration hibernate = new Configuration()
                .addAnnotatedClass(OfJpa.class)
                .setProperty("jakarta.persistence.jdbc.url", "jdbc:h2:mem:");
        assertThatThrownBy(hibernate::buildSessionFactory)
                .hasMessageContaining(
                        "IDGEN-504: @FromIdSource is on AggregateIdTypesTest$OfJpa.id, and Hibernate does not"
                                + " read it; use @SnowflakeId");
    }
}
