package library;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

public class ShardingLibrary {

    public static void main(String[] args) throws Exception {
        byte[] yaml =
                ShardingLibrary.class.getResourceAsStream("/sharding.yaml").readAllBytes();
        DataSource library = YamlShardingSphereDataSourceFactory.createDataSource(yaml);
        try (Connection connection = library.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE book (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            statement.execute("INSERT INTO book (title) VALUES ('Middlemarch')");
            ResultSet books = statement.executeQuery("SELECT id FROM book");
            books.next();
            System.out.println("inserted book " + books.getLong(1));
        } finally {
            ((AutoCloseable) library).close();
        }
    }
}
