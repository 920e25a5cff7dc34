package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import io.idgen.migrate.Migration;
import io.idgen.migrate.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Writes the steps of a migration as scripts of Flyway or as a changelog of Liquibase: options of the plan. */
final class MigrateScripts {
    @Option(
            names = "--as",
            paramLabel = "<tool>",
            required = true,
            description =
                    "Write the next steps as scripts instead: flyway (a file for each transaction), or liquibase (a"
                            + " file with changesets). Steps that are not plain SQL become a script that fails until idgen"
                            + " migrate apply has made them.")
    private String tool = "";

    @Option(
            names = "--script-version",
            paramLabel = "<version>",
            required = true,
            description = "What the versions of the scripts begin with, for example 20261126.")
    private String version = "";

    @Option(
            names = "--out",
            paramLabel = "<folder>",
            description = "The folder of the scripts. Existing ones are kept. Default: the current folder.")
    private Path folder = Path.of(".");

    /** Writes the scripts, and prints what to do with them. */
    void write(Migration migration, String column, Output output) {
        boolean isFlyway = tool.equals("flyway");
        if (!isFlyway && !tool.equals("liquibase")) {
            throw new BadInputException("--as must be flyway or liquibase, got " + tool);
        }
        List<Script> scripts = migration.scripts();
        String name = column.replaceAll("\\W+", "_");
        StringBuilder changelog = new StringBuilder("--liquibase formatted sql\n");
        List<String> lines = new ArrayList<>();
        int number = 0;
        for (Script script : scripts) {
            String id = "";
            if (!script.sql().isEmpty()) {
                number++;
                id = String.format(Locale.ROOT, "%s_%02d", version, number);
                String file = "V" + id + "__" + name + "_step_" + script.step() + ".sql";
                if (isFlyway) {
                    write(file, script.flyway());
                    id = file;
                }
                changelog.append('\n').append(script.liquibase(name + "_" + id));
            }
            lines.add(line(script, id));
        }
        if (!isFlyway && number > 0) {
            String file = version + "_" + name + ".sql";
            write(file, changelog.toString());
            output.print("wrote " + number + " changesets to " + folder.resolve(file));
        }
        lines.forEach(output::print);
        if (isFlyway && scripts.stream().anyMatch(each -> !each.inTransaction())) {
            output.print(
                    "set flyway.postgresql.transactional.lock=false: an index waits for the lock of Flyway otherwise");
        }
        migration.plan().stream()
                .filter(each -> !each.done() && scripts.stream().noneMatch(script -> script.step() == each.number()))
                .forEach(each -> output.print("step " + each.number() + " is not written yet: " + each.title()
                        + "; repeat this command when all steps before it are done"));
    }

    private static String line(Script script, String id) {
        String line = "step " + script.step() + ", " + script.title() + (id.isEmpty() ? "" : ": " + id);
        return script.needsCommand()
                ? line + ": not plain SQL; run idgen migrate apply --yes --step " + script.step()
                        + (id.isEmpty() ? "" : ", until then this script fails")
                : line + (id.isEmpty() ? ": by hand" : "");
    }

    private void write(String file, String text) {
        Path path = folder.resolve(file);
        try {
            Files.writeString(path, text, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new BadInputException(
                    "cannot write " + path + " (" + e + "); name another folder with --out, or remove the file", e);
        }
    }
}
