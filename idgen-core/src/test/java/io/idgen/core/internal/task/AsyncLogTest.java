package io.idgen.core.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Composing a text starts classes of the JDK, which would delay the first refill of a JVM. */
class AsyncLogTest {
    @Test
    void aLineThatTheLoggerDoesNotWriteIsNotComposed() {
        AtomicInteger composed = new AtomicInteger();
        AsyncLog log = AsyncLog.of(AsyncLogTest.class);

        log.log(System.Logger.Level.TRACE, () -> "line " + composed.incrementAndGet());
        log.written().join();

        assertThat(composed).hasValue(0);
    }
}
