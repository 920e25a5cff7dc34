package io.idgen.migrate;

import io.idgen.migrate.Stage.Change;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a migration for a tool that runs scripts, such as Flyway or Liquibase.
 *
 * @param step the number of the step
 * @param title what the step does
 * @param sql its statements; empty if only {@code idgen migrate apply} or a person makes this part
 * @param inTransaction whether the statements are one transaction; otherwise it is one statement outside of any
 * @param needsCommand whether {@code idgen migrate apply} must make the step; the statements then fail before
 */
public record Script(int step, String title, List<String> sql, boolean inTransaction, boolean needsCommand) {

    /** Copies the list. */
    public Script {
        sql = List.copyOf(sql);
    }

    /** The steps that can be made now. One that must be named by its number is alone. */
    static List<Script> of(List<Stage> stages, String lockTimeout) {
        List<Script> scripts = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.isDone() || (stage.isExplicit() && !scripts.isEmpty())) {
                continue;
            }
            scripts.addAll(of(i + 1, stage, lockTimeout));
            if (stage.isExplicit()) {
                break;
            }
        }
        return scripts;
    }

    /** A step with a change that only a command makes is one script, because the command makes all of the step. */
    private static List<Script> of(int step, Stage stage, String lockTimeout) {
        List<Change> open =
                stage.changes().stream().filter(each -> !each.isDone()).toList();
        if (open.stream().anyMatch(each -> each.plain().needsCommand())) {
            List<String> checks = open.stream()
                    .filter(each -> each.plain().needsCommand())
                    .flatMap(each -> each.plain().sql().stream())
                    .toList();
            boolean isByHand = open.stream().allMatch(each -> each.sql().isEmpty());
            return List.of(new Script(step, stage.title(), checks, true, !isByHand));
        }
        List<Script> scripts = new ArrayList<>();
        for (Change each : open) {
            List<String> sql = new ArrayList<>(each.plain().sql());
            if (each.plain().inTransaction()) {
                sql.add(0, lockTimeout);
            }
            scripts.add(new Script(step, stage.title(), sql, each.plain().inTransaction(), false));
        }
        return scripts;
    }

    /**
     * Returns the text of a script of Flyway. Flyway sees by itself which statement must not be in a transaction.
     *
     * @return SQL
     */
    public String flyway() {
        return String.join(";\n", sql) + ";\n";
    }

    /**
     * Returns the text of a changeset for a formatted SQL changelog of Liquibase.
     *
     * @param id the id of the changeset
     * @return a comment for Liquibase, and SQL
     */
    public String liquibase(String id) {
        return "--changeset idgen:" + id + " runInTransaction:" + inTransaction
                + " endDelimiter:;; stripComments:false\n" + String.join(";;\n", sql) + ";;\n";
    }
}
