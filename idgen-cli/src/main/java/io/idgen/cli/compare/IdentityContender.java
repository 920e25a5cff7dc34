package io.idgen.cli.compare;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** IDENTITY or AUTO_INCREMENT: each key costs an insert, which is how it is measured here. */
final class IdentityContender implements Contender {
    static final String NAME = "identity";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Family family() {
        return Family.WITH_ROW;
    }

    @Override
    public String what() {
        return "the column makes it; a row is inserted for each";
    }

    @Override
    public Keys open(Opening opening) {
        DataSource dataSource = opening.route().dataSource();
        String insert = "INSERT INTO " + Bench.identityTable(opening.route().tablePrefix(), opening.role())
                + " (name) VALUES ('x')";
        return new Keys() {
            @Override
            public void next(long[] into, int at) {
                into[at] = insert(dataSource, insert);
            }

            @Override
            public void close() {}
        };
    }

    private static long insert(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            return generatedKey(insert);
        } catch (SQLException e) {
            throw new IdGenerationException(ErrorCode.DATABASE_FAILED, "no row, so no id: " + e.getMessage(), e);
        }
    }

    /** The key of the row that a statement has inserted. */
    static long generatedKey(PreparedStatement insert) throws SQLException {
        try (ResultSet keys = insert.getGeneratedKeys()) {
            if (!keys.next()) {
                throw new SQLException("the driver gives no generated key");
            }
            return keys.getLong(1);
        }
    }
}
