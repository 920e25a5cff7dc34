package io.idgen.core.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Composing a text starts classes of the JDK, which would delay the first refill of a JVM. */
class AsyncLogTest {
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
        AsyncLog log = AsyncLog.of(AsyncLogTest.class);

        new EventDelivery(log, IdgenListener.NONE).onEvent(new IdgenEvent.Stopped("orders", failure));
        log.written().join();

        assertThat(composers).isNotEmpty().doesNotContain(Thread.currentThread());
    }
}
