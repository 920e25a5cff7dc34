package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Checks that the examples in {@code docs/cli.md} print what the page shows. {@code .ci/pages cli} rewrites the
 * page.
 */
class CliPageTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final Pattern EXAMPLE = Pattern.compile("```console\\n\\$ idgen (.*)\\n(?s:(.*?))```");
    private static final String NOW = "2026-11-21T00:00:00Z";

    @TempDir
    private Path folder;

    @Test
    void theExamplesPrintWhatStandsThere() throws Exception {
        String page = Files.readString(PAGE);
        String now;
        try (Connection open = dataSource().getConnection()) { // otherwise each command opens and closes the file
            makeShop(open);
            now = EXAMPLE.matcher(page).replaceAll(this::again);
        }
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PAGE, now);
        } else {
            assertThat(timeless(now)).as("write it by .ci/pages cli").isEqualTo(timeless(page));
        }
        assertThat(EXAMPLE.matcher(page).results()).hasSizeGreaterThan(4);
    }

    private String again(MatchResult example) {
        String[] args = example.group(1)
                .replace("./shop", folder.resolve("shop").toString())
                .split(" ");
        // the doctor compares clocks, so it needs the real one
        Run run = args[0].equals("doctor") ? Run.of(args) : Run.at(NOW, args);
        String printed = (run.out() + run.err()).replace(folder.resolve("shop").toString(), "./shop");
        String trimmed = printed.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
        return Matcher.quoteReplacement("```console\n$ idgen " + example.group(1) + "\n" + trimmed + "\n```");
    }

    /** Replaces the figures of clocks and stopwatches, which differ from run to run. */
    private static String timeless(String page) {
        return page.replaceAll("\\d+ ms (behind|ahead of) the database", "n ms off the database")
                .replaceAll("(within|in) \\d+ ms", "$1 n ms")
                .replaceAll("[\\d.]+ % of its time", "n % of its time")
                .replaceAll("begin at \\S+Z \\(\\d+\\) or later", "begin at t or later");
    }

    private JdbcDataSource dataSource() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:" + folder.resolve("shop"));
        dataSource.setUser("sa");
        return dataSource;
    }

    /** Creates the tables that the examples use. */
    private void makeShop(Connection connection) throws SQLException {
        new IdgenSchema(dataSource()).create();
        Sql.execute(connection, "CREATE TABLE orders (id BIGINT)");
        Sql.execute(connection, "INSERT INTO orders VALUES (48211)");
        Sql.execute(connection, "INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 48001)");
    }

    @Test
    void everyCommandStandsOnThePage() throws IOException {
        String page = Files.readString(PAGE);
        Set<String> commands =
                new TreeSet<>(Idgen.commandLine().getSubcommands().keySet());
        commands.removeAll(Set.of("help", "choose"));
        assertThat(commands).allSatisfy(command -> assertThat(page).contains("idgen " + command));
        CommandLine repair = Idgen.commandLine().getSubcommands().get("repair");
        assertThat(repair.getSubcommands().keySet())
                .allSatisfy(command -> assertThat(page).contains("idgen repair " + command));
    }
}
