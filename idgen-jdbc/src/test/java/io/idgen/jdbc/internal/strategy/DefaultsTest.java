package io.idgen.jdbc.internal.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.TableAllocator;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Checks that settings and builders have the same defaults. */
class DefaultsTest {
    private static final SegmentAllocator ANY = (name, wanted) -> new Segment(1, wanted, 1);

    /** Captures the builder and the table that the real strategy configures from its settings. */
    private static final class Lender implements IdStrategy {
        private final SegmentStrategy segments = new SegmentStrategy();
        private SegmentIdSource.Builder bySettings;
        private TableAllocator<?> tableBySettings;

        @Override
        public String name() {
            return "lender";
        }

        @Override
        public List<Setting<?>> settings() {
            return segments.settings();
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(Long.MAX_VALUE, () -> open(context));
        }

        private IdSource open(SourceContext context) {
            bySettings = segments.configured(context, ANY);
            tableBySettings = TableStrategy.configured(
                    new SegmentTable(new JdbcDataSource()), "idgen_segment", context.get(JdbcAccess.TIMEOUT), context);
            return SegmentIdSource.builder(ANY, "orders").build();
        }
    }

    private static Lender lender(Map<String, String> settings) {
        Lender lender = new Lender();
        IdSources.Builder builder = IdSources.builder().strategy(lender).set("idgen.strategy", "lender");
        settings.forEach(builder::set);
        try (IdSources sources = builder.source("orders").build()) {
            sources.get("orders");
        }
        return lender;
    }

    private static Object get(Object object, Class<?> type, String field) throws ReflectiveOperationException {
        Field found = type.getDeclaredField(field);
        found.setAccessible(true);
        return found.get(object);
    }

    private static List<Object> facts(SegmentIdSource.Builder builder) throws ReflectiveOperationException {
        Class<?> type = SegmentIdSource.Builder.class;
        Object range = get(builder, type, "steps");
        Method adaptive = range.getClass().getDeclaredMethod("adaptive", Duration.class);
        adaptive.setAccessible(true);
        Object step = adaptive.invoke(range, get(builder, type, "reserve"));
        return List.of(
                get(step, step.getClass(), "step"),
                get(step, step.getClass(), "least"),
                get(step, step.getClass(), "most"),
                get(step, step.getClass(), "reserveNanos"),
                get(builder, type, "threadOrder"),
                get(builder, type, "acquireTimeout"));
    }

    @Test
    void aSourceOfSegmentsIsTheSameWithoutSettingsAndWithoutMethods() throws Exception {
        assertThat(facts(lender(Map.of()).bySettings)).isEqualTo(facts(SegmentIdSource.builder(ANY, "orders")));
    }

    @Test
    void anotherSettingMakesADifference() throws Exception {
        Map<String, String> others = Map.of(
                "idgen.segment.step", "999",
                "idgen.segment.max-step", "9999999",
                "idgen.segment.reserve", "59s",
                "idgen.segment.order", "thread",
                "idgen.acquire-timeout", "4s");

        List<Object> builders = facts(SegmentIdSource.builder(ANY, "orders"));
        List<Object> settings = facts(lender(others).bySettings);

        for (int i = 0; i < builders.size(); i++) { // the control: a setting can change each of these facts
            assertThat(settings.get(i)).isNotEqualTo(builders.get(i));
        }
    }

    @Test
    void aTableIsTheSameWithoutSettingsAndWithoutMethods() throws Exception {
        Object bySettings = get(lender(Map.of()).tableBySettings, TableAllocator.class, "options");

        SegmentTable table = new SegmentTable(new JdbcDataSource());
        assertThat(bySettings).usingRecursiveComparison().isEqualTo(get(table, TableAllocator.class, "options"));
        assertThat(bySettings)
                .as("control: another limit")
                .usingRecursiveComparison()
                .isNotEqualTo(get(table.below(999), TableAllocator.class, "options"));
    }
}
