package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.migrate.PostgreSqlCatalog.Column;
import io.idgen.migrate.PostgreSqlCatalog.ForeignKey;
import io.idgen.migrate.PostgreSqlCatalog.Index;
import io.idgen.migrate.PostgreSqlCatalog.Other;
import io.idgen.migrate.PostgreSqlCatalog.Sequence;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads an id from PostgreSQL's catalog, and follows the foreign keys on it. */
final class PostgreSqlCatalogReader {
    private final Session session;
    private final Map<Long, List<Integer>> columns = new LinkedHashMap<>();
    private final Map<Long, ForeignKey> foreignKeys = new LinkedHashMap<>();
    private final List<String> obstacles = new ArrayList<>();

    private PostgreSqlCatalogReader(Session session) {
        this.session = session;
    }

    /** Reads the catalog. The names in it are complete, because the search path is empty meanwhile. */
    static PostgreSqlCatalog read(Session session, SqlName column) throws SQLException {
        Long table = session.query(
                        row -> row.getObject(1, Long.class),
                        "SELECT to_regclass(?)::oid::bigint",
                        column.table().toString())
                .get(0);
        if (table == null) {
            throw new IllegalArgumentException("there is no table " + column.table()
                    + "; name the id as table.column or schema.table.column, in lower case or in the quotes of SQL");
        }
        String name = column.column();
        session.execute("SET search_path = pg_catalog");
        PostgreSqlCatalog catalog = new PostgreSqlCatalogReader(session)
                .from(table, name.startsWith("\"") ? name : name.toLowerCase(Locale.ROOT));
        session.execute("RESET search_path");
        return catalog;
    }

