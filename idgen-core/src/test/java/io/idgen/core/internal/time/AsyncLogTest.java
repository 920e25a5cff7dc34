package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.EventDelivery;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Composing a text starts classes of the JDK, which would delay the first refill of a JVM. */
class AsyncLogTest {
    private final AsyncLog log = AsyncLog.of(AsyncLogTest.class);

    @Test
    void aLineThatTheLoggerDoesNotWriteIsNotComposed() {
        AtomicInteger composed = new AtomicInteger();

        log.add(logger -> logger.log(System.Logger.Level.TRACE, () -> "line " + composed.incrementAndGet()));
        log.written().join();

        assertThat(composed).hasValue(0);
    }

    @Test
    void theThreadThatReportsAnEventDoesNotComposeItsLine() {
        Queue<Thread> composers = new ConcurrentLinkedQueue<>();
        IdGenerationException failure = new IdGenerationException(ErrorCode.SOURCE_CLOSED, "the end") {
            @Override
            public String getMessage() {
                composers.add(Thread.currentThread());
                return super.getMessage();
            }
        };

        new EventDelivery(log, IdgenListener.NONE)
                .onEvent(new IdgenEvent(IdgenEvent.Kind.STOPPED, "orders", "%s", failure));
        log.written().join();

        assertThat(composers).isNotEmpty().doesNotContain(Thread.currentThread());
    }
}
