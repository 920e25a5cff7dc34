package library;

import io.idgen.core.config.IdSources;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

public class JdbcLibrary {

    public static void main(String[] args) throws SQLException {
        String url = "jdbc:h2:mem:library;DB_CLOSE_DELAY=-1";
        try (IdSources sources = IdSources.builder()
                        .set("idgen.jdbc.url", url)
                        .source("books")
                        .source("chapters")
                        .build();
                Connection connection = DriverManager.getConnection(url)) {
            connection.createStatement().execute("CREATE TABLE book (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            connection.createStatement().execute("CREATE TABLE chapter (id BIGINT PRIMARY KEY, book BIGINT)");
            connection.setAutoCommit(false);

            long book = sources.get("books").nextId();
            long[] chapters = sources.get("chapters").nextIds(3);

            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO book VALUES (?, ?)")) {
                insert.setLong(1, book);
                insert.setString(2, "Middlemarch");
                insert.execute();
            }
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO chapter VALUES (?, ?)")) {
                for (long chapter : chapters) {
                    insert.setLong(1, chapter);
                    insert.setLong(2, book);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            System.out.println("inserted book " + book + " with chapters " + chapters[0] + " to " + chapters[2]);
        }
    }
}
