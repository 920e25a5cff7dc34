package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/internals/hibernate.md} with the results of the earlier runs, one column per version and
 * database. The columns of MySQL and of Hibernate 7.0 to 7.3 have runs of their own, so each run takes the columns of
 * the others from the page. Prints the page in every build, and writes it on request. Runs in its own execution, after all other tests.
 */
class HibernatePageTest {
    private static final Path PAGE = Path.of("..", "docs", "internals", "hibernate.md");
    private static final String COMMAND = ".ci/pages hibernate";

    /** The first heading of the part that people write. */
    private static final String BY_HAND = "\n## Frameworks\n";

    private static final Pattern NOTE = Pattern.compile("\\[(\\d+)]");

    /** The description of each point, by its number. */
    private static final Map<Integer, String> POINTS = points();

    /** The results of a run. For each point: "pass", "n/a" with reasons, or "fail" with the tests that failed. */
    private record Column(String name, Map<Integer, List<String>> outcomes) {
        static Column of(String name, String page) throws IOException {
            return new Column(name, Boolean.getBoolean(skip(name)) ? onPage(title(name), page) : results(name));
        }

        /** Returns the property of the build that skips the run of a column. */
        private static String skip(String name) {
            if (name.endsWith(TestDatabase.MYSQL.name())) {
                return "on-mysql.skip";
            }
            return name.matches("7\\.[0-3]\\..*") ? "on-hibernate-7.skip" : "other-versions.skip";
        }

        private static Map<Integer, List<String>> results(String name) throws IOException {
            Map<Integer, List<String>> outcomes = new TreeMap<>();
            for (String line : Files.readAllLines(Outcomes.FOLDER.resolve(name + ".tsv"))) {
                String[] cells = line.split("\t", 2);
                outcomes.computeIfAbsent(Integer.valueOf(cells[0]), key -> new ArrayList<>())
                        .add(cells[1].strip());
            }
            return outcomes;
        }

        /** Returns the results that the page has; none if it has no such column yet. */
        private static Map<Integer, List<String>> onPage(String title, String page) {
            Map<Integer, List<String>> outcomes = new TreeMap<>();
            List<String[]> rows = page.lines()
                    .filter(line -> line.startsWith("| "))
                    .map(line -> line.split(" *\\| *"))
                    .toList();
            int column = rows.isEmpty() ? -1 : List.of(rows.get(0)).indexOf(title);
            for (String[] row : rows) {
                Matcher point = Pattern.compile("(\\d+)\\. .*").matcher(row[1]);
                if (column > 0 && column < row.length && point.matches()) {
                    outcomes.put(Integer.valueOf(point.group(1)), outcomes(row[column], page));
                }
            }
            return outcomes;
        }

        /** Parses a cell: returns the outcomes from which {@link #cell} writes it. */
        private static List<String> outcomes(String cell, String page) {
            List<String> outcomes = new ArrayList<>();
            if (cell.startsWith("pass")) {
                outcomes.add("pass");
            }
            NOTE.matcher(cell)
                    .results()
                    .map(number -> page.split("\n" + number.group(1) + "\\. ", 2)[1])
                    .map(reason -> reason.substring(0, reason.indexOf(".\n")))
                    .forEach(reason -> outcomes.add((cell.startsWith("**fail") ? "fail\t" : "n/a\t") + reason));
            return outcomes;
        }
    }

