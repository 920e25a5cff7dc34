package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Old and new instances of an application, each with one connection and with statements that the server has prepared.
 * In each transaction they insert a book with two loans and a review, and change two rows.
 */
final class Writers implements AutoCloseable {
    private static final String[] ID = {"id"};

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong byOld = new AtomicLong();
    private final AtomicLong byNew = new AtomicLong();
    private final String url;
    private final String title;
    private final List<Semaphore> permits = new CopyOnWriteArrayList<>();
    private int most = Integer.MAX_VALUE;
    private volatile boolean isOver;
    private boolean hasOld;
    private boolean hasNew;

    /** Writers whose books have that title. */
    Writers(String url, String title) {
        this.url = url;
        this.title = title;
    }

    /** Each instance commits at most that many transactions, until the next {@link #await}. */
    Writers withAtMost(int transactions) {
        most = transactions;
        return this;
    }

    /** Old instances, which read ids as {@code int}. */
    Writers withOld(int count) {
        hasOld = true;
        return with(count, null, byOld);
    }

    /** New instances, which read ids as {@code long}. */
    Writers withNew(int count) {
        return withNew(count, () -> 0);
    }

    /** New instances, which have their ids before the insert. */
    Writers withNew(int count, LongSupplier ids) {
        hasNew = true;
        return with(count, ids, byNew);
    }

    private Writers with(int count, @Nullable LongSupplier ids, AtomicLong rows) {
        isOver = false;
        for (int i = 0; i < count; i++) {
            Semaphore own = new Semaphore(most);
            permits.add(own);
            Thread thread = new Thread(() -> write(ids, rows, own), "writer");
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    private void write(@Nullable LongSupplier ids, AtomicLong rows, Semaphore own) {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            long first = ids == null ? 0 : ids.getAsLong();
            try (PreparedStatement book = connection.prepareStatement(
                            first == 0
                                    ? "INSERT INTO book (title) VALUES (?)"
                                    : "INSERT INTO book (title, id) VALUES (?, ?)",
                            ID);
                    PreparedStatement loan = connection.prepareStatement("INSERT INTO loan (book_id) VALUES (?)", ID);
                    PreparedStatement review =
                            connection.prepareStatement("INSERT INTO review (book_id, stars) VALUES (?, 1)");
                    PreparedStatement sequel =
                            connection.prepareStatement("UPDATE book SET sequel_of = ? WHERE id = ?");
                    PreparedStatement moved = connection.prepareStatement("UPDATE loan SET book_id = ? WHERE id = ?")) {
                Object last = null;
                for (own.acquireUninterruptibly(); !isOver; own.acquireUninterruptibly()) {
                    long sinceNanos = System.nanoTime();
                    book.setString(1, title);
                    Object id;
                    if (ids == null || first == 0) {
                        id = inserted(book, ids == null);
                    } else {
                        id = ids.getAsLong();
                        book.setObject(2, id);
                        book.executeUpdate();
                    }
                    loan.setObject(1, id);
                    inserted(loan, false);
                    loan.setObject(1, last == null ? id : last);
                    Object second = inserted(loan, false);
                    moved.setObject(1, id);
                    moved.setObject(2, second);
                    moved.executeUpdate();
                    review.setObject(1, id);
                    review.executeUpdate();
                    if (last != null) {
                        sequel.setObject(1, last);
                        sequel.setObject(2, id);
                        sequel.executeUpdate();
                    }
                    connection.commit();
                    last = id;
                    rows.incrementAndGet();
                    longestNanos.accumulateAndGet(System.nanoTime() - sinceNanos, Math::max);
                }
            }
        } catch (SQLException e) {
            failures.add((ids == null ? "old: " : "new: ") + e.getMessage());
        }
    }

    private static Object inserted(PreparedStatement statement, boolean isOld) throws SQLException {
        statement.executeUpdate();
        try (ResultSet row = statement.getGeneratedKeys()) {
            row.next();
            return isOld ? (Object) row.getInt(1) : (Object) row.getLong(1);
        }
    }

    /** Waits until both kinds have committed that many more transactions, or one has failed. */
    void await(int more) throws Exception {
        long old = byOld.get() + more;
        long new_ = byNew.get() + more;
        if (most < Integer.MAX_VALUE) {
            permits.forEach(each -> {
                each.drainPermits();
                each.release(most);
            });
        }
        Await.until(
                "writers to commit",
                Duration.ofMinutes(10),
                () -> !failures.isEmpty() || ((!hasOld || byOld.get() >= old) && (!hasNew || byNew.get() >= new_)));
    }

    /** Checks that no transaction has failed and that no row is missing. Returns what to report. */
    String end(Library library) throws Exception {
        stop();
        assertThat(failures).isEmpty();
        long rows = byOld.get() + byNew.get();
        assertThat(library.number("SELECT count(*) FROM book WHERE title = '" + title + "'"))
                .isEqualTo(rows);
        assertThat(library.number(
                        "SELECT count(*) FROM loan JOIN book ON book.id = book_id WHERE title = '" + title + "'"))
                .isEqualTo(2 * rows);
        library.checkReferences();
        return byOld + " rows by old writers, " + byNew + " by new ones, " + failures.size()
                + " failed, longest transaction of a writer " + longestNanos.get() / 1_000_000 + " ms";
    }

    /** Ends all writers after their transactions. */
    void stop() {
        isOver = true;
        permits.forEach(each -> {
            each.drainPermits();
            each.release();
        });
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("a writer does not end", e);
            }
        }
    }

    @Override
    public void close() {
        stop();
    }
}
