package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.migrate.Stage.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From AUTO_INCREMENT to ids of the application on MariaDB and MySQL. InnoDB moves AUTO_INCREMENT above each id that is
 * inserted, so an old instance would generate numbers among the new ids and meet them. So old instances end first. A
 * trigger then refuses automatic numbers: a forgotten instance gets an error, and no number that collides.
 */
final class MySqlBeforeInsert implements Path {

    /** A column of the catalog. */
    private record Column(String table, String name, String type, boolean isAutomatic) {}

    private final SqlName table;
    private final SqlName trigger;
    private final List<Column> columns;
    private final boolean hasTrigger;
    private final boolean hasNewIds;

    MySqlBeforeInsert(Session session, SqlName column) throws SQLException {
        this.table = column.table();
        String name = plain(table.column());
        @Nullable String schema = table.parts().size() > 1 ? plain(table.parts().get(0)) : null;
        this.trigger = SqlName.parse((schema == null ? "" : table.parts().get(0) + ".") + "`idgen_" + name + "`", 1, 2);
        this.columns = session.query(
                row -> new Column(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4).contains("auto_increment")),
                "SELECT c.table_name, c.column_name, c.data_type, c.extra FROM information_schema.columns c WHERE"
                        + " c.table_schema = coalesce(?, database()) AND c.table_name = ? AND c.column_name = ? UNION ALL"
                        + " SELECT k.table_name, k.column_name, c.data_type, '' FROM information_schema.key_column_usage k"
                        + " JOIN information_schema.columns c ON c.table_schema = k.table_schema AND c.table_name ="
                        + " k.table_name AND c.column_name = k.column_name WHERE k.referenced_table_schema = coalesce(?,"
                        + " database()) AND k.referenced_table_name = ? AND k.referenced_column_name = ?",
                schema,
                name,
                plain(column.column()),
                schema,
                name,
                plain(column.column()));
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("there is no column " + column + "; name the id as table.column");
        }
        this.hasTrigger = session.isTrue(
                "SELECT count(*) > 0 FROM information_schema.triggers WHERE trigger_schema = coalesce(?, database())"
                        + " AND trigger_name = ?",
                schema,
                "idgen_" + name);
        this.hasNewIds = session.isTrue(
                "SELECT EXISTS (SELECT 1 FROM " + table + " WHERE " + column.column() + " >= " + FIRST_NEW + ")");
    }

    private static String plain(String identifier) {
        return identifier.replace("`", "");
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Column each : columns) {
            boolean isBigint = each.type.equalsIgnoreCase("bigint");
            findings.add(new Finding(
                    isBigint ? Level.OK : Level.WRONG,
                    "type",
                    each.table + "." + each.name + " is " + each.type
                            + (isBigint
                                    ? ""
                                    : ", which cannot have the new ids; make it BIGINT first, as"
                                            + " docs/adopting.md describes")));
        }
        if (!columns.get(0).isAutomatic) {
            findings.add(new Finding(
                    hasNewIds ? Level.OK : Level.WRONG,
                    "numbers",
                    "the column has no AUTO_INCREMENT, so its ids come from the application already"));
        } else if (hasNewIds && !hasTrigger) {
            findings.add(new Finding(
                    Level.WARN,
                    "numbers",
                    "the table has ids of the application, so AUTO_INCREMENT is above them: every automatic number can"
                            + " collide with a new id; make step 1 at once"));
        }
        return findings;
    }

    @Override
    public List<Stage> forward() {
        String id = "`" + columns.get(0).name + "`";
        return List.of(
                new Stage(
                        "refuse automatic numbers, after you have ended all old instances",
                        false,
                        true,
                        "the metadata of the table, for a moment",
                        "old instances cannot insert any more: they get an error instead of a number. They must end"
                                + " before the first new id, because AUTO_INCREMENT follows the largest id: their numbers"
                                + " would lie among the snowflakes, and collide with them",
                        "idgen migrate back, until the first new id",
                        List.of(Change.locking(
                                hasTrigger || !columns.get(0).isAutomatic,
                                List.of("CREATE TRIGGER " + trigger + " BEFORE INSERT ON " + table
                                        + " FOR EACH ROW IF NEW." + id
                                        + " = 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT ="
                                        + " 'automatic ids have ended: this version of the application"
                                        + " is too old'; END IF")))),
                new Stage(
                        "deploy the version with ids before the insert, by hand; done at the first new id",
                        true,
                        true,
                        "none",
                        "only new versions. Remove AUTO_INCREMENT by ALTER TABLE … MODIFY when a copy of the table"
                                + " suits you; the trigger does the same until then",
                        "none to small numbers: AUTO_INCREMENT continues above the largest snowflake. docs/adopting.md"
                                + " has the way back to automatic numbers, without any instance of idgen",
                        List.of(new Change(hasNewIds, List.of(), (any, runner) -> {}))));
    }

    @Override
    public List<Stage> back() {
        if (hasNewIds) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    table
                            + " has ids of the application, and AUTO_INCREMENT would continue above them and collide"
                            + " with the next ones; end all instances of idgen for good, then drop the"
                            + " trigger " + trigger
                            + " yourself");
        }
        return List.of(new Stage(
                "accept automatic numbers again",
                "the metadata of the table, for a moment",
                "old versions",
                "apply again",
                List.of(Change.locking(!hasTrigger, List.of("DROP TRIGGER " + trigger)))));
    }

    @Override
    public List<Comparison> compare() {
        return List.of();
    }
}
