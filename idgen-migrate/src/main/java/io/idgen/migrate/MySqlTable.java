package io.idgen.migrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table of MariaDB or MySQL as SHOW CREATE TABLE prints it: one line for each column, key and constraint.
 *
 * @param triggers the names of its triggers
 */
record MySqlTable(String name, String definition, List<String> triggers) {
    /** What the copy of a table has behind its name. */
    static final String COPY = "_idgen";

    static final String FILLED = "idgen: filled";

    private static final Pattern COLUMN =
            Pattern.compile("  `([^`]+)` (\\w+)((?:\\(\\d+\\))?( unsigned)?(?: zerofill)?)(.*)");
    private static final Pattern PRIMARY_KEY = Pattern.compile("  PRIMARY KEY \\((.*)\\).*");
    private static final Pattern FOREIGN_KEY = Pattern.compile(
            "  CONSTRAINT `([^`]+)` FOREIGN KEY \\((.*?)\\) REFERENCES ((?:`[^`]+`\\.)?`[^`]+`) \\((.*?)\\)(.*)");
    private static final Pattern CHECK = Pattern.compile("  CONSTRAINT `([^`]+)` (CHECK .*)");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern NUMBER = Pattern.compile("\\) .*? AUTO_INCREMENT=(\\d+).*");
    private static final Pattern COMMENT = Pattern.compile("\\) .*? COMMENT='((?:[^']|'')*)'.*");

    /**
     * A column.
     *
     * @param type its type, for example {@code int unsigned}
     */
    record Column(String name, String type, boolean isGenerated, boolean isAutomatic) {}

    /**
     * A foreign key.
     *
     * @param parent the table to which it refers, with a schema if it is another one
     * @param rules what it does when the parent changes
     */
    record ForeignKey(String name, List<String> columns, String parent, List<String> parentColumns, String rules) {}

    private List<MatchResult> found(Pattern pattern) {
        return lines().stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(Matcher::toMatchResult)
                .toList();
    }

    private List<String> lines() {
        return definition.lines().map(each -> each.replaceFirst(",$", "")).toList();
    }

    private static List<String> names(String list) {
        return NAME.matcher(list).results().map(each -> each.group(1)).toList();
    }

    List<Column> columns() {
        return found(COLUMN).stream()
                .map(each -> new Column(
                        each.group(1),
                        each.group(2) + (each.group(4) == null ? "" : " unsigned"),
                        each.group(5).contains(" GENERATED ALWAYS AS "),
                        each.group(5).contains(" AUTO_INCREMENT")))
                .toList();
    }

