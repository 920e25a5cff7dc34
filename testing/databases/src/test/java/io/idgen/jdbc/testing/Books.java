package io.idgen.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Books with a chapter and a review each, which writers with an old and with a new generator insert at once. The
 * primary keys refuse an id that repeats.
 */
public final class Books {
    /**
     * The number of books of each writer. With {@code -Dold.rows=25000}, four writers insert 100,000 rows into each
     * table.
     */
    public static final int OF_A_WRITER = Integer.getInteger("old.rows", 200);

    /** The parent first. */
    public static final List<String> TABLES = List.of("book", "chapter", "review");

    private Books() {}

    public static void createTables(DataSource dataSource) throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE book (id BIGINT PRIMARY KEY)");
        for (String child : TABLES.subList(1, TABLES.size())) {
            Sql.execute(
                    dataSource,
                    "CREATE TABLE " + child + " (id BIGINT PRIMARY KEY, book_id BIGINT NOT NULL,"
                            + " FOREIGN KEY (book_id) REFERENCES book (id))");
        }
    }

    /** Returns a writer that inserts each book with its children in a transaction, and returns the ids in order. */
    public static Callable<List<Long>> writer(DataSource dataSource, LongSupplier ids) {
        return () -> {
            List<Long> inserted = new ArrayList<>();
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement parent = connection.prepareStatement("INSERT INTO book (id) VALUES (?)");
                    PreparedStatement chapter = child(connection, "chapter");
                    PreparedStatement review = child(connection, "review")) {
                connection.setAutoCommit(false);
                for (int i = 0; i < OF_A_WRITER; i++) {
                    long book = ids.getAsLong();
                    parent.setLong(1, book);
                    parent.executeUpdate();
                    inserted.add(book);
                    for (PreparedStatement child : List.of(chapter, review)) {
                        long id = ids.getAsLong();
                        child.setLong(1, id);
                        child.setLong(2, book);
                        child.executeUpdate();
                        inserted.add(id);
                    }
                    connection.commit();
                }
            }
            return inserted;
        };
    }

    private static PreparedStatement child(Connection connection, String table) throws SQLException {
        return connection.prepareStatement("INSERT INTO " + table + " (id, book_id) VALUES (?, ?)");
    }

    /**
     * Runs each writer in a thread of its own, and returns what they return. Fails if one of them fails, or if a row is
     * missing.
     */
    public static <T> List<T> insertAtOnce(DataSource dataSource, List<Callable<T>> writers) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(writers.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(writers)) {
                results.add(result.get());
            }
            for (String table : TABLES) {
                assertThat(Sql.number(dataSource, "SELECT count(*) FROM " + table))
                        .as(table)
                        .isEqualTo((long) writers.size() * OF_A_WRITER);
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
