package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
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
}
