package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.migrate.MySqlTable.ForeignKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An id of MariaDB or MySQL, with all tables whose foreign keys lead to its table. They are copied together, because a
 * foreign key follows its table when that gets another name.
 *
 * @param tables the table of the id first, and each parent before its children
 * @param copies the copies that exist, by the names of their tables
 * @param columns the columns that belong to the id, by their tables
 * @param obstacles why the tables cannot be copied
 */
record MySqlCatalog(
        List<MySqlTable> tables,
        Map<String, MySqlTable> copies,
        Map<String, Set<String>> columns,
        List<String> obstacles) {

    /** Reads the tables. From then on, the schema of the column is the default of the session. */
    static MySqlCatalog read(Session session, SqlName column) throws SQLException {
        List<String> parts =
                column.parts().stream().map(each -> each.replace("`", "")).toList();
        if (parts.size() == 3) {
            session.execute("USE `" + parts.get(0) + "`");
        }
        MySqlTable root = table(session, parts.get(parts.size() - 2));
        if (root == null) {
            throw new IllegalArgumentException(
                    "there is no table " + column.table() + "; name the id as table.column or schema.table.column");
        }
        Map<String, MySqlTable> family = new LinkedHashMap<>(Map.of(root.name(), root));
        Map<String, Set<String>> columns = new LinkedHashMap<>();
        columns.put(
                root.name(),
                new LinkedHashSet<>(
                        List.of(root.column(parts.get(parts.size() - 1)).name())));
        List<String> obstacles = new ArrayList<>();
        follow(session, root, family, columns, obstacles);
        Map<String, MySqlTable> copies = new LinkedHashMap<>();
        for (MySqlTable each : family.values()) {
            MySqlTable copy = table(session, each.copyName());
            if (copy != null) {
                copies.put(each.name(), copy);
            }
        }
        return new MySqlCatalog(parentsFirst(family, obstacles), copies, columns, obstacles);
    }

    /** Returns null if there is no such table. */
    static @Nullable MySqlTable table(Session session, String name) throws SQLException {
        if (!session.isTrue(
                "SELECT count(*) > 0 FROM information_schema.tables WHERE table_schema = database() AND table_name = ?",
                name)) {
            return null;
        }
        String definition = session.query(row -> row.getString(2), "SHOW CREATE TABLE `" + name + "`")
                .get(0);
        return new MySqlTable(
                name,
                definition,
                session.query(
                        row -> row.getString(1),
                        "SELECT trigger_name FROM information_schema.triggers WHERE event_object_schema = database()"
                                + " AND event_object_table = ? ORDER BY 1",
                        name));
    }

    private static void follow(
            Session session,
            MySqlTable parent,
            Map<String, MySqlTable> family,
            Map<String, Set<String>> columns,
            List<String> obstacles)
            throws SQLException {
        for (String name : session.query(
                row -> row.getString(1),
                "SELECT DISTINCT CASE table_schema WHEN database() THEN table_name ELSE concat(table_schema, '.',"
                        + " table_name) END FROM information_schema.key_column_usage WHERE referenced_table_schema ="
                        + " database() AND referenced_table_name = ? ORDER BY 1",
                parent.name())) {
            if (name.contains(".")) {
                obstacles.add("table " + name + " of another schema refers to " + parent.name());
                continue;
            }
            MySqlTable child = family.containsKey(name) ? family.get(name) : table(session, name);
            boolean isNew = child != null && family.putIfAbsent(name, child) == null;
            Set<String> known = columns.computeIfAbsent(name, any -> new LinkedHashSet<>());
            if (child != null && (known.addAll(referring(child, parent, columns)) || isNew)) {
                follow(session, child, family, columns, obstacles);
            }
        }
    }

    /** The columns of a child that refer to columns that belong to the id. */
    private static Set<String> referring(MySqlTable child, MySqlTable parent, Map<String, Set<String>> columns) {
        Set<String> found = new LinkedHashSet<>();
        for (ForeignKey key : child.foreignKeys()) {
            for (int i = 0;
                    key.parent().equals(parent.name()) && i < key.columns().size();
                    i++) {
                if (columns.getOrDefault(parent.name(), Set.of())
                        .contains(key.parentColumns().get(i))) {
                    found.add(key.columns().get(i));
                }
            }
        }
        return found;
    }

    private static List<MySqlTable> parentsFirst(Map<String, MySqlTable> family, List<String> obstacles) {
        List<MySqlTable> sorted = new ArrayList<>();
        Map<String, MySqlTable> left = new LinkedHashMap<>(family);
        while (!left.isEmpty()) {
            List<MySqlTable> next = left.values().stream()
                    .filter(each -> each.foreignKeys().stream()
                            .noneMatch(key -> !key.parent().equals(each.name()) && left.containsKey(key.parent())))
                    .toList();
            if (next.isEmpty()) {
                obstacles.add(
                        "the foreign keys of " + left.keySet() + " form a circle, so no table can be copied first");
                next = List.copyOf(left.values());
            }
            sorted.addAll(next);
            next.forEach(each -> left.remove(each.name()));
        }
        return sorted;
    }

    MySqlTable root() {
        return tables.get(0);
    }

    /** The column that the migration is named after. */
    MySqlTable.Column id() {
        return root().column(columns(root()).iterator().next());
    }

    Set<String> names() {
        return tables.stream().map(MySqlTable::name).collect(Collectors.toSet());
    }

    Set<String> columns(MySqlTable table) {
        return columns.getOrDefault(table.name(), Set.of());
    }

    /** The copy of a table, which has no columns and triggers if there is none. */
    MySqlTable copy(MySqlTable table) {
        return copies.getOrDefault(table.name(), new MySqlTable(table.copyName(), "", List.of()));
    }

    /** How many rows a table has about. */
    long rows(Session session, MySqlTable table) throws SQLException {
        return statistic(session, table, "table_rows");
    }

    /** How long a row is about, in bytes. */
    long averageBytes(Session session, MySqlTable table) throws SQLException {
        return statistic(session, table, "avg_row_length");
    }

    private static long statistic(Session session, MySqlTable table, String column) throws SQLException {
        return session.number(
                "SELECT coalesce(sum(" + column + "), 0) FROM information_schema.tables WHERE table_schema = database()"
                        + " AND table_name = ?",
                table.name());
    }
}
