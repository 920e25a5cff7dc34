package io.idgen.core.snowflake;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockPolicyTest {

    @Test
    void aPolicyIsReadAsItsSettingWritesIt() {
        assertThat(ClockPolicy.parse("fail")).isEqualTo(ClockPolicy.fail());
        assertThat(ClockPolicy.parse("wait:5ms")).isEqualTo(ClockPolicy.waitAtMost(ofMillis(5)));
        assertThat(ClockPolicy.parse(" run-ahead: 1 s ")).isEqualTo(ClockPolicy.runAheadAtMost(ofSeconds(1)));
        assertThat(ClockPolicy.parse("wait:PT1H")).isEqualTo(ClockPolicy.waitAtMost(ofHours(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fail", "wait:1ms", "wait:5ms", "wait:1500ms", "wait:1h", "run-ahead:1s", "run-ahead:10min"})
    void thePolicyIsWrittenAsItIsRead(String text) {
        assertThat(ClockPolicy.parse(text)).hasToString(text);
    }

    @Test
    void aPolicyFinerThanMillisecondsIsReadBackToo() {
        ClockPolicy policy = ClockPolicy.waitAtMost(Duration.ofNanos(1_500_001));

        assertThat(ClockPolicy.parse(policy.toString())).isEqualTo(policy).hasSameHashCodeAs(policy);
    }

    @Test
    void policiesThatDoDifferentThingsDiffer() {
        List<ClockPolicy> policies = List.of(
                ClockPolicy.fail(),
                ClockPolicy.waitAtMost(ofMillis(5)),
                ClockPolicy.waitAtMost(ofMillis(6)),
                ClockPolicy.runAheadAtMost(ofMillis(5)));

        assertThat(policies).doesNotHaveDuplicates();
        assertThat(ClockPolicy.waitAtMost(ofMillis(1000)))
                .isEqualTo(ClockPolicy.waitAtMost(ofSeconds(1)))
                .hasSameHashCodeAs(ClockPolicy.waitAtMost(ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "FAIL", "fail:5ms", "wait", "unlimited", "run-ahead", "reuse:x", "wait=5ms"})
    void aTextThatIsNoPolicyIsRefused(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> ClockPolicy.parse(text)))
                .hasMessage(
                        "a clock policy is fail, wait:<duration>, run-ahead:<duration> or reuse:<slots>, for example wait:5ms,"
                                + " got '" + text + "'");
    }

    @Test
    void aPolicyWithALimitThatIsNoDurationIsRefused() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> ClockPolicy.parse("wait:5")))
                .hasMessageContainingAll("a duration is a whole number with a unit", "got '5'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait:0ms", "run-ahead:0ms", "wait:PT0.0005S", "run-ahead:61min"})
    void aLimitOutsideOfOneMillisecondToOneHourIsRefused(String text) {
        String limit = Durations.text(Durations.parse(text.substring(text.indexOf(':') + 1)));

        assertThat(assertThrows(IllegalArgumentException.class, () -> ClockPolicy.parse(text)))
                .hasMessage("the limit of a clock policy must be 1 ms to 1 h, got " + limit);
    }
}
