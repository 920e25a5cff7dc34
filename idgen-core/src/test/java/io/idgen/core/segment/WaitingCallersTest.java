package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenListener;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

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
                    visit.sleep();
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

    /** Without the signal, the call would sleep until its deadline. It is sent last, when the call may return. */
    @Test
    void aRefillWakesEachCallThatItHasServedWhenItReleasesThem() {
        List<String> signals = new ArrayList<>();
        TimeSource time = new SignalTime(signals);
        WaitingCallers queue = new WaitingCallers(
                "orders", Duration.ofSeconds(30), Duration.ofSeconds(30), 10, time, IdgenListener.NONE);
        queue.lock().lock();
        List<WaitingCallers.Visit> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(queue.new Visit(new long[1], 0, 1, queue.arrive()));
            calls.get(i).enter();
        }
        Cursor two = new Cursor(new Segment(7, 2, 1), 0, 0);

        queue.serve(visit -> {
            visit.take(two);
            return false;
        });
        assertThat(calls).extracting(WaitingCallers.Visit::isServed).containsExactly(true, true, false);
        assertThat(signals).as("signals before the release").isEmpty();

        queue.releaseServed();
        assertThat(signals).as("signals of the served calls").containsExactly("condition 2", "condition 3");
    }

    /** Otherwise each call of an outage at the start would wait for as long as the first one. */
    @Test
    void theLongerTimeoutBeginsWithTheFirstCallAndEndsWithTheFirstAnswer() {
        SignalTime time = new SignalTime(new ArrayList<>());
        WaitingCallers queue =
                new WaitingCallers("orders", Duration.ofNanos(3), Duration.ofNanos(30), 10, time, IdgenListener.NONE);
        List<Long> deadlines = new ArrayList<>();
        for (long nanos : new long[] {0, 20, 29}) {
            time.nanos = nanos;
            deadlines.add(queue.arrive().deadlineNanos());
        }
        assertThat(deadlines).containsExactly(30L, 30L, 32L);

        time.nanos = 5;
        queue.answered(1);
        assertThat(queue.arrive().deadlineNanos()).isEqualTo(8);
    }

    /** A clock that a test sets. Its conditions record their signals; the first one gathers. */
    private static final class SignalTime implements TimeSource {
        private final List<String> signals;
        private int conditions;
        private long nanos;

        SignalTime(List<String> signals) {
            this.signals = signals;
        }

        @Override
        public LockCondition condition(ReentrantLock lock) {
            String name = "condition " + ++conditions;
            return new LockCondition() {
                @Override
                public void awaitNanos(long nanos) {
                    throw new AssertionError("nothing waits");
                }

                @Override
                public void signalAll() {
                    signals.add(name);
                }
            };
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long millis() {
            throw new AssertionError("the wall clock has been read");
        }

        @Override
        public void park(long nanos) {
            throw new AssertionError("a thread has parked");
        }
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
