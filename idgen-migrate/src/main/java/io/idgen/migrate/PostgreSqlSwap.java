package io.idgen.migrate;

import io.idgen.migrate.PostgreSqlCatalog.Column;
import io.idgen.migrate.PostgreSqlCatalog.Index;
import io.idgen.migrate.PostgreSqlCatalog.Sequence;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements that swap the names of columns and of all that belongs to them, in either direction. Pure. */
record PostgreSqlSwap(PostgreSqlCatalog catalog) {
    /** The values of the types that can become BIGINT. */
    static final Map<String, String> RANGES =
            Map.of("smallint", "BETWEEN -32768 AND 32767", "integer", "BETWEEN -2147483648 AND 2147483647");

    /** The function of a trigger. A new version also makes old sessions forget the types of the columns. */
    static String function(Table table, boolean fromBigint) {
        return "CREATE OR REPLACE FUNCTION " + table.function() + "() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN "
                + table.moved().stream()
                        .map(each -> "NEW." + each.otherName() + " := "
                                + value("NEW." + each.name(), fromBigint ? each.smallType() : null) + "; ")
                        .collect(Collectors.joining())
                + "RETURN NEW; END$$";
    }

    /** The value of the counterpart; null if its type cannot have it. */
    static String value(String column, @Nullable String smallType) {
        return smallType == null
                ? column
                : "CASE WHEN " + column + " " + RANGES.get(smallType) + " THEN " + column + " END";
    }

    /** Gives the counterparts the names of the columns, and the names of all that belongs to them. */
    List<String> statements() {
        List<String> sql = new ArrayList<>();
        // parents first, as most transactions of applications
        catalog.moved().forEach(table -> sql.add("LOCK TABLE " + table.name() + " IN ACCESS EXCLUSIVE MODE"));
        catalog.movedForeignKeys()
                .forEach(key ->
                        sql.add("ALTER TABLE " + catalog.table(key.child()).name() + " DROP CONSTRAINT " + key.name()));
        catalog.moved().forEach(table -> swap(table, sql));
        catalog.movedForeignKeys()
                .forEach(key ->
                        sql.add("ALTER TABLE " + catalog.table(key.child()).name() + " RENAME CONSTRAINT "
                                + key.otherName() + " TO " + key.name()));
        return sql;
    }

    private void swap(Table table, List<String> sql) {
        String alter = "ALTER TABLE " + table.name() + " ";
        for (Index index : table.indexes()) {
            sql.add(
                    index.constraint() != null
                            ? alter + "DROP CONSTRAINT " + index.constraint()
                            : "DROP INDEX " + index.schema() + "." + index.name());
        }
        for (Column column : table.moved()) {
            swap(table, column, sql);
        }
        for (Index index : table.indexes()) {
            sql.add(
                    index.constraint() != null
                            ? alter + "ADD CONSTRAINT " + index.constraint()
                                    + (index.isPrimary() ? " PRIMARY KEY" : " UNIQUE") + " USING INDEX "
                                    + index.otherName()
                                    + index.deferral()
                            : "ALTER INDEX " + index.schema() + "." + index.otherName() + " RENAME TO " + index.name());
        }
        sql.add(function(table, !catalog.isSwapped()));
    }

    private static void swap(Table table, Column column, List<String> sql) {
        String alter = "ALTER TABLE " + table.name() + " ";
        String temporary = column.otherName().replaceFirst("(\"?)$", "_t$1");
        Sequence sequence = column.sequence();
        Sequence identity = column.identity().isEmpty() ? null : sequence;
        if (identity != null) {
            sql.add("SELECT set_config('idgen.last', last_value::text, true), set_config('idgen.called',"
                    + " is_called::text, true) FROM " + identity.name());
            sql.add(alter + "ALTER COLUMN " + column.name() + " DROP IDENTITY");
        } else if (column.defaultValue() != null) {
            sql.add(alter + "ALTER COLUMN " + column.otherName() + " SET DEFAULT " + column.defaultValue());
            sql.add(alter + "ALTER COLUMN " + column.name() + " DROP DEFAULT");
        }
        if (column.isNotNull()) {
            sql.add(alter + "ALTER COLUMN " + column.name() + " DROP NOT NULL");
        }
        sql.add(alter + "RENAME COLUMN " + column.name() + " TO " + temporary);
        sql.add(alter + "RENAME COLUMN " + column.otherName() + " TO " + column.name());
        sql.add(alter + "RENAME COLUMN " + temporary + " TO " + column.otherName());
        if (column.isNotNull()) { // the CHECK saves the scan
            sql.add(alter
                    + (column.notNullName() == null
                            ? "ALTER COLUMN " + column.name() + " SET NOT NULL"
                            : "ADD CONSTRAINT " + column.notNullName() + " NOT NULL " + column.name()));
            sql.add(alter + "DROP CONSTRAINT " + column.checkName());
        }
        sql.add("COMMENT ON COLUMN " + table.name() + "." + column.otherName() + " IS NULL");
        sql.add("COMMENT ON COLUMN " + table.name() + "." + column.name() + " IS "
                + (column.comment() == null ? "NULL" : "'" + column.comment().replace("'", "''") + "'"));
        if (identity != null) {
            sql.add(alter + "ALTER COLUMN " + column.name() + " ADD GENERATED " + column.identity()
                    + " AS IDENTITY (SEQUENCE NAME " + identity.name() + " START WITH " + identity.start()
                    + " INCREMENT BY " + identity.increment() + " CACHE " + identity.cache() + ")");
            sql.add("SELECT setval('" + identity.name().replace("'", "''")
                    + "', current_setting('idgen.last')::bigint, current_setting('idgen.called')::boolean)");
        } else if (sequence != null) {
            sql.add("ALTER SEQUENCE " + sequence.name() + " AS " + (column.isBigint() ? column.smallType() : "bigint")
                    + " OWNED BY " + table.name() + "." + column.name());
        }
    }
}
