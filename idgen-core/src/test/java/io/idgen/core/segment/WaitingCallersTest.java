package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenListener;
import io.idgen.core.internal.time.CautiousTime;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitingCallersTest {
    private final WaitingCallers callers = new WaitingCallers(
            "orders", Duration.ofSeconds(30), Duration.ofSeconds(30), 10, CautiousTime.SYSTEM, IdgenListener.NONE);

    /** Returns a call that gets one id. Its result is the id, and whether its thread is interrupted then. */
    private FutureTask<String> call() {
        return new FutureTask<>(() -> {
            long[] ids = new long[1];
            callers.lock().lock();
            try (WaitingCallers.Visit visit = callers.new Visit(ids, 0, 1, callers.arrive())) {
                visit.enter();
                while (!visit.isServed()) {
                    visit.sleep(Long.MAX_VALUE);
                }
            } finally {
                if (callers.lock().isHeldByCurrentThread()) {
                    callers.lock().unlock();
                }
            }
            return ids[0] + (Thread.interrupted() ? ", interrupted" : "");
        });
    }

    private static Thread waiting(Runnable call) {
        Thread thread = new Thread(call);
        thread.setDaemon(true);
        thread.start();
        Caller.until("a call that waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    private void serve() {
        Cursor cursor = new Cursor(new Segment(7, 1, 1), 0, 0);
        callers.serve(visit -> {
            visit.take(cursor);
            return false;
        });
        callers.releaseServed();
    }

    @Test
    void aServedCallReturnsWhileAnotherThreadHoldsTheLock() throws Exception {
        FutureTask<String> call = call();
        waiting(call);

        callers.lock().lock();
        try {
            serve();

            assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("7");
            assertThat(callers.waits().waiting()).isZero();
            assertThat(callers.missing()).isZero();
        } finally {
            callers.lock().unlock();
        }
    }

    /** The thread notices the interrupt only when it has the lock. By then it has its id. */
    @Test
    void aCallThatIsServedWhileItsThreadIsInterruptedReturnsItsIdAndKeepsTheInterrupt() throws Exception {
        FutureTask<String> call = call();
        Thread thread = waiting(call);

        callers.lock().lock();
        try {
            thread.interrupt();
            Caller.until("an interrupted call without the lock", () -> thread.getState() == Thread.State.WAITING);
            serve();
        } finally {
            callers.lock().unlock();
        }

        assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("7, interrupted");
    }
}
