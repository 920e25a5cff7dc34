package library;

import io.helidon.dbclient.DbClient;
import io.helidon.dbclient.DbClientException;
import io.helidon.dbclient.DbTransaction;
import io.helidon.dbclient.jdbc.JdbcClientBuilder;
import io.idgen.core.config.IdSources;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

public class HelidonLibrary {

    public static void main(String[] args) {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:./target/library;AUTO_SERVER=TRUE", "sa", "");
        DbClient database =
                JdbcClientBuilder.create().connectionPool(() -> connection(pool)).build();
        try (IdSources ids = IdSources.builder()
                .resource(DataSource.class, pool)
                .set("idgen.jdbc.initialize-schema", "always")
                .source("books")
                .source("chapters")
                .build()) {
            database.execute().dml("CREATE TABLE IF NOT EXISTS book (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            database.execute().dml("CREATE TABLE IF NOT EXISTS chapter (id BIGINT PRIMARY KEY, book BIGINT)");

            long book = ids.get("books").nextId();
            DbTransaction transaction = database.transaction();
            transaction.insert("INSERT INTO book VALUES (?, ?)", book, "Middlemarch");
            transaction.insert(
                    "INSERT INTO chapter VALUES (?, ?)", ids.get("chapters").nextId(), book);
            transaction.commit();
            System.out.println("inserted book " + book);
        } finally {
            database.close();
            pool.dispose();
        }
    }

    private static Connection connection(DataSource pool) {
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            throw new DbClientException("no connection", e);
        }
    }
}
