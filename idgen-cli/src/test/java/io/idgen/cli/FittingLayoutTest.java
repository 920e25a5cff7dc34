package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FittingLayoutTest {
    private static final Instant EPOCH = SnowflakeLayout.IDGEN.epoch();

    @ParameterizedTest
    @CsvSource({
        "1, 1, 36500",
        "1, 1000, 36500",
        "2, 1, 36500",
        "1, 1001, 1",
        "1024, 4096000, 25000",
        "1048576, 1000, 365",
        "1, 1000000000, 36500"
    })
    void aFittingLayoutCarriesWhatIsAsked(long workers, long idsPerSecond, int days) {
        SnowflakeLayout layout = Layout.fitting(EPOCH, Duration.ofDays(days), workers, idsPerSecond);

        assertThat(layout.workers()).isGreaterThanOrEqualTo(workers);
        assertThat(layout.idsPerSecond()).isGreaterThanOrEqualTo(idsPerSecond);
        assertThat(layout.end())
                .isAfterOrEqualTo(EPOCH.plus(Duration.ofDays(days)).minusMillis(1));
    }

    @Test
    void whatNoLayoutCarriesIsRefusedWithTheBitsItTakes() {
        assertThat(assertThrows(
                        IllegalArgumentException.class,
                        () -> Layout.fitting(EPOCH, Duration.ofDays(36_500), 1 << 20, 1_000_000_000)))
                .hasMessageContainingAll(
                        "no layout carries 1048576 workers", "for 36500 days", "there are 63", "ask for fewer");
        assertThat(assertThrows(IllegalArgumentException.class, () -> Layout.fitting(EPOCH, Duration.ofDays(1), 0, 1)))
                .hasMessageContaining("above 0");
    }
}