    Column column(String column) {
        return columns().stream()
                .filter(each -> each.name.equalsIgnoreCase(column))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("table " + name + " has no column " + column));
    }

    /** The columns of the primary key; empty if there is none. */
    List<String> primaryKey() {
        return found(PRIMARY_KEY).stream()
                .flatMap(each -> names(each.group(1)).stream())
                .toList();
    }

    List<ForeignKey> foreignKeys() {
        return found(FOREIGN_KEY).stream()
                .map(each -> new ForeignKey(
                        each.group(1),
                        names(each.group(2)),
                        each.group(3).replace("`", ""),
                        names(each.group(4)),
                        each.group(5)))
                .toList();
    }

    /** The foreign keys on the table itself. */
    List<ForeignKey> ownForeignKeys() {
        return foreignKeys().stream().filter(each -> each.parent.equals(name)).toList();
    }

    List<String> checks() {
        return found(CHECK).stream().map(each -> each.group(1)).toList();
    }

    /** The next automatic number; 1 if there is none yet. */
    long nextNumber() {
        return found(NUMBER).stream()
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .findFirst()
                .orElse(1);
    }

    /** The comment, as SQL has it between quotes. */
    String comment() {
        return found(COMMENT).stream().map(each -> each.group(1)).findFirst().orElse("");
    }

    String copyName() {
        return name + COPY;
    }

    /** The name of a constraint of the copy. A server renames those that it has named itself, with their table. */
    private String copyOf(String constraint) {
        return Set.of("_ibfk_", "_chk_").stream().anyMatch(each -> constraint.startsWith(name + each))
                ? copyName() + constraint.substring(name.length())
                : original(constraint).equals(constraint) ? constraint + COPY : original(constraint);
    }

    /** The name that a constraint has while there is no copy. */
    static String original(String constraint) {
        return constraint.replaceFirst(COPY + "$", "");
    }

    /**
     * Statements on the table under one lock. MariaDB locks the parents of a table when it changes one of its triggers,
     * and takes the locks of one statement in the order of the names. Without this, a transaction that has written a
     * parent and then writes the table would fail with a deadlock.
     */
    List<String> locked(List<String> sql, String... others) {
        List<String> locked = new ArrayList<>();
        locked.add(Stream.concat(
                        Stream.concat(Stream.of(name), Stream.of(others)),
                        foreignKeys().stream().map(ForeignKey::parent))
                .distinct()
                .map(each -> "`" + each.replace(".", "`.`") + "` WRITE")
                .collect(Collectors.joining(", ", "LOCK TABLES ", "")));
        locked.addAll(sql);
        locked.add("UNLOCK TABLES");
        return locked;
    }

    /**
     * The statement that creates the copy. A foreign key on the table itself is left out: while rows are missing in the
     * copy, it would reject rows of applications.
     *
     * @param moved the columns that become BIGINT
     * @param family the tables that have a copy
     */
    String createCopy(Set<String> moved, Set<String> family) {
        List<String> parts = new ArrayList<>();
        String end = "";
        for (String line : lines().subList(1, lines().size())) {
            Matcher column = COLUMN.matcher(line);
            Matcher check = CHECK.matcher(line);
            if (!end.isEmpty() || line.startsWith(")")) {
                end += "\n" + line.replaceFirst(" AUTO_INCREMENT=\\d+", "");
            } else if (column.matches() && moved.contains(column.group(1))) {
                parts.add("  `" + column.group(1) + "` bigint" + column.group(5));
            } else if (check.matches()) {
                parts.add("  CONSTRAINT `" + copyOf(check.group(1)) + "` " + check.group(2));
            } else if (!FOREIGN_KEY.matcher(line).matches()) {
                parts.add(line);
            }
        }
        foreignKeys().stream()
                .filter(each -> !each.parent.equals(name))
                .forEach(each -> parts.add("  " + copyOf(each, family)));
        return "CREATE TABLE `" + copyName() + "` (\n" + String.join(",\n", parts) + end;
    }

    /** The counterpart of a foreign key in the copy. */
    String copyOf(ForeignKey key, Set<String> family) {
        return constraint(copyOf(key.name), key, family.contains(key.parent) ? key.parent + COPY : key.parent);
    }

    static String constraint(String name, ForeignKey key, String parent) {
        return "CONSTRAINT `" + name + "` FOREIGN KEY (" + list(key.columns, "") + ") REFERENCES `"
                + parent.replace(".", "`.`") + "` (" + list(key.parentColumns, "") + ")" + key.rules;
    }

    /** The triggers that repeat each change in the copy, by their names, in the order in which they are created. */
    Map<String, String> copyTriggers() {
        List<String> columns = written();
        String key = equal(primaryKey(), "", "OLD.");
        Map<String, String> triggers = new LinkedHashMap<>();
        StringBuilder delete = new StringBuilder("BEGIN ");
        // InnoDB sets these columns to null without a trigger, and the copy has no such foreign key yet
        for (ForeignKey each : ownForeignKeys()) {
            if (each.rules.contains("ON DELETE SET NULL")) {
                delete.append("UPDATE `" + copyName() + "` SET ")
                        .append(each.columns.stream()
                                .map(column -> "`" + column + "` = NULL")
                                .collect(Collectors.joining(", ")))
                        .append(" WHERE ");
                for (int i = 0; i < each.columns.size(); i++) {
                    delete.append(i == 0 ? "" : " AND ")
                            .append("`" + each.columns.get(i) + "` = OLD.`" + each.parentColumns.get(i) + "`");
                }
                delete.append("; ");
            }
        }
        delete.append("DELETE FROM `" + copyName() + "` WHERE " + key + "; END");
        trigger(triggers, "DELETE", delete.toString());
        trigger(
                triggers,
                "UPDATE",
                "UPDATE `" + copyName() + "` SET "
                        + columns.stream()
                                .map(each -> "`" + each + "` = NEW.`" + each + "`")
                                .collect(Collectors.joining(", "))
                        + " WHERE " + key);
        trigger(
                triggers,
                "INSERT",
                "INSERT INTO `" + copyName() + "` (" + list(columns, "") + ") VALUES (" + list(columns, "NEW.") + ")");
        return triggers;
    }

    private void trigger(Map<String, String> triggers, String event, String body) {
        String trigger = copyName() + "_" + event.substring(0, 1).toLowerCase(Locale.ROOT);
        triggers.put(
                trigger, "CREATE TRIGGER `" + trigger + "` AFTER " + event + " ON `" + name + "` FOR EACH ROW " + body);
    }

    /** The triggers that repeat changes in the copy, if the table has them. */
    List<String> ourTriggers() {
        return triggers.stream()
                .filter(each -> each.matches(".*" + COPY + "_[diu]"))
                .toList();
    }

    /** The columns that can be written. */
    List<String> written() {
        return columns().stream()
                .filter(each -> !each.isGenerated)
                .map(Column::name)
                .toList();
    }

    /** A list of columns, each behind a prefix such as {@code NEW.}. */
    static String list(List<String> columns, String prefix) {
        return columns.stream().map(each -> prefix + "`" + each + "`").collect(Collectors.joining(", "));
    }

    static String equal(List<String> columns, String left, String right) {
        return columns.stream()
                .map(each -> left + "`" + each + "` = " + right + "`" + each + "`")
                .collect(Collectors.joining(" AND "));
    }
}
