package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids in constructors come from the same source as the ids of {@code persist}. */
class EntityIdsTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder unit(String strategy) {
        return Unit.of(Invoice.class, Plain.class).segments().on(database).set("idgen.strategy", strategy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment"})
    void anEntityIsFoundInItsSetBeforeAndAfterWhateverIsDoneWithIt(String strategy) {
        try (Unit unit = unit(strategy).boot()) {
            IdSource ids = EntityIds.of(unit.factory(), "invoice");
            Invoice persisted = new Invoice(ids.nextId());
            Invoice merged = new Invoice(ids.nextId());
            Invoice inserted = new Invoice(ids.nextId());
            Set<Invoice> all = new HashSet<>(Set.of(persisted, merged, inserted));
            int hash = persisted.hashCode();

            unit.persist(persisted);
            unit.inTransaction(session -> assertThat(all).contains(session.merge(merged)));
            unit.insertStateless(inserted);

            assertThat(persisted).hasSameHashCodeAs(hash);
            for (Invoice invoice : Set.of(persisted, merged, inserted)) {
                assertThat(all).contains(invoice).contains(unit.read(Invoice.class, invoice.id()));
            }
            persisted.text = "changed";
            unit.inTransaction(session -> assertThat(all).contains(session.merge(persisted)));
            assertThat(unit.read(Invoice.class, persisted.id()).text).isEqualTo("changed");
            assertThat(unit.count("Invoice")).isEqualTo(3);
        }
    }

    @Test
    void theyAreOfOneSourceWithThoseGivenAtPersist() {
        try (Unit unit = unit("segment").boot()) {
            IdSource ids = EntityIds.of(unit.factory(), "invoice");
            Invoice unset = new Invoice();

            assertThat(ids.nextId()).isEqualTo(1);
            unit.persist(unset);
            assertThat(unset.id()).isEqualTo(2);
            assertThat(ids.nextIds(2)).containsExactly(3, 4);

            ids.close();
            assertThat(ids.nextId()).isEqualTo(5);
        }
    }

    @Test
    void theSourcesOfAllEntitiesHaveNamesBeforeAnyIsOpen() {
        try (Unit unit = unit("segment").boot()) {
            IdSources sources = EntityIds.sources(unit.factory());
            assertThat(sources.names()).contains("invoice");
            assertThat(sources.snapshots()).isEmpty();

            unit.persist(new Invoice());
            assertThat(sources.snapshot("invoice"))
                    .isInstanceOfSatisfying(
                            SegmentSnapshot.class,
                            open -> assertThat(open.given()).isEqualTo(1));
        }
    }

    @Test
    void aNameThatNoEntityHasIsRefusedWithTheNearest() {
        try (Unit unit = unit("snowflake").boot()) {
            assertThatThrownBy(() -> EntityIds.of(unit.factory(), "invoices"))
                    .hasMessageContaining("IDGEN-104: no source is called 'invoices'; the nearest known are invoice");
        }
    }
}