    private PostgreSqlCatalog from(long table, String name) throws SQLException {
        List<Integer> found = session.query(
                row -> row.getInt(1),
                "SELECT attnum FROM pg_attribute WHERE attrelid = ? AND quote_ident(attname) = ?"
                        + " AND attnum > 0 AND NOT attisdropped",
                table,
                name);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the table has no column " + name);
        }
        follow(table, found.get(0));
        List<Table> tables = new ArrayList<>();
        for (Map.Entry<Long, List<Integer>> each : columns.entrySet()) {
            tables.add(table(each.getKey(), each.getValue()));
        }
        return new PostgreSqlCatalog(tables, List.copyOf(foreignKeys.values()), obstacles);
    }

    private void follow(long table, int column) throws SQLException {
        List<Integer> known = columns.computeIfAbsent(table, any -> new ArrayList<>());
        if (known.contains(column)) {
            return;
        }
        known.add(column);
        record Key(ForeignKey key, int column, int columns) {}
        for (Key each : session.query(
                row -> new Key(foreignKey(row), row.getInt("attnum"), row.getInt("columns")),
                "SELECT c.oid, quote_ident(c.conname) AS name, c.conrelid, c.confrelid,"
                        + " c.confrelid::regclass::text AS parent, a.attnum, quote_ident(a.attname) AS attname,"
                        + " quote_ident(p.attname) AS target, cardinality(c.conkey) AS columns,"
                        + " substring(pg_get_constraintdef(c.oid) FROM ' REFERENCES [^(]*\\([^)]*\\)(.*)$') AS rest,"
                        + " (SELECT o.convalidated FROM pg_constraint o WHERE o.conrelid = c.conrelid"
                        + " AND o.conname = 'idgen_' || c.oid) AS other"
                        + " FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid"
                        + " AND a.attnum = c.conkey[1] JOIN pg_attribute p ON p.attrelid = c.confrelid"
                        + " AND p.attnum = c.confkey[1] WHERE c.contype = 'f' AND c.conparentid = 0"
                        + " AND c.conname NOT LIKE 'idgen\\_%' AND (c.confrelid = ? AND ? = ANY(c.confkey)"
                        + " OR c.conrelid = ? AND ? = ANY(c.conkey)) ORDER BY c.oid",
                table,
                column,
                table,
                column)) {
            if (each.columns > 1) {
                obstacles.add("foreign key " + each.key.name() + " has several columns, which the migration does not"
                        + " know; replace it by one with a single column, or migrate these tables by hand");
            }
            foreignKeys.putIfAbsent(each.key.number(), each.key);
            if (each.key.parent() == table && each.columns == 1) {
                follow(each.key.child(), each.column);
            }
        }
    }

    private static ForeignKey foreignKey(ResultSet row) throws SQLException {
        return new ForeignKey(
                row.getLong("oid"),
                row.getString("name"),
                row.getLong("conrelid"),
                row.getString("attname"),
                row.getLong("confrelid"),
                row.getString("parent"),
                row.getString("target"),
                row.getString("rest").replace(" NOT VALID", ""),
                row.getObject("other", Boolean.class));
    }

    private Table table(long number, List<Integer> itsColumns) throws SQLException {
        List<Column> read = new ArrayList<>();
        for (int column : itsColumns) {
            read.add(column(number, column));
            obstacles.addAll(session.query(row -> row.getString(1) + " depends on it", DEPENDENTS, number, column));
        }
        obstacles.addAll(session.query(
                row -> "column " + row.getString(1) + " of table " + row.getString(2) + " is in a migration of its own,"
                        + " and a table has only one at a time; finish that one, or go back with it",
                "SELECT quote_ident(a.attname), a.attrelid::regclass::text FROM pg_attribute a JOIN pg_attribute o ON"
                        + " o.attrelid = a.attrelid AND o.attname = a.attname || '_idgen' AND NOT o.attisdropped"
                        + " WHERE a.attrelid = ? AND a.attnum <> ALL (string_to_array(?, ',')::int[]) ORDER BY 1",
                number,
                itsColumns.stream().map(String::valueOf).collect(Collectors.joining(","))));
        List<Index> indexes = indexes(number, itsColumns);
        List<String> triggers = session.query(
                row -> row.getString(1),
                "SELECT tgname || CASE WHEN tgtype & 16 = 0 THEN '' ELSE ' (also at UPDATE)' END FROM pg_trigger"
                        + " WHERE tgrelid = ? AND NOT tgisinternal AND tgname <> ? ORDER BY tgname",
                number,
                PostgreSqlCatalog.TRIGGER);
        return session.query(
                        row -> {
                            if (row.getBoolean("special")) {
                                obstacles.add("table " + row.getString("name") + " is partitioned, inherits, or is"
                                        + " no ordinary table, so its columns cannot be swapped one by one");
                            }
                            return new Table(
                                    number,
                                    row.getString("name"),
                                    row.getString("schema"),
                                    row.getLong("rows"),
                                    row.getLong("bytes"),
                                    row.getBoolean("owned"),
                                    row.getBoolean("trigger"),
                                    read,
                                    indexes,
                                    triggers,
                                    row.getBoolean("published"));
                        },
                        "SELECT c.oid::regclass::text AS name, quote_ident(n.nspname) AS schema,"
                                + " greatest(c.reltuples, 0)::bigint AS rows, pg_total_relation_size(c.oid) AS bytes,"
                                + " pg_has_role(c.relowner, 'USAGE') AS owned, EXISTS (SELECT FROM pg_trigger"
                                + " WHERE tgrelid = c.oid AND tgname = ? AND tgenabled = 'A') AS trigger,"
                                + " c.relkind <> 'r' OR c.relispartition OR EXISTS (SELECT FROM pg_inherits"
                                + " WHERE c.oid IN (inhparent, inhrelid)) AS special,"
                                + " EXISTS (SELECT FROM pg_publication_tables p WHERE p.schemaname = n.nspname"
                                + " AND p.tablename = c.relname) AS published"
                                + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ?",
                        PostgreSqlCatalog.TRIGGER,
                        number)
                .get(0);
    }

    /** All that refers to a column by its number, so that it would stay with the old column. */
    private static final String DEPENDENTS = """
        SELECT pg_describe_object(d.classid, d.objid, d.objsubid) FROM pg_depend d
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ? AND d.refobjsubid = ? AND NOT (
        d.classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint c WHERE c.oid = d.objid
        AND (c.contype IN ('p', 'u', 'f', 'n') OR c.conname LIKE 'idgen\\_%'))
        OR d.classid = 'pg_class'::regclass AND EXISTS (SELECT FROM pg_class c WHERE c.oid = d.objid
        AND c.relkind IN ('i', 'S'))
        OR d.classid = 'pg_attrdef'::regclass AND EXISTS (SELECT FROM pg_attrdef f WHERE f.oid = d.objid
        AND f.adrelid = d.refobjid AND f.adnum = d.refobjsubid AND d.deptype = 'a')) ORDER BY 1\
        """;

    private Column column(long table, int number) throws SQLException {
        List<Sequence> owned = session.query(
                row -> {
                    if (row.getBoolean("has_own_range")) {
                        obstacles.add(
                                "sequence " + row.getString("name") + " has a MINVALUE, MAXVALUE or CYCLE of its own");
                    }
                    return new Sequence(
                            row.getString("name"),
                            row.getLong("seqstart"),
                            row.getLong("seqincrement"),
                            row.getLong("seqmax"),
                            row.getLong("seqcache"));
                },
                // a swap creates the sequence of an IDENTITY again; the one of a SERIAL stays
                "SELECT s.seqrelid::regclass::text AS name, s.*, d.deptype = 'i' AND (s.seqmin <> 1 OR s.seqcycle"
                        + " OR s.seqmax NOT IN (32767, 2147483647, 9223372036854775807)) AS has_own_range FROM"
                        + " pg_sequence s JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid"
                        + " AND d.refclassid = 'pg_class'::regclass AND d.refobjid = ? AND d.refobjsubid = ?"
                        + " AND d.deptype IN ('a', 'i')",
                table,
                number);
        return session.query(
                        row -> new Column(
                                number,
                                row.getString("name"),
                                row.getString("type"),
                                row.getBoolean("attnotnull"),
                                row.getString("notnull_name"),
                                row.getString("identity"),
                                row.getString("identity").isEmpty() ? row.getString("value") : null,
                                owned.isEmpty() ? null : owned.get(0),
                                row.getString("comment"),
                                other(row),
                                row.getString("other_name")),
                        "SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type,"
                                + " a.attnotnull, (SELECT quote_ident(conname) FROM pg_constraint WHERE contype = 'n' AND"
                                + " conrelid = a.attrelid AND conkey[1] = a.attnum) AS notnull_name, CASE a.attidentity"
                                + " WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' ELSE '' END AS identity,"
                                + " pg_get_expr(d.adbin, d.adrelid) AS value, col_description(a.attrelid, a.attnum) AS"
                                + " comment, quote_ident(a.attname || '_idgen') AS other_name,"
                                + " format_type(o.atttypid, o.atttypmod) AS other_type, col_description(o.attrelid,"
                                + " o.attnum) AS other_comment, (SELECT convalidated FROM pg_constraint WHERE conrelid ="
                                + " o.attrelid AND conname = 'idgen_notnull_' || a.attnum) AS other_notnull,"
                                + " length(a.attname || '_idgen_t') > 63 AS long, a.attacl IS NOT NULL AS granted FROM"
                                + " pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
                                + " LEFT JOIN pg_attribute o ON o.attrelid = a.attrelid AND o.attname = a.attname ||"
                                + " '_idgen' AND NOT o.attisdropped WHERE a.attrelid = ? AND a.attnum = ?",
                        table,
                        number)
                .get(0);
    }

    private @Nullable Other other(ResultSet row) throws SQLException {
        if (row.getBoolean("long")) {
            obstacles.add("the name of column " + row.getString("name") + " is too long for " + " _idgen"
                    + " to be added; rename it first");
        }
        if (row.getBoolean("granted")) {
            obstacles.add("column " + row.getString("name")
                    + " has privileges of its own, which would stay with the old column; grant them on the table");
        }
        String type = row.getString("other_type");
        return type == null
                ? null
                : new Other(
                        type,
                        PostgreSqlCatalog.FILLED.equals(row.getString("other_comment")),
                        row.getObject("other_notnull", Boolean.class));
    }

    private List<Index> indexes(long table, List<Integer> itsColumns) throws SQLException {
        String numbers = itsColumns.toString().replace('[', '{').replace(']', '}');
        return session.query(
                row -> {
                    if (row.getBoolean("indisreplident")) {
                        obstacles.add("index " + row.getString("name")
                                + " is the replica identity, which a swap would end; set REPLICA IDENTITY FULL first");
                    }
                    return new Index(
                            row.getLong("oid"),
                            row.getString("name"),
                            row.getString("schema"),
                            row.getString("definition"),
                            row.getString("constraint"),
                            Objects.equals(row.getString("contype"), "p"),
                            row.getString("deferral"),
                            row.getObject("other", Boolean.class));
                },
                "SELECT c.oid, quote_ident(c.relname) AS name, quote_ident(n.nspname) AS schema, i.indisreplident,"
                        + " pg_get_indexdef(c.oid) AS definition, quote_ident(k.conname) AS constraint, k.contype,"
                        + " CASE WHEN k.condeferrable THEN ' DEFERRABLE' ELSE '' END ||"
                        + " CASE WHEN k.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END AS deferral,"
                        + " (SELECT v.indisvalid FROM pg_class o JOIN pg_index v ON v.indexrelid = o.oid"
                        + " WHERE o.relnamespace = c.relnamespace AND o.relname = 'idgen_' || c.oid) AS other"
                        + " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                        + " JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_constraint k"
                        + " ON k.conindid = c.oid AND k.conrelid = i.indrelid AND k.contype IN ('p', 'u')"
                        + " WHERE i.indrelid = ? AND c.relname NOT LIKE 'idgen\\_%'"
                        + " AND (i.indkey::int2[] && ?::int2[] OR EXISTS (SELECT FROM pg_depend d"
                        + " WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refobjid = i.indrelid"
                        + " AND d.refobjsubid = ANY(?::int2[]))) ORDER BY c.oid",
                table,
                numbers,
                numbers);
    }
}
