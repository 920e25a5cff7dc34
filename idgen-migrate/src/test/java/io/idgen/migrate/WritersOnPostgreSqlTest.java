package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.migrate.Migration.To;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class WritersOnPostgreSqlTest extends WritersContract {
    /** The driver repeats a statement whose result has another type since it was prepared. */
    private static final String REPEATS = "&autosave=conservative&prepareThreshold=1";

    @Override
    Library library(int books) throws SQLException {
        return Library.with("INT GENERATED ALWAYS AS IDENTITY", books);
    }

    @Override
    String options() {
        return REPEATS;
    }

    @Override
    String database() {
        return "PostgreSQL";
    }

    /** The plan tells this: the control without the driver's option. */
    @Test
    void withoutAutosaveAPreparedStatementInATransactionFailsOnceAfterTheSwap() throws Exception {
        try (Library library = Library.with(Library.IDENTITY, 5);
                Connection careless = DriverManager.getConnection(library.url() + "&prepareThreshold=1");
                Connection careful = DriverManager.getConnection(library.url() + REPEATS)) {
            insert(careless, 2);
            insert(careful, 2);
            library.apply(To.BIGINT);

            assertThatThrownBy(() -> insert(careless, 1))
                    .hasMessageContaining("cached plan must not change result type");
            careless.rollback();
            insert(careless, 1);
            insert(careful, 1);
        }
    }

    private static void insert(Connection connection, int rows) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO book (title) VALUES ('x') RETURNING id")) {
            for (int i = 0; i < rows; i++) {
                statement.executeQuery().close();
            }
        }
        connection.commit();
    }
}
