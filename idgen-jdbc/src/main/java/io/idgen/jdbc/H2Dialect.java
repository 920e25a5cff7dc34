package io.idgen.jdbc;

import io.idgen.jdbc.internal.SqlName;
import java.sql.SQLException;

/** H2. Source: its grammar, "Data Change Delta Table". */
final class H2Dialect implements Dialect {
    @Override
    public String name() {
        return "h2";
    }

    @Override
    public boolean speaks(String product) {
        return product.equals("H2");
    }

    @Override
    public String addAndGet(SqlName table) {
        return "SELECT max_id FROM FINAL TABLE (UPDATE " + table
                + " SET max_id = max_id + ? WHERE biz_tag = ? AND max_id <= ?)";
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return "42S02".equals(e.getSQLState()) || "42S04".equals(e.getSQLState());
    }
}
