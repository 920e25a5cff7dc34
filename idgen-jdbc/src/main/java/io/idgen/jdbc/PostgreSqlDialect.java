package io.idgen.jdbc;

import io.idgen.jdbc.internal.SqlName;
import java.sql.SQLException;

/** PostgreSQL. Source: its manual, "UPDATE … RETURNING" and appendix A, error codes. */
final class PostgreSqlDialect implements Dialect {
    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public boolean speaks(String product) {
        return product.equals("PostgreSQL");
    }

    @Override
    public String addAndGet(SqlName table) {
        return "UPDATE " + table + " SET max_id = max_id + ? WHERE biz_tag = ? AND max_id <= ? RETURNING max_id";
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return "42P01".equals(e.getSQLState());
    }
}
