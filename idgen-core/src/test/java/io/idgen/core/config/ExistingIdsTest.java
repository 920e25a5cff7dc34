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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests for which sources the largest keys are checked, and which keys are refused. */
class ExistingIdsTest {
    private static final Instant LATEST = Instant.parse("2026-11-22T10:06:05Z");

    /** A window, and an hour for clocks that differ. */
    private static final Instant LAST_ACCEPTED = LATEST.plus(Duration.ofSeconds(180 + 3_600));

    /** A store that can read columns, and keeps for which sources it has to. */
    private static final class Reading implements LeaseStoreProvider {
        final List<SourceContext> checked = new ArrayList<>();

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
        public void checkKeys(SourceContext context) {
            checked.add(context);
        }
    }

    /** Opens a source with two columns, and one without. */
    private static List<SourceContext> opened(Map<String, String> settings) {
        Reading store = new Reading();
        WorkerIds workerIds = new WorkerIds(Host.LOCAL, new Strategies(Host.LOCAL, List.of()));
        workerIds.add(List.of(store));
        SourceBinder binder = SourceBinder.of(IdSources.builder()
                .environment(new Properties(), Map.of())
                .strategy(new SnowflakeStrategy(workerIds))
                .settings(settings, "a test"));
        binder.bind("book", Map.of("id-columns", "book.id,shop.book.id"));
        binder.bind("note", Map.of());
        try (IdSources sources = binder.sources()) {
            sources.get("book");
            sources.get("note");
            return store.checked;
        }
    }

    private static SourceContext book(Map<String, String> settings) {
        return opened(settings).get(0);
    }

    private static long id(Instant time) {
        return SnowflakeLayout.IDGEN.firstIdAt(time);
    }

    @Test
    void theStoreChecksTheColumnsOfEachSourceThatHasSome() {
        assertThat(opened(Map.of()))
                .singleElement()
                .satisfies(source -> assertThat(source.keys()).containsExactly("book.id", "shop.book.id"));
    }

    @Test
    void anIdUpToAWindowAndAnHourAfterTheLatestTimeIsAccepted() {
        SourceContext source = book(Map.of());

        for (long largest : new long[] {0, 48_211, id(LATEST), id(LAST_ACCEPTED)}) {
            assertThatCode(() -> ExistingIds.check(source, "book.id", largest, LATEST))
                    .doesNotThrowAnyException();
        }
    }

    /** A layout of 53 bits cannot have an id of 63 bits, so its ids never equal it. */
    @Test
    void anIdThatTheLayoutCannotHaveIsAccepted() {
        SourceContext source = book(Map.of("idgen.snowflake.layout", "js-safe"));

        assertThatCode(() -> ExistingIds.check(source, "book.id", id(LATEST), LATEST))
                .doesNotThrowAnyException();
    }

    @Test
    void aSourceWithTheLargestIdOfItsEarlierGeneratorIsNotChecked() {
        SourceContext source = book(Map.of("idgen.sources.book.snowflake.start-above", "48211"));

        assertThatCode(() -> ExistingIds.check(source, "book.id", Long.MAX_VALUE, LATEST))
                .doesNotThrowAnyException();
    }

    @Test
    void aLaterIdIsRefusedWithItsTimeAndASettingWhoseIdsAreAbove() {
        Instant time = LAST_ACCEPTED.plusMillis(1);

        ConfigurationException refusal = catchThrowableOfType(
                ConfigurationException.class, () -> ExistingIds.check(book(Map.of()), "book.id", id(time), LATEST));

        assertThat(refusal.code()).isEqualTo(ErrorCode.EXISTING_IDS_AHEAD);
        assertThat(refusal)
                .hasMessageContainingAll(
                        "idgen.snowflake.layout",
                        "book.id",
                        Long.toString(id(time)),
                        time.toString(),
                        LATEST.plusSeconds(180).toString(),
                        "41-5-5-12",
                        "stop all processes of the earlier generator");
    }
}
