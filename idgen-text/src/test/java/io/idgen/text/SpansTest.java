package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpansTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.037S, 37 ms",
        "PT4S, 4 s",
        "PT4.005S, 4.005 s",
        "PT8.192S, 8.192 s",
        "PT1H, 1 h",
        "PT59M59.999S, 59 min 59.999 s",
        "P2DT3H4.005S, 2 d 3 h 4.005 s",
        "P400DT1M0.5S, 400 d 1 min 500 ms"
    })
    void areSaidInUnitsThatCount(Duration span, String text) {
        assertThat(Spans.text(span)).isEqualTo(text);
    }
}
