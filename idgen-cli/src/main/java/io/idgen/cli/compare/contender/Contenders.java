package io.idgen.cli.compare.contender;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.core.config.IdStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that can be compared: idgen's strategies, those that jars on the class path add, and the usual
 * alternatives.
 */
public final class Contenders {
    private static final Set<String> BUILT_IN =
            Set.of("snowflake", "segment", "sequence-table", "stepped", "native-sequence");

    private Contenders() {}

    /**
     * Returns all contenders, in the order of the report.
     *
     * @param settings the settings of the comparison, without which some cannot run
     */
    static List<Contender> all(Map<String, String> settings) {
        Set<String> strategies = strategies();
        List<Contender> all = new ArrayList<>();
        all.add(snowflake("wait:5ms", "waits while the clock is at most 5 ms behind"));
        all.add(snowflake("fail", "fails when the clock is behind"));
        all.add(snowflake("run-ahead:1s", "continues up to 1 s ahead of the clock"));
        all.add(snowflake("reuse:2048", "uses the remaining ids of up to 2048 past ticks"));
        all.add(new IdgenContender(
                "snowflake-leased",
                KeyFamily.SNOWFLAKE,
                "worker id and time leased from a table",
                opening -> Map.of("idgen.strategy", "snowflake", "idgen.worker.assigner", "jdbc")));
        all.add(fromRow("segment", "blocks of ids, fetched in advance"));
        all.add(fromRow("sequence-table", "one statement for each id"));
        all.add(new IdgenContender(
                "stepped",
                KeyFamily.TABLE,
                "instance i of N generates i, i + N, …; here each has a row instead of its own database",
                false,
                opening -> opening.phase().source() + "_" + (opening.instance() + 1),
                opening -> Map.of(
                        "idgen.strategy",
                        "stepped",
                        "idgen.stepped.instance",
                        String.valueOf(opening.instance() + 1),
                        "idgen.stepped.instances",
                        String.valueOf(opening.instances()),
                        "idgen.sources." + opening.phase().source() + "_" + (opening.instance() + 1) + ".start",
                        "1")));
        all.add(new IdgenContender(
                "native-sequence",
                KeyFamily.TABLE,
                "the database's sequence, increment " + IdgenContender.INCREMENT,
                true,
                opening -> opening.phase().source(),
                Contenders::sequence));
        strategies.stream()
                .filter(name ->
                        !BUILT_IN.contains(name) && !RedisContender.names().contains(name))
                .forEach(name -> all.add(new IdgenContender(
                        name, KeyFamily.OWN, "from your class path", opening -> Map.of("idgen.strategy", name))));
        all.add(new IdentityContender());
        all.addAll(HibernateContender.present());
        all.addAll(CosIdContender.present());
        all.addAll(RedisContender.present(strategies, settings));
        all.add(UuidContender.random());
        all.add(UuidContender.byTime());
        all.add(UuidContender.ulid());
        return all;
    }

    /** Creates what the contenders need on a database before they open. */
    public static void createTables(List<Contender> contenders, Bench bench) {
        for (Phase phase : Phase.values()) {
            contenders.stream()
                    .filter(contender -> contender.unfitFor(bench.product()).isEmpty())
                    .forEach(contender -> contender
                            .tables(bench.prefix(), phase, bench.product())
                            .forEach(bench::make));
        }
    }

    /** Returns which strategies cannot be compared, and how to add them. */
    public static List<String> missing(Map<String, String> settings) {
        return Stream.of(
                        HibernateContender.missing(),
                        CosIdContender.missing(),
                        RedisContender.missing(strategies(), settings))
                .flatMap(List::stream)
                .toList();
    }

    /** Returns whether a library is on the class path. */
    static boolean isOnClassPath(String className) {
        try {
            Class.forName(className, false, Contenders.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns how to add the contenders of another library. */
    static String howToAdd(List<String> names, String artifact) {
        return String.join(", ", names) + ": idgen.jar does not contain " + artifact
                + "; put it and its dependencies into a folder lib, and run java -cp 'idgen.jar:lib/*'"
                + " io.idgen.cli.Idgen compare";
    }

    /** Returns the named contenders, in the order of {@link #all}; {@code snowflake} means all snowflake variants. */
    public static List<Contender> named(List<String> names, Map<String, String> settings) {
        List<Contender> all = all(settings);
        if (names.isEmpty()) {
            return all;
        }
        Set<String> unknown = new LinkedHashSet<>(names);
        List<Contender> chosen = all.stream()
                .filter(contender -> names.stream().anyMatch(name -> isCalled(contender, name)))
                .toList();
        unknown.removeIf(name -> chosen.stream().anyMatch(contender -> isCalled(contender, name)));
        if (!unknown.isEmpty()) {
            throw new BadInputException("unknown strategy " + String.join(", ", unknown) + "; the strategies are "
                    + all.stream().map(Contender::name).collect(Collectors.joining(", "))
                    + "; to add your own, put a jar with an IdStrategy on the class path"
                    + missing(settings).stream().map(what -> "; " + what).collect(Collectors.joining()));
        }
        return chosen;
    }

    private static boolean isCalled(Contender contender, String name) {
        return contender.name().equals(name)
                || (name.equals("snowflake") && contender.family() == KeyFamily.SNOWFLAKE)
                || (name.equals("uuid") && contender.family() == KeyFamily.UUID);
    }

    private static Contender snowflake(String policy, String what) {
        String name = "snowflake-" + policy.replaceFirst(":.*", "");
        return new IdgenContender(
                name,
                KeyFamily.SNOWFLAKE,
                "fixed worker id; " + what,
                opening -> Map.of(
                        "idgen.strategy",
                        "snowflake",
                        "idgen.worker.assigner",
                        "single-process", // only this process uses the tables and the namespace of a comparison
                        "idgen.worker.id",
                        String.valueOf(opening.phase().worker(opening.instance())),
                        "idgen.worker.namespace",
                        "compare-" + name,
                        "idgen.snowflake.clock-policy",
                        policy));
    }

    private static Contender fromRow(String strategy, String what) {
        return new IdgenContender(
                strategy,
                KeyFamily.TABLE,
                what,
                opening -> Map.of(
                        "idgen.strategy",
                        strategy,
                        "idgen.sources." + opening.phase().source() + ".start",
                        "1"));
    }

    private static Map<String, String> sequence(Contender.Opening opening) {
        String source = "idgen.sources." + opening.phase().source();
        Map<String, String> settings = new HashMap<>();
        settings.put("idgen.strategy", "native-sequence");
        settings.put(
                source + ".sequence", IdgenContender.sequence(opening.pool().tablePrefix(), opening.phase()));
        settings.put(source + ".increment", String.valueOf(IdgenContender.INCREMENT));
        settings.put(source + ".value-is", "last");
        return settings;
    }

    /** Returns the names of all strategies on the class path. */
    private static Set<String> strategies() {
        try {
            return ServiceLoader.load(IdStrategy.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .map(IdStrategy::name)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (ServiceConfigurationError e) {
            throw new BadInputException(
                    "a strategy on the class path cannot be loaded (" + e.getMessage() + "); fix or remove its jar", e);
        }
    }
}
