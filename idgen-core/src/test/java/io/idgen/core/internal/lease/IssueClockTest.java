package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.time.TickScale;
import org.junit.jupiter.api.Test;

/** Pauses until a tick, and interrupts. */
class IssueClockTest {
    @Test
    void aPauseLastsUntilTheTickBegins() {
        TickScale tens = new TickScale(500, 10, 1_000_000);

        assertThat(IssueClock.parkNanos(tens, 503, 1, 400_000)).isEqualTo(6_400_000);
        assertThat(IssueClock.parkNanos(tens, 509, 1, 400_000)).isEqualTo(400_000);
        assertThat(IssueClock.parkNanos(tens, 510, 1, 400_000)).isEqualTo(400_000);
        assertThat(IssueClock.parkNanos(tens, 599, 1, 400_000)).isEqualTo(400_000);
    }

    @Test
    void anInterruptedThreadGetsAnExceptionAndStaysInterrupted() {
        assertThatCode(() -> IssueClock.checkInterrupt("orders", "a tick")).doesNotThrowAnyException();
        InterruptedException cause = new InterruptedException();
        assertThat(IssueClock.interrupted("orders", "a tick", cause))
                .hasCause(cause)
                .hasMessageContaining("a tick")
                .hasMessageContaining("'orders'");

        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> IssueClock.checkInterrupt("orders", "a tick"))
                    .isInstanceOfSatisfying(
                            IdUnavailableException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
