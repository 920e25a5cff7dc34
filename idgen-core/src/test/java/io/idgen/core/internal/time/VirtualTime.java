package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Time that passes only while something waits for it. The events that are due meanwhile then run. For one thread. */
public final class VirtualTime implements TimeSource {
    private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return nanos != other.nanos ? Long.compare(nanos, other.nanos) : Long.compare(number, other.number);
        }
    }

    /** After so many parks of an interrupted thread in a row, a wait that ignores the interrupt becomes a failure. */
    private static final int TOO_MANY_PARKS = 10_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long number;
    private long nanos;
    private boolean stopped;
    private int parks;
    private int interruptedParks;

    @Override
    public long millis() {
        throw new AssertionError("the host's clock has been read");
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public void park(long parkNanos) {
        parks++;
        if (Thread.currentThread().isInterrupted()) {
            if (++interruptedParks > TOO_MANY_PARKS) {
                throw new AssertionError("an interrupted thread parked " + interruptedParks + " times in a row");
            }
            return;
        }
        interruptedParks = 0;
        passTo(nanos + parkNanos);
    }

    /** Returns a condition whose waits release the lock and let virtual time pass. */
    @Override
    public LockCondition condition(ReentrantLock lock) {
        return new LockCondition() {
            private long signals;

            @Override
            public void awaitNanos(long left) throws InterruptedException {
                parks++;
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long before = signals;
                long deadline = nanos + left;
                int holds = lock.getHoldCount();
                for (int i = 0; i < holds; i++) {
                    lock.unlock();
                }
                try {
                    while (!stopped && signals == before && !events.isEmpty() && events.peek().nanos <= deadline) {
                        next();
                    }
                } finally {
                    for (int i = 0; i < holds; i++) {
                        lock.lock();
                    }
                }
                if (signals == before) {
                    nanos = Math.max(nanos, deadline);
                }
            }

            @Override
            public void signalAll() {
                signals++;
            }
        };
    }

    /** Runs an action after a delay. */
    public void after(long delayNanos, Runnable action) {
        events.add(new Event(nanos + Math.max(0, delayNanos), number++, action));
    }

    /** Lets time pass until then. May be called from within an event. */
    public void passTo(long untilNanos) {
        while (!stopped && !events.isEmpty() && events.peek().nanos <= untilNanos) {
            next();
        }
        nanos = Math.max(nanos, untilNanos);
    }

    private void next() {
        Event event = events.remove();
        nanos = Math.max(nanos, event.nanos);
        event.action.run();
    }

    /** Lets this much time pass. */
    public void pass(Duration duration) {
        passTo(nanos + duration.toNanos());
    }

    /** Returns how often a caller has waited. */
    public int parks() {
        return parks;
    }

    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    /** Stops time: no event runs any more. */
    public void stop() {
        stopped = true;
    }
}
