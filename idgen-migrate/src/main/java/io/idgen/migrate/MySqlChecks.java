package io.idgen.migrate;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the copies of tables need: a primary key, and changes that their triggers see. */
record MySqlChecks(Session session, MySqlCatalog catalog) {

    List<Finding> findings() throws SQLException {
        List<Finding> findings = new ArrayList<>();
        catalog.obstacles().forEach(each -> findings.add(new Finding(Level.WRONG, "tables", each)));
        if (session.isTrue("SELECT @@global.binlog_format = 'STATEMENT'")) {
            findings.add(new Finding(
                    Level.WRONG,
                    "server",
                    "binlog_format is STATEMENT, which replicates copies wrongly; set it to ROW"));
        }
        for (MySqlTable table : catalog.tables()) {
            List<String> wrong = new ArrayList<>();
            if (table.primaryKey().isEmpty()) {
                wrong.add("it has no primary key");
            }
            if (!table.definition().contains(") ENGINE=InnoDB")) {
                wrong.add("its engine is not InnoDB");
            }
            table.triggers().stream()
                    .filter(each -> !table.ourTriggers().contains(each)
                            && !catalog.copy(table).triggers().contains(each))
                    .forEach(each -> wrong.add("trigger " + each
                            + " would stay with the old table; drop it, and create it again after the swap"));
            if (catalog.copies().containsKey(table.name())) {
                catalog.columns(table).stream()
                        .filter(each -> !table.column(each).type().startsWith("bigint")
                                && !catalog.copy(table).column(each).type().startsWith("bigint"))
                        .forEach(each -> wrong.add("its copy belongs to a migration of another column than " + each
                                + ", and a table has only one at a time; finish that one, or go back with it"));
            }
            table.ownForeignKeys().stream()
                    .filter(each -> each.rules().contains("ON DELETE CASCADE"))
                    .forEach(each -> wrong.add("foreign key " + each.name()
                            + " on the table itself deletes rows without a trigger; replace ON DELETE CASCADE"));
            table.foreignKeys().stream()
                    .filter(each -> !catalog.names().contains(each.parent())
                            && each.columns().stream().anyMatch(catalog.columns(table)::contains))
                    .forEach(each -> wrong.add("foreign key " + each.name() + " also refers to " + each.parent()
                            + ", whose column stays as it is"));
            String about = table.name() + " has about " + catalog.rows(session, table)
                    + " rows, and needs as much space again";
            findings.add(
                    wrong.isEmpty()
                            ? new Finding(Level.OK, "tables", about)
                            : new Finding(Level.WRONG, "tables", table.name() + ": " + String.join("; ", wrong)));
            table.checks().stream()
                    .filter(each -> !each.startsWith(table.name() + "_chk_"))
                    .forEach(each -> findings.add(new Finding(
                            Level.WARN,
                            "constraints",
                            "CHECK " + each + " of " + table.name() + " is called " + each + MySqlTable.COPY
                                    + " after the swap")));
        }
        return findings;
    }
}
