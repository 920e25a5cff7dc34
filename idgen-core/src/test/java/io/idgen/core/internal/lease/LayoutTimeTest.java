package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import org.junit.jupiter.api.Test;

/** A layout has ids from its epoch to its end, both included. */
class LayoutTimeTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    @Test
    void aTimeBetweenEpochAndEndIsCovered() {
        assertThatCode(() -> LayoutTime.checkCovers(LAYOUT, LAYOUT.epoch())).doesNotThrowAnyException();
        assertThatCode(() -> LayoutTime.checkCovers(LAYOUT, LAYOUT.end())).doesNotThrowAnyException();
    }

    @Test
    void aTimeBeforeTheEpochIsRefused() {
        assertThatThrownBy(() -> LayoutTime.checkCovers(LAYOUT, LAYOUT.epoch().minusMillis(1)))
                .isInstanceOfSatisfying(
                        ConfigurationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING))
                .hasMessageContaining("epoch " + LAYOUT.epoch() + " is in the future");
    }

    @Test
    void aTimeAfterTheEndIsRefused() {
        assertThatThrownBy(() -> LayoutTime.checkCovers(LAYOUT, LAYOUT.end().plusMillis(1)))
                .isInstanceOfSatisfying(
                        ConfigurationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED));
        assertThat(LayoutTime.exhausted(LAYOUT, LAYOUT.end().toEpochMilli()).code())
                .isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
    }
}
