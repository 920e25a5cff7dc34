package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.testing.Await;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Processes that draw ids of {@code orders} from stepped databases all the time, and all ids that they got. */
final class Shops implements AutoCloseable {
    private static final String SOURCE = "orders";

    private final AtomicBoolean isOpen = new AtomicBoolean(true);
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Long> ids = new HashSet<>();
    private final Set<Long> repeated = new HashSet<>();
    private final Set<ErrorCode> refusals = EnumSet.noneOf(ErrorCode.class);
    private final List<Throwable> surprises = new ArrayList<>();

    /** The ids of one list of databases. */
    static final class Shop {
        private final AtomicLong ids = new AtomicLong();
        private final AtomicLong refusals = new AtomicLong();

        /** Waits until it has got more ids. */
        void awaitIds(int more) throws Exception {
            long before = ids.get();
            Await.until(more + " more ids", () -> ids.get() >= before + more);
        }

        /** Waits until it has only been refused for a while. */
        void awaitRefusals(int more) throws Exception {
            long before = refusals.get();
            Await.until(more + " more refusals", () -> refusals.get() >= before + more);
        }
    }

    static SteppedSequence sequence(List<DataSource> list) {
        return SteppedSequence.over(list).startingAt(1).withReach(100_000);
    }

    /** Starts a process with a list of databases. If {@code restarts}, it forgets all that it knows before each id. */
    Shop start(List<DataSource> list, boolean restarts) {
        Shop shop = new Shop();
        Thread thread = new Thread(() -> draw(list, restarts, shop));
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return shop;
    }

    private void draw(List<DataSource> list, boolean restarts, Shop shop) {
        SteppedSequence sequence = sequence(list);
        while (isOpen.get()) {
            try {
                add(restarts ? sequence(list).allocate(SOURCE, 1) : sequence.allocate(SOURCE, 2));
                shop.ids.incrementAndGet();
            } catch (StoreUnavailableException e) {
                pause(1); // an outage: the test has taken databases away
            } catch (AllocationException e) {
                synchronized (ids) {
                    refusals.add(e.code());
                }
                shop.refusals.incrementAndGet();
                pause(1);
            } catch (Throwable e) {
                synchronized (ids) {
                    surprises.add(e);
                }
                return;
            }
        }
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void add(Segment segment) {
        synchronized (ids) {
            for (int i = 0; i < segment.count(); i++) {
                long id = segment.first() + i * (long) segment.stride();
                if (!ids.add(id)) {
                    repeated.add(id);
                }
            }
        }
    }

    long count() {
        synchronized (ids) {
            return ids.size();
        }
    }

    Set<Long> repeated() {
        synchronized (ids) {
            return Set.copyOf(repeated);
        }
    }

    Set<ErrorCode> refusals() {
        synchronized (ids) {
            return Set.copyOf(refusals);
        }
    }

    List<Throwable> surprises() {
        synchronized (ids) {
            return List.copyOf(surprises);
        }
    }

    @Override
    public void close() {
        isOpen.set(false);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
