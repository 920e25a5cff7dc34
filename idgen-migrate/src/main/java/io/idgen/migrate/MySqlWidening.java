package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.migrate.MySqlTable.ForeignKey;
import io.idgen.migrate.Stage.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From INT to BIGINT on MariaDB and MySQL, whose servers refuse to change the type of a column while others write. Each
 * table gets a copy, which triggers keep equal. When all copies have all rows, one statement swaps the names of all
 * tables. The same steps lead back.
 *
 * <p>Parents come first: when a child gets its triggers, the copy of its parent has all rows, so the foreign keys of
 * the copies hold from the beginning.
 */
final class MySqlWidening implements Path {
    private static final String ANY = "old and new versions run";
    private static final String MOMENT =
            "the metadata of a table and its parents, for a moment; it waits for open transactions on them";
    private static final String ONLINE = ", ALGORITHM=INPLACE, LOCK=NONE";
    private static final Map<String, Integer> BITS = Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32);

    private final Session session;
    private final MySqlCatalog catalog;
    private final MySql dialect;
    private final List<MySqlTable> childrenFirst;
    private final boolean isSwapped;

    MySqlWidening(Session session, MySqlCatalog catalog, MySql dialect) throws SQLException {
        this.session = session;
        this.catalog = catalog;
        this.dialect = dialect;
        this.childrenFirst = new ArrayList<>(catalog.tables());
        Collections.reverse(childrenFirst);
        String type = catalog.id().type();
        if (!type.equals("bigint") && !BITS.containsKey(type.replace(" unsigned", ""))) {
            throw new IllegalArgumentException("column " + catalog.id().name() + " is of the type " + type
                    + "; only TINYINT, SMALLINT, MEDIUMINT and INT can become BIGINT");
        }
        this.isSwapped = type.equals("bigint") && hasCopy(catalog.root());
        // a copy is filled before its foreign keys are needed, and it has the rows of a table whose keys hold
        session.execute("SET foreign_key_checks = 0");
        session.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"); // no gap locks
    }

    private boolean hasCopy(MySqlTable table) {
        return catalog.copies().containsKey(table.name());
    }

    @Override
    public List<Finding> findings() throws SQLException {
        return new MySqlChecks(session, catalog).findings();
    }

    // ---- forward and back

    @Override
    public List<Stage> forward() {
        boolean isOver =
                catalog.id().type().equals("bigint") && catalog.copies().isEmpty();
        if (isOver && rename().isEmpty()) {
            return List.of();
        }
        List<Stage> stages = new ArrayList<>();
        catalog.tables().forEach(each -> stages.add(fill(each, isSwapped || isOver ? List.of() : fill(each))));
        stages.add(new Stage(
                "swap the names of all tables",
                "the metadata of all tables at once, for a moment. The server takes the locks in the order of the"
                        + " names: a transaction that uses the tables in another order can fail with a deadlock, and"
                        + " must then be repeated",
                ANY + "; old versions fail at ids above the range of the old type",
                "idgen migrate back copies all rows again and swaps, as long as no id is above the range of the old"
                        + " type",
                isOver ? List.of() : isSwapped ? comments(catalog.tables().stream()) : swap()));
        List<Change> drop = new ArrayList<>(drop());
        drop.addAll(rename());
        stages.add(new Stage(
                "drop the old tables",
                true,
                true,
                MOMENT,
                "only versions that read the id as a long",
                "none: this is the one-way door",
                isSwapped || isOver ? drop : List.of(Change.byHand(false))));
        return stages;
    }

    @Override
    public List<Stage> back() throws SQLException {
        if (!isSwapped) {
            List<Change> drop = new ArrayList<>(comments(catalog.tables().stream()));
            drop.addAll(drop());
            return drop.isEmpty() ? List.of() : List.of(new Stage("drop the copies", MOMENT, ANY, "apply again", drop));
        }
        refuseIfIdsDoNotFit();
        List<Stage> stages = new ArrayList<>();
        catalog.tables().forEach(each -> stages.add(fill(each, fill(each))));
        stages.add(new Stage(
                "swap the names back, then drop the copies",
                "the metadata of all tables at once, for a moment",
                "ids above the range of the old type fail from the beginning of the way back",
                "apply again",
                swap()));
        return stages;
    }

    private void refuseIfIdsDoNotFit() throws SQLException {
        for (MySqlTable table : catalog.tables()) {
            for (String column : catalog.columns(table)) {
                String type = catalog.copy(table).column(column).type();
                int bits = BITS.getOrDefault(type.replace(" unsigned", ""), 63) - (type.endsWith("unsigned") ? 0 : 1);
                if (session.isTrue("SELECT EXISTS (SELECT 1 FROM `" + table.name() + "` WHERE `" + column + "` >= "
                        + (1L << bits) + ")")) {
                    throw Path.noWayBack(table.name() + "." + column, type);
                }
            }
        }
    }

    // ---- changes

    private static Stage fill(MySqlTable table, List<Change> changes) {
        return new Stage(
                "copy " + table.name() + " to " + table.copyName(),
                MOMENT
                        + "; rows of a batch, for a moment. Rows that others have locked wait for a later pass. Each"
                        + " change of an application also changes the copy, in the same transaction",
                ANY,
                "idgen migrate back drops the copies",
                changes);
    }

    private List<Change> fill(MySqlTable table) {
        MySqlTable copy = catalog.copy(table);
        List<Change> changes = new ArrayList<>(comments(Stream.of(table)));
        changes.add(empty(copy));
        changes.add(Change.locking(hasCopy(table), List.of(table.createCopy(catalog.columns(table), catalog.names()))));
        List<String> triggers = table.copyTriggers().entrySet().stream()
                .filter(each -> !table.triggers().contains(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        changes.add(Change.locking(triggers.isEmpty(), table.locked(triggers, copy.name())));
        String number = "ALTER TABLE `" + copy.name() + "` AUTO_INCREMENT = ";
        String mark = comment(copy.name(), MySqlTable.FILLED);
        changes.add(new Change(
                copy.comment().equals(MySqlTable.FILLED),
                List.of(number + "<that of " + table.name() + ">", batch(table, "`" + key(table) + "` > :from"), mark),
                (any, runner) -> {
                    // ids of rows that have been deleted must not return
                    MySqlTable now = MySqlCatalog.table(session, table.name());
                    if (now != null && table.columns().stream().anyMatch(MySqlTable.Column::isAutomatic)) {
                        runner.lock(session, copy.locked(List.of(number + now.nextNumber() + ONLINE)));
                    }
                    do {
                        pass(table, runner);
                    } while (session.isTrue("SELECT EXISTS (SELECT 1 FROM " + withCopy(table) + " WHERE "
                            + isMissing(table, "c") + ")"));
                    runner.lock(session, copy.locked(List.of(mark)));
                }));
        for (ForeignKey key : table.ownForeignKeys()) {
            changes.add(Change.locking(
                    copy.ownForeignKeys().stream()
                            .anyMatch(each -> each.columns().equals(key.columns())),
                    copy.locked(List.of(
                            "ALTER TABLE `" + copy.name() + "` ADD " + table.copyOf(key, catalog.names()) + ONLINE))));
        }
        return changes;
    }

    private static String comment(String table, String comment) {
        return "ALTER TABLE `" + table + "` COMMENT = '" + comment + "'" + ONLINE;
    }

    /** The first column of the primary key, in whose order rows are copied. */
    private static String key(MySqlTable table) {
        return table.primaryKey().isEmpty() ? "" : table.primaryKey().get(0);
    }

    private String withCopy(MySqlTable table) {
        return "`" + table.name() + "` o LEFT JOIN `" + table.copyName() + "` c ON "
                + MySqlTable.equal(table.primaryKey(), "o.", "c.");
    }

    private static String isMissing(MySqlTable table, String alias) {
        return alias + ".`" + key(table) + "` IS NULL";
    }

    private String batch(MySqlTable table, String range) {
        List<String> columns = table.written();
        return "INSERT INTO `" + table.copyName() + "` (" + MySqlTable.list(columns, "") + ") SELECT "
                + MySqlTable.list(columns, "o.") + " FROM " + withCopy(table) + " WHERE "
                + isMissing(table, "c") + " AND o." + range + dialect.skipLocked();
    }

    /** Copies the rows that are missing. Triggers copy those that others insert meanwhile. */
    private void pass(MySqlTable table, Runner runner) throws SQLException {
        String key = "`" + key(table) + "`";
        Backfill backfill = new Backfill(runner, table.name(), Math.max(1, catalog.rows(session, table)), true);
        long rows = 0;
        List<Object> from = session.query(
                row -> row.getObject(1),
                "SELECT min(" + key + ") FROM `" + table.name() + "` HAVING min(" + key + ") IS NOT NULL");
        while (!from.isEmpty()) {
            List<Object> to = session.query(
                    row -> row.getObject(1),
                    "SELECT " + key + " FROM `" + table.name() + "` WHERE " + key + " > ? ORDER BY " + key
                            + " LIMIT 1 OFFSET " + (runner.batch() - 1),
                    from.get(0));
            try {
                rows += to.isEmpty()
                        ? session.execute(batch(table, key + " >= ?"), from.get(0))
                        : session.execute(batch(table, key + " >= ? AND o." + key + " < ?"), from.get(0), to.get(0));
            } catch (SQLException e) {
                if (!dialect.isLockTimeout(e)) {
                    throw e; // the next pass copies a batch that others have locked
                }
            }
            backfill.report(rows, rows);
            runner.pause();
            from = to;
        }
    }

    private List<Change> swap() {
        String rename = "RENAME TABLE "
                + catalog.tables().stream()
                        .flatMap(each -> Stream.of(
                                "`" + each.name() + "` TO `" + each.copyName() + "_t`",
                                "`" + each.copyName() + "` TO `" + each.name() + "`",
                                "`" + each.copyName() + "_t` TO `" + each.copyName() + "`"))
                        .collect(Collectors.joining(", "));
        return List.of(new Change(false, List.of(rename), (any, runner) -> {
            for (MySqlTable table : catalog.tables()) {
                refuseIfDifferent(table);
            }
            session.execute("SET foreign_key_checks = 1"); // foreign keys follow their tables
            runner.lock(session, List.of(rename));
        }));
    }

    /** Gives tables their comments back, which a copy has used as its mark. */
    private List<Change> comments(Stream<MySqlTable> tables) {
        return tables.filter(each -> each.comment().equals(MySqlTable.FILLED) && hasCopy(each))
                .map(each -> Change.locking(
                        false,
                        each.locked(
                                List.of(comment(each.name(), catalog.copy(each).comment())))))
                .toList();
    }

    /** TRUNCATE fires no trigger, and someone can have dropped one. */
    private void refuseIfDifferent(MySqlTable table) throws SQLException {
        if (!compare(table).stream().allMatch(Comparison::areEqual)) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    table.copyName() + " differs from " + table.name()
                            + ", so the names are not swapped: TRUNCATE, or a"
                            + " missing trigger, has changed only one of them; see the rows with idgen migrate verify,"
                            + " then idgen migrate back, and apply again");
        }
    }

    /** Empties a table that a swap has left behind, so that it can be filled again. */
    private Change empty(MySqlTable copy) {
        List<String> sql = new ArrayList<>();
        sql.add("TRUNCATE `" + copy.name() + "`");
        copy.ownForeignKeys()
                .forEach(each -> sql.add("ALTER TABLE `" + copy.name() + "` DROP FOREIGN KEY `" + each.name() + "`"));
        copy.triggers().forEach(each -> sql.add("DROP TRIGGER `" + each + "`")); // the last one tells that it is done
        return new Change(copy.triggers().isEmpty(), sql, (any, runner) -> {
            for (String each : sql) {
                runner.lock(session, List.of(each));
            }
        });
    }

    /** Drops the copies, the children first. */
    private List<Change> drop() {
        List<Change> changes = new ArrayList<>();
        for (MySqlTable table : childrenFirst) {
            List<String> triggers = table.ourTriggers().stream()
                    .map(each -> "DROP TRIGGER `" + each + "`")
                    .toList();
            if (!triggers.isEmpty()) {
                changes.add(Change.locking(false, table.locked(triggers, table.copyName())));
            }
        }
        for (MySqlTable table : childrenFirst) {
            if (hasCopy(table)) {
                changes.add(Change.locking(false, List.of("DROP TABLE `" + table.copyName() + "`")));
            }
        }
        return changes;
    }

    /** Gives the foreign keys their old names, which were in use until the old tables were dropped. */
    private List<Change> rename() {
        List<Change> changes = new ArrayList<>();
        for (MySqlTable table : catalog.tables()) {
            for (ForeignKey key : table.foreignKeys()) {
                if (key.name().endsWith(MySqlTable.COPY)) {
                    changes.add(Change.locking(
                            false,
                            table.locked(List.of(
                                    "ALTER TABLE `" + table.name() + "` DROP FOREIGN KEY `" + key.name() + "`, ADD "
                                            + MySqlTable.constraint(MySqlTable.original(key.name()), key, key.parent())
                                            + ONLINE))));
                }
            }
        }
        return changes;
    }

    // ---- measurement and comparison

    @Override
    public Map<Integer, List<Timing>> times() throws SQLException {
        return isSwapped ? Map.of() : new MySqlSample(session, catalog).times();
    }

    @Override
    public List<Comparison> compare() throws SQLException {
        List<Comparison> compared = new ArrayList<>();
        for (MySqlTable table : catalog.tables()) {
            if (catalog.copy(table).comment().equals(MySqlTable.FILLED)) {
                compared.addAll(compare(table));
            }
        }
        return compared;
    }

    private List<Comparison> compare(MySqlTable table) throws SQLException {
        String key = "`" + key(table) + "`";
        List<String> columns = table.written();
        String differs = "NOT ("
                + columns.stream()
                        .map(each -> "o.`" + each + "` <=> c.`" + each + "`")
                        .collect(Collectors.joining(" AND "))
                + ")";
        // one statement, so that all ranges are of one moment
        return session.query(
                row -> new Comparison(
                        table.name(),
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        0,
                        row.getLong(5),
                        row.getLong(6)),
                String.format(
                        "SELECT min(k), max(k), count(*), sum(differs), bit_xor(o), bit_xor(c) FROM (SELECT o.%1$s + 0"
                                + " AS k, %2$s AS differs, %3$s AS o, %4$s AS c FROM %5$s UNION ALL SELECT c.%1$s + 0,"
                                + " 1, 0, %4$s FROM `%7$s` c LEFT JOIN `%6$s` o ON %8$s WHERE o.%1$s IS NULL) r, (SELECT"
                                + " min(%1$s) + 0 AS low, max(%1$s) + 1.0 - min(%1$s) AS width FROM `%6$s`) w GROUP BY"
                                + " floor((k - low) * 100.0 / width) ORDER BY 1",
                        key,
                        differs,
                        checksum(columns, "o"),
                        checksum(columns, "c"),
                        withCopy(table),
                        table.name(),
                        table.copyName(),
                        MySqlTable.equal(table.primaryKey(), "o.", "c.")));
    }

    static String checksum(List<String> columns, String alias) {
        return "crc32(concat_ws('#', "
                + columns.stream()
                        .map(each -> "coalesce(" + alias + ".`" + each + "`, 'null')")
                        .collect(Collectors.joining(", "))
                + "))";
    }
}
