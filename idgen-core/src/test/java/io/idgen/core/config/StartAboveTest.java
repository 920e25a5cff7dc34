package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.test.InMemoryLeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code idgen.snowflake.start-above}. */
class StartAboveTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final InstantSource CLOCK = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), NOW));
    private static final Pattern PROPOSAL =
            Pattern.compile("start with (idgen\\.snowflake\\.(?:layout|epoch))=(\\S+?),? ");

    private static IdSources.Builder above(long id) {
        return IdSources.builder()
                .clock(CLOCK)
                .set("idgen.worker.assigner", "single-process")
                .set("idgen.snowflake.start-above", Long.toString(id))
                .source("orders");
    }

    private static long first(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return sources.get("orders").nextId();
        }
    }

    private static ConfigurationException refusal(IdSources.Builder builder) {
        try (IdSources sources = builder.build()) {
            return assertThrows(
                    ConfigurationException.class, () -> sources.get("orders").nextId());
        }
    }

    private static long id(SnowflakeLayout layout, String time) {
        return layout.compose(new SnowflakeParts(Instant.parse(time), 0, 1, 7));
    }

    @Test
    void aStartAboveEarlierIdsIsAccepted() {
        assertThat(first(above(48211))).isGreaterThan(48211);
        long justBelow = SnowflakeLayout.IDGEN.firstIdAt(NOW) - 1;
        assertThat(first(above(justBelow))).isGreaterThan(justBelow);
    }

    /** The proposal is the layout of the earlier generator, if it is known, else an earlier epoch. */
    @ParameterizedTest
    @CsvSource({
        "twitter, 2026-11-22T08:59:00Z, idgen.snowflake.layout",
        "tsid, 2026-11-22T08:59:00Z, idgen.snowflake.layout",
        "tsid, 2026-11-22T09:59:59Z, idgen.snowflake.layout",
        "idgen, 2026-11-22T10:30:00Z, idgen.snowflake.epoch",
        "idgen, 2031-01-01T00:00:00Z, idgen.snowflake.epoch"
    })
    void anIdThatIsNotAboveIsRefusedAndWhatIsProposedFits(String preset, String newest, String setting) {
        long largest = id(SnowflakeLayout.presets().get(preset), newest);

        ConfigurationException refusal = refusal(above(largest));

        assertThat(refusal.code()).isEqualTo(ErrorCode.NEXT_ID_NOT_ABOVE);
        assertThat(refusal)
                .hasMessageContainingAll(
                        "idgen.snowflake.start-above", "not above " + largest, "stop all processes", "(from code)");
        assertThat(refusal.getMessage()
                        .contains("if idgen generated that id, at 2026-11-22T10:30:00Z, this host's clock, at 2026"))
                .as("the clock is behind")
                .isEqualTo(newest.equals("2026-11-22T10:30:00Z"));
        Matcher proposal = PROPOSAL.matcher(refusal.getMessage());
        assertThat(proposal.find()).as(refusal.getMessage()).isTrue();
        assertThat(proposal.group(1)).isEqualTo(setting);
        assertThat(first(above(largest).set(setting, proposal.group(2)))).isGreaterThan(largest);
    }

    @Test
    void whereNoEpochFitsTheMessageProposesNone() {
        assertThat(refusal(above(Long.MAX_VALUE - 1)))
                .hasMessageContaining("no epoch of this layout gives ids above it for ten years")
                .hasMessageNotContaining("start with");
    }

    @Test
    void theNextIdOfALeaseCounts() {
        InMemoryLeaseStore store = new InMemoryLeaseStore(InstantSource.system());
        long ofYesterday = SnowflakeLayout.IDGEN.firstIdAt(Instant.now().minusSeconds(86_400));
        assertThat(first(IdSources.builder()
                        .resource(LeaseStore.class, store)
                        .set("idgen.snowflake.start-above", Long.toString(ofYesterday))
                        .source("orders")))
                .isGreaterThan(ofYesterday);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "-1", "1.5.2.3", "12 14", "9223372036854775808"})
    void anythingElseIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> ExistingIds.parse(value));
    }
}
