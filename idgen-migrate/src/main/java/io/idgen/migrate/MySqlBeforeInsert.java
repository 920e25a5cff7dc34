package io.idgen.migrate;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.Stage.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * From AUTO_INCREMENT to ids of the application on MariaDB and MySQL. InnoDB moves AUTO_INCREMENT above each id that is
 * inserted, so an old instance would generate numbers among the new ids and meet them. So AUTO_INCREMENT first goes
 * above all ids that the application will ever insert, where they do not move it any more.
 */
final class MySqlBeforeInsert implements Path {
    /** Automatic numbers are above. A snowflake of the default layout reaches it in the year 2058. */
    static final long LAST_NEW = 1L << 62;

    private final MySqlCatalog catalog;
    private final MySqlTable table;
    private final String id;
    private final String trigger;
    private final boolean hasNewIds;
    private final long largest;

    MySqlBeforeInsert(Session session, MySqlCatalog catalog) throws SQLException {
        this.catalog = catalog;
        this.table = catalog.root();
        this.id = "`" + catalog.id().name() + "`";
        this.trigger = "idgen_" + table.name();
        String largestBelow = "SELECT coalesce(max(" + id + "), 0) FROM `" + table.name() + "` WHERE " + id + " <= ";
        this.hasNewIds = session.number(largestBelow + LAST_NEW) >= FIRST_NEW;
        this.largest = session.number(largestBelow + Long.MAX_VALUE);
    }

    private boolean isAbove() {
        return table.nextNumber() > LAST_NEW;
    }

    private boolean hasTrigger() {
        return table.triggers().contains(trigger);
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (MySqlTable each : catalog.tables()) {
            for (String name : catalog.columns(each)) {
                String type = each.column(name).type();
                findings.add(Path.typeOf(each.name() + "." + name, type, type.startsWith("bigint")));
            }
        }
        if (!catalog.id().isAutomatic()) {
            findings.add(new Finding(
                    hasNewIds ? Level.OK : Level.WRONG,
                    "numbers",
                    "the column has no AUTO_INCREMENT, so its ids come from the application already"));
        } else if (!isAbove() && largest > LAST_NEW - LAST_NEW / 4) {
            findings.add(new Finding(
                    Level.WRONG,
                    "numbers",
                    "the largest id is " + largest + ", too near to " + LAST_NEW + ", above which automatic numbers"
                            + " would continue; end all old instances before the first new one instead"));
        } else if (hasNewIds && !isAbove()) {
            findings.add(new Finding(
                    Level.WARN,
                    "numbers",
                    "the table has ids of the application, and AUTO_INCREMENT is just above them: every automatic"
                            + " number can collide with a new id; make step 1 at once"));
        }
        return findings;
    }

    @Override
    public List<Stage> forward() {
        boolean isAutomatic = catalog.id().isAutomatic();
        return List.of(
                new Stage(
                        "continue the automatic numbers above " + LAST_NEW + ", and so above all new ids",
                        true,
                        true,
                        "the metadata of the table, for a moment",
                        "old versions must read the id as a long, because their next rows get numbers of 19 digits."
                                + " They can run beside new ones as long as you like: ids that are below AUTO_INCREMENT"
                                + " do not move it",
                        "none to small numbers: InnoDB continues above the largest id",
                        List.of(Change.locking(
                                isAbove() || !isAutomatic,
                                List.of("ALTER TABLE `" + table.name() + "` AUTO_INCREMENT = " + (LAST_NEW + 1)
                                        + ", ALGORITHM=INPLACE, LOCK=NONE")))),
                new Stage(
                        "deploy the version with ids before the insert, by hand; done at the first new id",
                        false,
                        true,
                        "none",
                        "old instances use AUTO_INCREMENT, new ones insert their ids",
                        "deploy the old version again",
                        List.of(Change.byHand(hasNewIds))),
                new Stage(
                        "refuse automatic numbers, when the last old instance has ended",
                        false,
                        true,
                        "the metadata of the table, for a moment",
                        "only new versions; an old instance that is forgotten gets an error instead of a number."
                                + " Remove AUTO_INCREMENT by ALTER TABLE … MODIFY when a copy of the table suits you;"
                                + " the trigger does the same until then",
                        "idgen migrate back",
                        List.of(Change.locking(
                                hasTrigger() || !isAutomatic,
                                List.of("CREATE TRIGGER `" + trigger + "` BEFORE INSERT ON `" + table.name()
                                        + "` FOR EACH ROW IF NEW." + id
                                        + " = 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT ="
                                        + " 'automatic ids have ended: this version of the application"
                                        + " is too old'; END IF")))));
    }

    @Override
    public List<Stage> back() {
        return List.of(new Stage(
                "accept automatic numbers again; they continue above " + LAST_NEW,
                "the metadata of the table, for a moment",
                "old and new versions run",
                "apply again",
                List.of(Change.locking(!hasTrigger(), List.of("DROP TRIGGER `" + trigger + "`")))));
    }
}
