package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Each start logs the end of the layout, as a warning while there is time to move. */
class LayoutEndTest {
    @AutoClose
    private final LogLines log = new LogLines(Snowflake.class);

    private final String namespace = UUID.randomUUID().toString();

    private LogRecord loggedBeforeTheEndBy(Duration left) {
        ManualTime time = new ManualTime(SnowflakeLayout.IDGEN.end().minus(left));
        Snowflake.builder().namespace(namespace).workerId(0).time(time).build().close();
        List<LogRecord> records = log.records();
        return records.get(records.size() - 1);
    }

    @Test
    void theEndOfTheLayoutIsLoggedAtTheStart() {
        LogRecord logged = loggedBeforeTheEndBy(Duration.ofDays(20_000));

        assertThat(logged.getLevel()).isEqualTo(Level.INFO);
        assertThat(LogLines.text(logged))
                .isEqualTo(namespace + ": worker id 0, layout 41-5-5-12 from 2024-01-01T00:00:00Z ends at"
                        + " 2093-09-06T15:47:35.551Z, in 20,000 days");
    }

    @Test
    void fiveYearsAheadItIsWarnedOf() {
        Duration fiveYears = Duration.ofDays(5 * 365);

        assertThat(loggedBeforeTheEndBy(fiveYears).getLevel()).isEqualTo(Level.INFO);
        LogRecord warning = loggedBeforeTheEndBy(fiveYears.minusMillis(1));
        assertThat(warning.getLevel()).isEqualTo(Level.WARNING);
        assertThat(LogLines.text(warning))
                .contains("2093-09-06T15:47:35.551Z, in 1,824 days")
                .contains("plan the move");
    }
}
