package io.idgen.migrate;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An id with all columns that refer to it by foreign keys, also indirectly, as PostgreSQL's catalog has them. All names
 * are quoted where necessary, and those of tables have their schema.
 *
 * <p>A column {@code id} has its counterpart in {@code id_idgen}: before the swap the new column, after it the old one.
 * The counterparts of indexes and foreign keys are called {@code idgen_} and the number of the original.
 *
 * @param tables the table of the id first
 * @param foreignKeys all foreign keys that have one of the columns
 * @param obstacles why the columns cannot be swapped
 */
record PostgreSqlCatalog(List<Table> tables, List<ForeignKey> foreignKeys, List<String> obstacles) {

    static final String TRIGGER = "zzz_idgen";
    static final String FILLED = "idgen: filled";

    /**
     * A column.
     *
     * @param type its type, for example {@code integer}
     * @param defaultValue an expression; null if it has none
     * @param notNullName the name of its NOT NULL constraint, which has one since PostgreSQL 18
     * @param identity {@code ALWAYS} or {@code BY DEFAULT}; empty if it is none
     * @param sequence the sequence that it owns; null if it owns none
     * @param other the counterpart; null if there is none
     */
    record Column(
            int number,
            String name,
            String type,
            boolean isNotNull,
            @Nullable String notNullName,
            String identity,
            @Nullable String defaultValue,
            @Nullable Sequence sequence,
            @Nullable String comment,
            @Nullable Other other,
            String otherName) {

        boolean isBigint() {
            return type.equals("bigint");
        }

        /** The CHECK of the counterpart. */
        String checkName() {
            return "idgen_notnull_" + number;
        }

        /** A BIGINT without a counterpart needs nothing. */
        boolean isMoved() {
            return !isBigint() || other != null;
        }

        /** The type that is not BIGINT. */
        String smallType() {
            return isBigint() && other != null ? other.type : type;
        }
    }

    /**
     * The counterpart of a column.
     *
     * @param notNull whether its CHECK is validated; null if it has none
     */
    record Other(String type, boolean isFilled, @Nullable Boolean notNull) {}

    /** A sequence of a column. */
    record Sequence(String name, long start, long increment, long max, long cache) {}

    /**
     * An index that has one of the columns.
     *
     * @param constraint the constraint behind it; null if there is none
     * @param isPrimary whether that is the primary key
     * @param other whether its counterpart is valid; null if there is none
     */
    record Index(
            long number,
            String name,
            String schema,
            String definition,
            @Nullable String constraint,
            boolean isPrimary,
            String deferral,
            @Nullable Boolean other) {

        String otherName() {
            return "idgen_" + number;
        }
    }

    /** A table with its columns that belong to the migration. */
    record Table(
            long number,
            String name,
            String schema,
            long rows,
            long bytes,
            boolean isOwned,
            boolean hasTrigger,
            List<Column> columns,
            List<Index> indexes,
            List<String> triggers,
            boolean isPublished) {

        /** The columns that become BIGINT, or have done so before the door. */
        List<Column> moved() {
            return columns.stream().filter(Column::isMoved).toList();
        }

        String function() {
            return schema + ".idgen_" + number;
        }
    }

    /**
     * A foreign key.
     *
     * @param rest what follows the columns in its definition
     * @param other whether its counterpart is validated; null if there is none
     */
    record ForeignKey(
            long number,
            String name,
            long child,
            String column,
            long parent,
            String parentName,
            String parentColumn,
            String rest,
            @Nullable Boolean other) {

        String otherName() {
            return "idgen_" + number;
        }
    }

    Table table(long number) {
        return tables.stream().filter(each -> each.number == number).findFirst().orElseThrow();
    }

    Stream<Column> columns() {
        return tables.stream().flatMap(each -> each.columns.stream());
    }

    /** The column that the migration is named after. */
    Column id() {
        return tables.get(0).columns.get(0);
    }

    /** Whether the new columns have the names of the old ones. */
    boolean isSwapped() {
        return columns().anyMatch(each -> each.isBigint() && each.other != null);
    }

    /** The tables with columns that become BIGINT, the parents first. */
    List<Table> moved() {
        return tables.stream().filter(each -> !each.moved().isEmpty()).toList();
    }

    /** The foreign keys that have a column with a counterpart. */
    List<ForeignKey> movedForeignKeys() {
        return foreignKeys.stream()
                .filter(each -> !other(each.child, each.column).equals(each.column)
                        || !other(each.parent, each.parentColumn).equals(each.parentColumn))
                .toList();
    }

    /** The name of a counterpart, or of the column itself if it has none. */
    String other(long table, String column) {
        return tables.stream()
                .filter(each -> each.number == table)
                .flatMap(each -> each.moved().stream())
                .filter(each -> each.name.equals(column))
                .map(Column::otherName)
                .findFirst()
                .orElse(column);
    }
}
