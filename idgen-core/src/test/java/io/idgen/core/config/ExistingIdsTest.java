package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.test.InMemoryLeaseStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests which columns a lease store reads before the first lease of a namespace, and which ids in them it refuses. */
class ExistingIdsTest {
    private static final Instant LATEST = Instant.parse("2026-11-22T10:06:05Z");

    /** A store that can read columns, and keeps which ones it has to read. */
    private static final class Reading implements LeaseStoreProvider {
        final List<ExistingIds> given = new ArrayList<>();

        @Override
        public String name() {
            return "reading";
        }

        @Override
        public boolean isAvailable(SourceContext context) {
            return true;
        }

        @Override
        public LeaseStore open(SourceContext context) {
            return new InMemoryLeaseStore(Clock.systemUTC());
        }

        @Override
        public LeaseStore open(SourceContext context, ExistingIds existing) {
            given.add(existing);
            return open(context);
        }
    }

    /** Opens the source {@code orders}, after three were bound with their columns. */
    private static List<ExistingIds> opened(Map<String, String> settings) {
        Reading store = new Reading();
        SourceBinder binder = SourceBinder.of(IdSources.builder()
                .environment(new Properties(), Map.of())
                .strategy(new SnowflakeStrategy(Host.LOCAL, List.of(store)))
                .settings(settings, "a test"));
        binder.bind("orders", Map.of("id-columns", "orders.id"));
        binder.bind("book", Map.of("id-columns", "book.id,shop.book.id"));
        binder.bind("note", Map.of());
        try (IdSources sources = binder.sources()) {
            sources.get("orders");
            return store.given;
        }
    }

    private static ExistingIds existing() {
        return opened(Map.of()).get(0);
    }

    private static long id(Instant time) {
        return SnowflakeLayout.IDGEN.firstIdAt(time);
    }

    @Test
    void theStoreReadsTheColumnsOfAllSourcesThatShareTheGeneratorOnce() {
        assertThat(opened(Map.of()))
                .singleElement()
                .satisfies(existing -> assertThat(existing.columns())
                        .containsExactlyInAnyOrder("orders.id", "book.id", "shop.book.id"));
    }

    @Test
    void anIdUpToAnHourAfterTheLatestOneOfIdgenIsAccepted() {
        ExistingIds existing = existing();

        for (long largest : new long[] {0, 48_211, id(LATEST), id(LATEST.plus(1, ChronoUnit.HOURS))}) {
            assertThatCode(() -> existing.check("orders.id", largest, LATEST)).doesNotThrowAnyException();
        }
    }

    /** A layout of 53 bits cannot have an id of 63 bits, so its ids never equal it. */
    @Test
    void anIdThatTheLayoutCannotHaveIsAccepted() {
        ExistingIds existing =
                opened(Map.of("idgen.snowflake.layout", "js-safe")).get(0);

        assertThatCode(() -> existing.check("orders.id", id(LATEST), LATEST)).doesNotThrowAnyException();
    }

    @Test
    void aLaterIdIsRefusedWithItsTimeAndASettingWhoseIdsAreAbove() {
        Instant time = LATEST.plus(1, ChronoUnit.HOURS).plusMillis(1);

        ConfigurationException refusal = catchThrowableOfType(
                ConfigurationException.class, () -> existing().check("orders.id", id(time), LATEST));

        assertThat(refusal.code()).isEqualTo(ErrorCode.EXISTING_IDS_AHEAD);
        assertThat(refusal)
                .hasMessageContainingAll(
                        "idgen.snowflake.layout",
                        "orders.id",
                        Long.toString(id(time)),
                        time.toString(),
                        LATEST.toString(),
                        "41-5-5-12",
                        "stop all processes of the earlier generator");
    }
}
