package io.idgen.proof;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows that a table had. Several rows may have the same name, the value of the first column. */
record TableCopy(String table, String nameColumn, List<List<@Nullable Object>> rows) {

    static TableCopy of(String table, Connection connection) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getObject(i));
                }
                rows.add(row);
            }
            return new TableCopy(table, result.getMetaData().getColumnName(1), rows);
        }
    }

    /** Lets the rows with these names be as they were. */
    void putBack(Predicate<String> names, Connection connection) throws SQLException {
        List<List<@Nullable Object>> wanted =
                rows.stream().filter(row -> names.test(name(row))).toList();
        for (String name : wanted.stream().map(TableCopy::name).distinct().toList()) {
            update(connection, "DELETE FROM " + table + " WHERE " + nameColumn + " = ?", List.of(name));
        }
        for (List<@Nullable Object> row : wanted) {
            String marks = String.join(", ", Collections.nCopies(row.size(), "?"));
            update(connection, "INSERT INTO " + table + " VALUES (" + marks + ")", row);
        }
    }

    private static String name(List<@Nullable Object> row) {
        return String.valueOf(row.get(0));
    }

    private static void update(Connection connection, String sql, List<? extends @Nullable Object> values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            statement.executeUpdate();
        }
    }
}
