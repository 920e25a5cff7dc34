package io.idgen.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.IdLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of liveness finds a process that has no ids although no fault lasts, and no other. */
class LivenessTest {
    private static final Span LIFE = seconds(100, 200);

    @TempDir
    Path folder;

    private IdLog ids;

    @BeforeEach
    void open() {
        ids = IdLog.open(folder.resolve("ids"), 100);
    }

    private static Span seconds(int begin, int end) {
        return new Span(TimeUnit.SECONDS.toNanos(begin), TimeUnit.SECONDS.toNanos(end));
    }

    /** Appends an id for each second. */
    private void generate(int begin, int end) {
        for (int second = begin; second <= end; second++) {
            ids.append(second, TimeUnit.SECONDS.toNanos(second));
        }
    }

    private long longestWait(Span... faults) {
        return TimeUnit.MILLISECONDS.toSeconds(new Liveness(LIFE, List.of(faults)).longestWait(ids));
    }

    @Test
    void aProcessThatAlwaysGeneratesIdsWaitsAsLongAsBetweenTwoIds() {
        generate(101, 199);

        assertThat(longestWait()).isEqualTo(1);
        assertThat(longestWait(seconds(120, 150))).isEqualTo(1);
    }

    @Test
    void aProcessThatStopsForGoodIsFound() {
        generate(101, 130);

        assertThat(longestWait()).isEqualTo(70);
        assertThat(longestWait(seconds(130, 140))).isEqualTo(60);
    }

    @Test
    void aProcessThatNeverBeginsIsFound() {
        assertThat(longestWait()).isEqualTo(100);
    }

    @Test
    void aProcessThatBeginsLateIsFound() {
        generate(160, 199);

        assertThat(longestWait()).isEqualTo(60);
    }

    @Test
    void theTimeOfAFaultDoesNotCount() {
        generate(101, 120);
        generate(161, 199);

        assertThat(longestWait()).isEqualTo(41);
        assertThat(longestWait(seconds(121, 160))).isEqualTo(1);
    }

    @Test
    void theTimeBetweenTwoFaultsCounts() {
        generate(101, 120);
        generate(190, 199);

        assertThat(longestWait(seconds(170, 180), seconds(120, 130))).isEqualTo(40);
    }

    @Test
    void aFaultWithinALongerOneDoesNotEndIt() {
        generate(101, 120);
        generate(190, 199);

        assertThat(longestWait(seconds(120, 180), seconds(130, 135))).isEqualTo(10);
    }

    @Test
    void aFaultThatDoesNotLastBeginsTheTimeAnew() {
        generate(101, 120);
        generate(180, 199);

        assertThat(longestWait(seconds(150, 150))).isEqualTo(30);
    }
}
