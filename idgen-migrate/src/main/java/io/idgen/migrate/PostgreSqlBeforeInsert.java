package io.idgen.migrate;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.PostgreSqlCatalog.Column;
import io.idgen.migrate.PostgreSqlCatalog.Sequence;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import io.idgen.migrate.Stage.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * From IDENTITY or SERIAL to ids of the application on PostgreSQL. Old instances use the sequence, new ones insert ids
 * that are far above it. The sequence gets a maximum between the two, so it can never reach the new ids, even if a
 * script sets it to the largest id of the table.
 */
final class PostgreSqlBeforeInsert implements Path {
    private final Session session;
    private final PostgreSqlCatalog catalog;
    private final Table table;
    private final Column id;
    private final boolean isAutomatic;
    private final boolean hasNewIds;

    PostgreSqlBeforeInsert(Session session, PostgreSqlCatalog catalog) throws SQLException {
        this.session = session;
        this.catalog = catalog;
        this.table = catalog.tables().get(0);
        this.id = catalog.id();
        this.isAutomatic = !id.identity().isEmpty() || id.defaultValue() != null;
        this.hasNewIds = session.isTrue(
                "SELECT EXISTS (SELECT FROM " + table.name() + " WHERE " + id.name() + " >= " + FIRST_NEW + ")");
    }

    @Override
    public List<Finding> findings() throws SQLException {
        List<Finding> findings = new ArrayList<>(new PostgreSqlChecks(session, catalog).findings());
        for (Table each : catalog.tables()) {
            for (Column column : each.columns()) {
                findings.add(new Finding(
                        column.isBigint() ? Level.OK : Level.WRONG,
                        "type",
                        each.name() + "." + column.name() + " is " + column.type()
                                + (column.isBigint()
                                        ? ""
                                        : ", which cannot have the new ids; run idgen migrate --to bigint first")));
            }
        }
        for (String trigger : table.triggers()) {
            findings.add(new Finding(
                    Level.WARN,
                    "triggers",
                    "trigger " + trigger + " of " + table.name()
                            + ": check that it does not overwrite an id that is set"));
        }
        if (!isAutomatic && !hasNewIds) {
            findings.add(new Finding(
                    Level.WRONG,
                    "numbers",
                    table.name() + "." + id.name()
                            + " has neither IDENTITY nor a default, so its ids come from the application"
                            + " already; docs/adopting.md has the ways from other generators"));
        }
        Sequence sequence = id.sequence();
        if (sequence == null && isAutomatic) {
            findings.add(new Finding(
                    Level.WARN,
                    "numbers",
                    "the column owns no sequence, so the migration sets no maximum; if its default " + id.defaultValue()
                            + " is one, set its MAXVALUE to " + (FIRST_NEW - 1) + " yourself"));
        }
        if (sequence != null) {
            long last = session.number("SELECT last_value FROM " + sequence.name());
            findings.add(new Finding(
                    last < FIRST_NEW ? Level.OK : Level.WRONG,
                    "numbers",
                    sequence.name() + " is at " + last
                            + (last < FIRST_NEW
                                    ? ", and new ids begin at " + FIRST_NEW
                                    : ", above " + FIRST_NEW
                                            + ", so it would meet new ids; set it to the largest id below"
                                            + " that with setval")));
        }
        return findings;
    }

    @Override
    public List<Stage> forward() {
        String name = table.name();
        Sequence sequence = id.sequence();
        List<Change> limit = sequence == null
                ? List.of()
                : List.of(Change.locking(
                        sequence.max() < FIRST_NEW,
                        List.of("ALTER SEQUENCE " + sequence.name() + " MAXVALUE " + (FIRST_NEW - 1))));
        return List.of(
                new Stage(
                        "accept ids of the application",
                        "ACCESS EXCLUSIVE on the table, for a moment",
                        "old versions run",
                        "ALTER TABLE … SET GENERATED ALWAYS, by hand, when no instance inserts ids any more",
                        List.of(Change.locking(
                                !id.identity().equals("ALWAYS"),
                                List.of("ALTER TABLE " + name + " ALTER COLUMN " + id.name()
                                        + " SET GENERATED BY DEFAULT")))),
                new Stage(
                        "keep the sequence below the new ids, also if someone sets it to max(" + id.name() + ")",
                        "the sequence, for a moment",
                        "old versions run",
                        "idgen migrate back",
                        limit),
                new Stage(
                        "deploy the version with ids before the insert, by hand; done at the first new id",
                        true,
                        true,
                        "none",
                        "old instances use the sequence, new ones insert their ids. Never set the sequence to" + " max("
                                + id.name() + "), as scripts after an import do: the maximum then refuses it",
                        "deploy the old version: it continues with the sequence. Rows keep their new ids, so INT is"
                                + " over",
                        List.of(Change.byHand(hasNewIds))),
                new Stage(
                        "remove the automatic numbers, when the last old instance has ended",
                        false,
                        true,
                        "ACCESS EXCLUSIVE on the table, for a moment",
                        "only new versions; an old instance that is forgotten gets an error instead of a number",
                        "idgen migrate back: the numbers continue above the largest one below " + FIRST_NEW,
                        List.of(Change.locking(
                                !isAutomatic,
                                List.of("ALTER TABLE " + name + " ALTER COLUMN " + id.name()
                                        + (id.identity().isEmpty() ? " DROP DEFAULT" : " DROP IDENTITY"))))));
    }

    @Override
    public List<Stage> back() {
        String name = table.name();
        Sequence sequence = id.sequence();
        List<String> numbers = new ArrayList<>();
        numbers.add("LOCK TABLE " + name + " IN ACCESS EXCLUSIVE MODE");
        if (sequence == null) {
            numbers.add("ALTER TABLE " + name + " ALTER COLUMN " + id.name()
                    + " ADD GENERATED BY DEFAULT AS IDENTITY (MAXVALUE " + (FIRST_NEW - 1) + ")");
            numbers.add("SELECT setval(pg_get_serial_sequence('" + name.replace("'", "''") + "', '"
                    + id.name().replace("\"", "").replace("'", "''") + "'), (SELECT coalesce(max(" + id.name()
                    + "), 0) + 1 FROM " + name + " WHERE " + id.name() + " < " + FIRST_NEW + "), false)");
        } else {
            numbers.add("ALTER TABLE " + name + " ALTER COLUMN " + id.name() + " SET DEFAULT nextval('"
                    + sequence.name().replace("'", "''") + "')");
        }
        List<Stage> stages = new ArrayList<>();
        stages.add(new Stage(
                "restore the automatic numbers",
                "ACCESS EXCLUSIVE on the table, for a moment",
                "old and new versions run",
                "apply again",
                List.of(Change.locking(isAutomatic, numbers))));
        if (sequence != null && !hasNewIds) {
            stages.add(new Stage(
                    "remove the maximum of the sequence, because no new id exists",
                    "the sequence, for a moment",
                    "old and new versions run",
                    "apply again",
                    List.of(Change.locking(
                            sequence.max() != FIRST_NEW - 1,
                            List.of("ALTER SEQUENCE " + sequence.name() + " NO MAXVALUE")))));
        }
        return stages;
    }
}
