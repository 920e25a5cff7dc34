package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.PostgreSqlCatalog.Column;
import io.idgen.migrate.PostgreSqlCatalog.ForeignKey;
import io.idgen.migrate.PostgreSqlCatalog.Index;
import io.idgen.migrate.PostgreSqlCatalog.Other;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import io.idgen.migrate.Stage.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From INT to BIGINT on PostgreSQL. Each column gets a counterpart, which a trigger keeps equal. When the counterparts
 * have all values, indexes and foreign keys, one transaction swaps the names. The trigger then keeps the old columns
 * equal, so the same steps lead back.
 *
 * <p>All steps but the swap are here, in the order of the plan. Plan and statements are not two classes, because the
 * plan promises locks, pauses and ways back, and only the statements below show whether it is right.
 */
final class PostgreSqlWidening implements Path {
    private static final Pattern WORDS = Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")+\"|[\\p{L}_][\\p{L}\\w$]*");
    private static final String MOMENT = "ACCESS EXCLUSIVE on each table in turn, for a moment";
    private static final String NONE = "none that block reads or writes";
    private static final String ANY = "old and new versions run";
    private static final String DROPS = "idgen migrate back drops the new columns";

    private final Session session;
    private final PostgreSqlCatalog catalog;
    private final List<Table> tables;
    private final boolean isSwapped;

    PostgreSqlWidening(Session session, PostgreSqlCatalog catalog) {
        this.session = session;
        this.catalog = catalog;
        this.isSwapped = catalog.isSwapped();
        this.tables = catalog.moved();
        catalog.columns()
                .filter(each -> !each.isBigint() && !PostgreSqlSwap.RANGES.containsKey(each.type()))
                .forEach(each -> {
                    throw new IllegalArgumentException("column " + each.name() + " is of the type " + each.type()
                            + "; only smallint and integer can become bigint");
                });
    }

    // ---- findings

    @Override
    public List<Finding> findings() throws SQLException {
        List<Finding> findings = new ArrayList<>(new PostgreSqlChecks(session, catalog).findings());
        if (tables.isEmpty()) {
            findings.add(new Finding(Level.OK, "type", "all columns are BIGINT already"));
        }
        catalog.obstacles()
                .forEach(each -> findings.add(
                        isSwapped
                                ? new Finding(
                                        Level.WARN,
                                        "columns",
                                        each + ", which prevents the way back until you remove it")
                                : new Finding(
                                        Level.WRONG,
                                        "columns",
                                        each + "; a swap of names would pass it by, so remove it first")));
        for (Table table : tables) {
            for (String trigger : table.triggers()) {
                findings.add(new Finding(
                        Level.WARN,
                        "triggers",
                        "trigger " + trigger + " of " + table.name()
                                + ": the backfill updates each row once and so fires it at UPDATE; after the swap,"
                                + " sessions that have run it must connect again if its function uses the id as NEW or"
                                + " OLD"));
            }
            if (table.isPublished()) {
                findings.add(new Finding(
                        Level.WARN,
                        "publications",
                        table.name() + " is published; give the subscribers the new column before step 2, and swap the"
                                + " names there at the same time"));
            }
        }
        return findings;
    }

    // ---- forward and back

    @Override
    public List<Stage> forward() {
        if (tables.isEmpty()) {
            return List.of();
        }
        List<Stage> stages = new ArrayList<>();
        stages.add(new Stage("add the new columns and triggers", MOMENT, ANY, DROPS, isSwapped ? List.of() : add()));
        stages.addAll(prepare(DROPS, isSwapped));
        stages.add(new Stage(
                "swap the names",
                "ACCESS EXCLUSIVE on all tables at once, for a moment; no table is scanned",
                ANY + "; old versions fail at ids above the range of INT. The new columns are the last of their"
                        + " tables. Prepared statements that return a column fail once per connection with \"cached plan"
                        + " must not change result type\": pgjdbc with autosave=conservative repeats them, so no insert"
                        + " fails",
                "idgen migrate back builds the indexes of the old columns again and swaps, as long as no id is above"
                        + " the range of INT",
                isSwapped ? List.of() : List.of(swapIfEqual())));
        stages.add(new Stage(
                "drop the old columns",
                true,
                true,
                MOMENT,
                "only versions that read the id as a long",
                "none: this is the one-way door",
                isSwapped ? drop() : List.of(Change.byHand(false))));
        return stages;
    }

    @Override
    public List<Stage> back() throws SQLException {
        if (!isSwapped) {
            return catalog.columns().allMatch(each -> each.other() == null)
                    ? List.of()
                    : List.of(new Stage("drop the new columns", MOMENT, ANY, "apply again", drop()));
        }
        if (!catalog.obstacles().isEmpty()) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    String.join("; ", catalog.obstacles()) + "; a swap of names would pass it by, so remove it first");
        }
        if (!catalog.columns()
                .allMatch(each -> each.other() == null || each.other().isFilled())) {
            refuseIfIdsDoNotFit();
        }
        List<Stage> stages = new ArrayList<>(prepare("apply again", false));
        stages.add(new Stage(
                "swap the names back, then drop the new columns",
                "ACCESS EXCLUSIVE on all tables at once, for a moment; no table is scanned",
                "ids above the range of INT fail",
                "apply again",
                List.of(swapIfEqual())));
        return stages;
    }

    private void refuseIfIdsDoNotFit() throws SQLException {
        for (Table table : tables) {
            for (Column column : table.moved()) {
                String range = PostgreSqlSwap.RANGES.get(column.smallType());
                if (session.isTrue("SELECT EXISTS (SELECT FROM " + table.name() + " WHERE NOT " + column.name() + " "
                        + range + ")")) {
                    throw Path.noWayBack(table.name() + "." + column.name(), column.smallType());
                }
            }
        }
    }

    /** The steps that make the counterparts complete. They are the same in both directions. */
    private List<Stage> prepare(String back, boolean isDone) {
        return List.of(
                new Stage(
                        "fill the columns",
                        "rows of a batch, for a moment; rows that others have locked wait for a later pass",
                        ANY,
                        back,
                        isDone ? List.of() : fill()),
                new Stage("build the indexes", NONE, ANY, back, isDone ? List.of() : index()),
                new Stage(
                        "forbid nulls, without a scan under a lock",
                        MOMENT,
                        ANY,
                        back,
                        isDone ? List.of() : forbidNulls()),
                new Stage(
                        "add the foreign keys, without a scan under a lock",
                        "SHARE ROW EXCLUSIVE on a child and its parent, which blocks writes, for a moment",
                        ANY,
                        back,
                        isDone ? List.of() : addForeignKeys()));
    }

    // ---- changes

    private List<Change> add() {
        List<Change> changes = new ArrayList<>();
        for (Table table : tables) {
            List<String> sql = new ArrayList<>();
            sql.add("ALTER TABLE " + table.name() + " "
                    + table.moved().stream()
                            .map(each -> "ADD COLUMN IF NOT EXISTS " + each.otherName() + " bigint")
                            .collect(Collectors.joining(", ")));
            sql.add(PostgreSqlSwap.function(table, false));
            sql.add("CREATE OR REPLACE TRIGGER " + PostgreSqlCatalog.TRIGGER + " BEFORE INSERT OR UPDATE ON "
                    + table.name() + " FOR EACH ROW EXECUTE FUNCTION " + table.function() + "()");
            // also for rows that a subscription writes
            sql.add("ALTER TABLE " + table.name() + " ENABLE ALWAYS TRIGGER " + PostgreSqlCatalog.TRIGGER);
            changes.add(Change.locking(
                    table.hasTrigger() && table.moved().stream().allMatch(each -> each.other() != null), sql));
        }
        return changes;
    }

    private String value(Column column) {
        return PostgreSqlSwap.value(column.name(), isSwapped ? column.smallType() : null);
    }

    private String differs(Column column) {
        return column.otherName() + " IS DISTINCT FROM " + value(column);
    }

    private List<Change> fill() {
        List<Change> changes = new ArrayList<>();
        for (Table table : tables) {
            List<Column> columns = table.moved();
            String differs = columns.stream().map(this::differs).collect(Collectors.joining(" OR "));
            String batch = "UPDATE " + table.name() + " SET "
                    + columns.stream()
                            .map(each -> each.otherName() + " = " + value(each))
                            .collect(Collectors.joining(", "))
                    + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM " + table.name()
                    + " WHERE ctid >= '(:from,0)' AND ctid <"
                    + " '(:to,0)' AND (" + differs + ") FOR NO KEY UPDATE SKIP LOCKED))";
            List<String> marks = columns.stream()
                    .map(each -> "COMMENT ON COLUMN " + table.name() + "." + each.otherName() + " IS '"
                            + PostgreSqlCatalog.FILLED + "'")
                    .toList();
            changes.add(new Change(
                    columns.stream()
                            .allMatch(
                                    each -> each.other() != null && each.other().isFilled()),
                    Stream.concat(Stream.of(batch), marks.stream()).toList(),
                    (any, runner) -> {
                        do {
                            fill(table, batch, runner);
                        } while (session.isTrue(
                                "SELECT EXISTS (SELECT FROM " + table.name() + " WHERE " + differs + ")"));
                        runner.lock(session, marks);
                    },
                    new Change.Plain(List.of(failIfDifferent(table)), true, true)));
        }
        return changes;
    }

    /** Fills the blocks that the table has now. The trigger fills rows that others write meanwhile. */
    private void fill(Table table, String batch, Runner runner) throws SQLException {
        long blocks = session.number("SELECT pg_relation_size('" + table.name().replace("'", "''")
                + "') / current_setting('block_size')::int");
        // a table without statistics reports no rows
        long rowsOfBlock = table.rows() == 0 ? 100 : Math.max(1, table.rows() / Math.max(1, blocks));
        long step = Math.max(1, runner.batch() / rowsOfBlock);
        Backfill backfill = new Backfill(runner, table.name(), blocks, false);
        long rows = 0;
        for (long from = 0; from < blocks; from += step) {
            rows += session.execute(
                    batch.replace(":from", String.valueOf(from)).replace(":to", String.valueOf(from + step)));
            backfill.report(rows, Math.min(blocks, from + step));
            runner.pause();
        }
    }

    private List<Change> index() {
        List<Change> changes = new ArrayList<>();
        for (Table table : tables) {
            Map<String, String> names =
                    table.moved().stream().collect(Collectors.toMap(Column::name, Column::otherName));
            for (Index index : table.indexes()) {
                String other = index.schema() + "." + index.otherName();
                if (Boolean.FALSE.equals(index.other())) { // what a build that was killed leaves
                    changes.add(Change.online(false, "DROP INDEX CONCURRENTLY " + other));
                }
                int start = index.definition().indexOf(" ON ");
                changes.add(Change.online(
                        Boolean.TRUE.equals(index.other()),
                        index.definition().substring(0, start).replaceFirst(" INDEX .*", " INDEX CONCURRENTLY ")
                                + index.otherName()
                                + renamed(index.definition().substring(start), names)));
            }
        }
        return changes;
    }

    /** Replaces names of columns, but not in texts. Names of tables and schemas stand before the first bracket. */
    static String renamed(String definition, Map<String, String> names) {
        int start = definition.indexOf('(');
        return definition.substring(0, start)
                + WORDS.matcher(definition.substring(start))
                        .replaceAll(word -> Matcher.quoteReplacement(names.getOrDefault(word.group(), word.group())));
    }

    private List<Change> forbidNulls() {
        List<Change> changes = new ArrayList<>();
        for (Table table : tables) {
            for (Column column : table.moved()) {
                Other other = column.other();
                if (column.isNotNull()) {
                    String name = column.checkName();
                    changes.add(Change.locking(
                            other != null && other.notNull() != null,
                            List.of("ALTER TABLE " + table.name() + " ADD CONSTRAINT " + name + " CHECK ("
                                    + column.otherName() + " IS NOT NULL) NOT VALID")));
                    changes.add(Change.online(
                            other != null && Boolean.TRUE.equals(other.notNull()),
                            "ALTER TABLE " + table.name() + " VALIDATE CONSTRAINT " + name));
                }
            }
        }
        return changes;
    }

    /**
     * Locks the parent before the child, because most transactions of applications write them in this order. ALTER
     * TABLE alone locks the child first, and so waits for transactions that wait for it.
     */
    private List<String> parentFirst(ForeignKey key, String mode, String change) {
        String child = catalog.table(key.child()).name();
        return List.of(
                "LOCK TABLE " + key.parentName() + " IN " + mode + " MODE",
                "LOCK TABLE " + child + " IN " + mode + " MODE",
                "ALTER TABLE " + child + " " + change);
    }

    private List<Change> addForeignKeys() {
        List<Change> changes = new ArrayList<>();
        for (ForeignKey key : catalog.movedForeignKeys()) {
            Table child = catalog.table(key.child());
            changes.add(Change.locking(
                    key.other() != null,
                    parentFirst(
                            key,
                            "SHARE ROW EXCLUSIVE",
                            "ADD CONSTRAINT " + key.otherName() + " FOREIGN KEY ("
                                    + catalog.other(key.child(), key.column()) + ") REFERENCES " + key.parentName()
                                    + " ("
                                    + catalog.other(key.parent(), key.parentColumn()) + ")" + key.rest()
                                    + " NOT VALID")));
            changes.add(Change.online(
                    Boolean.TRUE.equals(key.other()),
                    "ALTER TABLE " + child.name() + " VALIDATE CONSTRAINT " + key.otherName()));
        }
        return changes;
    }

    /** A trigger that someone has disabled leaves rows behind, which a swap would lose. */
    private Change swapIfEqual() {
        List<String> sql = new PostgreSqlSwap(catalog).statements();
        List<String> script = Stream.concat(tables.stream().map(this::failIfDifferent), sql.stream())
                .toList();
        return new Change(
                false,
                sql,
                (any, runner) -> {
                    for (Table table : tables) {
                        for (Column column : table.moved()) {
                            if (session.isTrue(
                                    "SELECT EXISTS (SELECT FROM " + table.name() + " WHERE " + differs(column) + ")")) {
                                throw new AllocationException(
                                        ErrorCode.STATEMENT_REFUSED,
                                        column.otherName() + " of " + table.name() + " differs from " + column.name()
                                                + ", so the columns are not swapped: the trigger was disabled"
                                                + " for a while; see the rows with idgen migrate verify, set the"
                                                + " COMMENT of that column to NULL, and apply again");
                            }
                        }
                    }
                    runner.lock(session, sql);
                },
                new Change.Plain(script, true, false));
    }

    /** What a script does instead of filling a table: it fails unless there is nothing to fill. */
    private String failIfDifferent(Table table) {
        return "DO $$BEGIN IF EXISTS (SELECT FROM " + table.name() + " WHERE "
                + table.moved().stream().map(this::differs).collect(Collectors.joining(" OR "))
                + ") THEN RAISE EXCEPTION 'rows are not filled; run idgen migrate apply --yes --step 2, then this again';"
                + " END IF; END$$";
    }

    /** Drops the columns with the other names, with all that belongs to them; the children first. */
    private List<Change> drop() {
        List<Change> changes = new ArrayList<>();
        for (ForeignKey key : catalog.movedForeignKeys()) {
            if (key.other() != null) {
                changes.add(Change.locking(
                        false, parentFirst(key, "ACCESS EXCLUSIVE", "DROP CONSTRAINT " + key.otherName())));
            }
        }
        List<Table> childrenFirst = new ArrayList<>(tables);
        Collections.reverse(childrenFirst);
        for (Table table : childrenFirst) {
            if (table.hasTrigger() || table.moved().stream().anyMatch(each -> each.other() != null)) {
                changes.add(Change.locking(
                        false,
                        List.of(
                                "DROP TRIGGER IF EXISTS " + PostgreSqlCatalog.TRIGGER + " ON " + table.name(),
                                "DROP FUNCTION IF EXISTS " + table.function() + "()",
                                "ALTER TABLE " + table.name() + " "
                                        + table.moved().stream()
                                                .map(each -> "DROP COLUMN IF EXISTS " + each.otherName())
                                                .collect(Collectors.joining(", ")))));
            }
        }
        return changes;
    }

    // ---- measurement and comparison

    @Override
    public Map<Integer, List<Timing>> times() throws SQLException {
        return isSwapped ? Map.of() : new PostgreSqlSample(session, catalog).times();
    }

    @Override
    public List<Comparison> compare() throws SQLException {
        List<Comparison> compared = new ArrayList<>();
        for (Table table : tables) {
            for (Column column : table.moved()) {
                if (column.other() != null) {
                    compared.addAll(compare(table, column));
                }
            }
        }
        return compared;
    }

    private List<Comparison> compare(Table table, Column column) throws SQLException {
        String id = column.name() + "::bigint";
        String expected = "(" + value(column) + ")::bigint";
        // one pass over the table, so that all ranges are of one moment
        return session.query(
                row -> new Comparison(
                        table.name() + "." + column.name(),
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7)),
                String.format(
                        "SELECT min(%1$s), max(%1$s), count(*), count(*) FILTER (WHERE %2$s), count(*) FILTER (WHERE %1$s"
                                + " IS NOT NULL AND %3$s IS NULL), coalesce(bit_xor(hashint8extended(%3$s, 0)), 0),"
                                + " coalesce(bit_xor(hashint8extended(%4$s::bigint, 0)), 0) FROM %5$s, (SELECT min(%1$s) AS low,"
                                + " max(%1$s)::numeric - min(%1$s) + 1 AS width FROM %5$s) r GROUP BY floor((%1$s::numeric - r.low) * 100"
                                + " / r.width) ORDER BY 1",
                        id, differs(column), expected, column.otherName(), table.name()));
    }
}
