package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A build reads the mapping without running the application: planning a source does not determine a worker id. */
class SourceBinderTest {
    private int calls;

    /** A host without any facts, which counts the queries. */
    private final class Unknown extends Host {
        @Override
        String variable(String name) {
            calls++;
            return null;
        }

        @Override
        String name() {
            calls++;
            return "build";
        }

        @Override
        List<Interface> interfaces() {
            calls++;
            return List.of();
        }
    }

    private SourceBinder binder(String assigner) {
        IdSources.Builder builder =
                IdSources.builder().environment(new Properties(), Map.of()).host(new Unknown());
        return SourceBinder.of(assigner.isEmpty() ? builder : builder.set("idgen.worker.assigner", assigner));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fixed", "env", "env:POD", "ordinal", "ip", "mac"})
    void aBoundSourceIsPlannedWithoutAWorkerIdAndCheckedWhenTheApplicationStarts(String assigner) {
        SourceBinder binder = binder(assigner);

        SourcePlan plan = binder.bind("orders", Map.of());
        assertThat(plan.largestId()).isEqualTo(Long.MAX_VALUE);
        assertThat(calls).isZero();

        assertThatThrownBy(binder::check).hasMessageContaining("IDGEN-105");
        assertThatThrownBy(() -> binder.sources().get("orders")).hasMessageContaining("IDGEN-105");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "Purchase_Order, purchase_order",
                "shop.orders, orders",
                "`Shop`.`orders`, orders",
                "db.shop.orders, db.shop.orders",
                "shop, shop",
                "\"archive\".[orders], archive.orders"
            })
    void aSourceIsNamedAfterItsTableWithoutTheDefaultSchema(String table, String name) {
        assertThat(SourceBinder.nameOf(table, null, "SHOP")).isEqualTo(name);
    }
}
