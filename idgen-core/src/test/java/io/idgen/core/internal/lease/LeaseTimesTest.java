package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTimesTest {
    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT30S", "P1D"})
    void twoRenewalsCanFailBeforeALeaseExpires(Duration lease) {
        Duration renewal = LeaseTimes.renewal(lease);

        assertThat(renewal).isPositive();
        assertThat(renewal.multipliedBy(3)).isLessThanOrEqualTo(lease);
        assertThat(renewal.multipliedBy(4)).as("not more often than needed").isGreaterThan(lease);
    }

    @ParameterizedTest
    @CsvSource({"PT1S, PT1S", "PT30S, PT180S", "P1D, P1D"})
    void aLeaseIsASecondToADayAndAWindowAsLongAsTheLeaseToADay(Duration lease, Duration window) {
        assertDoesNotThrow(() -> LeaseTimes.check(lease, window));
    }

    @ParameterizedTest
    @CsvSource({"PT0.999S, PT1S", "P1DT0.001S, P1DT0.001S", "PT2S, PT1.999S", "PT2S, P1DT0.001S"})
    void otherLeasesAndWindowsAreRefused(Duration lease, Duration window) {
        assertThrows(IllegalArgumentException.class, () -> LeaseTimes.check(lease, window));
    }
}