    @Test
    void thePageIsWhatTheRunsHaveFound() throws IOException {
        String before = Files.exists(PAGE) ? Files.readString(PAGE) : "";
        List<Column> columns = new ArrayList<>();
        for (String version : System.getProperty("hibernate.versions").split(",")) {
            for (TestDatabase kind : databases(version)) {
                columns.add(Column.of(version + " " + kind, before));
            }
        }
        String page = render(columns) + byHand(before);
        System.out.println(page);
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).as("make it with %s", COMMAND).exists();
        assertThat(Files.readString(PAGE)).as("make it again with %s", COMMAND).isEqualTo(page);
    }

    /** Returns the databases of the runs on a version: all servers on the newest, and MySQL on the oldest. */
    private static List<TestDatabase> databases(String version) {
        if (version.equals(Version.getVersionString())) {
            return List.of(TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL);
        }
        return version.startsWith("6.") ? List.of(TestDatabase.H2, TestDatabase.MYSQL) : List.of(TestDatabase.H2);
    }

    /** Returns the end of the page, which people write. */
    private static String byHand(String page) {
        int begin = page.indexOf(BY_HAND);
        return begin < 0 ? "" : page.substring(begin);
    }

    @Test
    void everyPointThatIsTestedHasWords() throws IOException {
        try (Stream<Path> runs = Files.list(Outcomes.FOLDER)) {
            for (Path run : runs.toList()) {
                assertThat(Files.readAllLines(run))
                        .extracting(line -> Integer.valueOf(line.split("\t")[0]))
                        .allMatch(POINTS::containsKey);
            }
        }
    }

    private static String render(List<Column> columns) {
        Map<String, Integer> notes = new LinkedHashMap<>();
        StringBuilder page = new StringBuilder("<!-- Generated by: ")
                .append(COMMAND)
                .append(" -->\n\n# What works with which Hibernate\n\n")
                .append("""
                        One jar works with all these versions of `hibernate-core`. Each cell is the result of the tests of one
                        feature, with one version and one database: pass, fail, or n/a if the version or the database does not
                        support it. The numbers refer to the notes below the table.

                        | |""");
        columns.forEach(column -> page.append(' ').append(title(column.name)).append(" |"));
        page.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        POINTS.forEach((point, words) -> {
            page.append("| ").append(point).append(". ").append(words).append(" |");
            columns.forEach(column -> page.append(' ')
                    .append(cell(column.outcomes.getOrDefault(point, List.of()), notes))
                    .append(" |"));
            page.append('\n');
        });
        page.append("\nOn H2, unless a database is named.\n\n");
        notes.forEach((reason, number) ->
                page.append(number).append(". ").append(reason).append(".\n"));
        return page.toString();
    }

    private static String title(String name) {
        return name.replace(".Final", "").replace(" H2", "");
    }

    private static String cell(List<String> outcomes, Map<String, Integer> notes) {
        if (outcomes.isEmpty()) {
            return "";
        }
        String reasons = outcomes.stream()
                .filter(outcome -> !outcome.equals("pass"))
                .map(outcome -> outcome.split("\t", 2)[1])
                .map(reason -> notes.computeIfAbsent(reason, key -> notes.size() + 1))
                .map(number -> "[" + number + "]")
                .distinct()
                .collect(Collectors.joining(" "));
        String word = outcomes.stream().anyMatch(outcome -> outcome.startsWith("fail"))
                ? "**fail**"
                : outcomes.contains("pass") ? "pass" : "n/a";
        return reasons.isEmpty() ? word : word + " " + reasons;
    }

    private static Map<Integer, String> points() {
        Map<Integer, String> points = new TreeMap<>();
        Arrays.stream("""
                        1 `@Id @SnowflakeId` and nothing else: no setting, no `@GeneratedValue`
                        2 The id is set right after `persist`, before any SQL, and in `@PrePersist`
                        3 A parent with N children: ceil(N / batch size) + 1 batches, no select
                        4 `merge` of a new entity: one insert, no select
                        5 An id that you set: `persist` and `merge` reject it, name the way out, and overwrite nothing
                        6 An id that you set is kept with `KEEP`: `persist`, `merge`, `StatelessSession.insert`
                        7 An id that you set: `StatelessSession.insert` rejects it, and names the way out
                        8 `upsert` works with an id; without one it fails and inserts no row
                        9 `insertMultiple` sends batches
                        10 HQL `insert … values` generates ids
                        11 HQL `insert … select` generates ids or fails, and never inserts row numbers
                        12 An id is generated without an entity, as HQL inserts need it
                        13 `long`, `Long`, `BigInteger`, `String` in each codec; `UUID` fails at boot
                        14 `int`, `Integer`, `Short` if the ids of the source fit; otherwise the boot fails
                        15 Typed ids: `@Type`, `@JavaType`, a record's component, `@Convert`
                        16 A part of an `@EmbeddedId` or of an `@IdClass`
                        17 A whole `@EmbeddedId` is generated or fails at boot, and is never null
                        18 `@MapsId`
                        19 Generic mapped superclasses
                        20 One source per entity, per hierarchy, or shared by name; ids begin above the rows of all tables
                        21 Attributes that are not ids, also in embeddables; elements of collections fail at boot
                        22 The annotation on fields and on getters; bytecode-enhanced entities
                        23 The generator by its class: `@GenericGenerator`, orm.xml, hbm.xml
                        24 Strategies by settings alone, for all and for one entity
                        25 An `IdSource` as an object or a bean
                        26 Unknown strategies, settings and entities fail at boot; the message names the nearest known one
                        27 Two persistence units in one process
                        28 Everything is closed once; a boot that fails leaves no thread and no connection
                        29 Building the `SessionFactory` opens no connection of idgen's
                        30 Two generators of one entity share its source
                        31 Ids from tables: a transaction of their own, no repetition after a rollback, above the existing rows
                        32 Pools of one connection, and of as many as threads
                        33 Sixteen threads at once
                        34 After an application is closed, its classes are collected, as without idgen
                        35 Metadata for native images list what reflection creates (not run in a native image)
                        36 The application provides Hibernate and its API
                        37 Hibernate's schema and scripts contain idgen's tables; `update`, `create` and `create-drop` leave their rows
                        38 `idgen.startup=eager`: sources start at the end of the boot, after the schema; a start that fails leaves no thread and no connection
                        39 The password changes while the application runs: idgen's own connections follow
                        40 Ids in constructors, from the same source: `equals` and `hashCode` never change
                        41 Pools of Tomcat, DBCP2, c3p0 and Agroal, and data sources without a pool, without a setting: idgen has its own connections
                        42 Builds can read the mapping without a database and without a worker id
                        43 idgen's tables are in `hibernate.default_schema`, on MariaDB and MySQL in `hibernate.default_catalog`
                        44 A table is missing because neither Hibernate nor a migration created it: the boot reports it with its statements
                        45 idgen's tables in a `DataSource` that is passed: Hibernate creates them if it is the same database
                        46 Tenants with a schema each: ids differ, or the boot fails; `@TenantId` as without tenants
                        47 `ReadAheadOptimizer`: next to Hibernate's own optimizer, no id of the sequence repeats
                        """.split("\n")).map(String::strip).forEach(line -> {
            String[] words = line.split(" ", 2);
            points.put(Integer.valueOf(words[0]), words[1]);
        });
        return points;
    }
}
