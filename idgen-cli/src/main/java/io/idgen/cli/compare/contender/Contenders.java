package io.idgen.cli.compare.contender;

import io.hypersistence.tsid.TSID;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.compare.contender.HibernateRows.Generation;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.Family;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Everything that can be compared: idgen's strategies, those that jars on the class path add, and the usual
 * alternatives.
 */
public final class Contenders {
    private static final Set<String> BUILT_IN =
            Set.of("snowflake", "segment", "sequence-table", "stepped", "native-sequence");
    private static final String SOURCE = "idgen.sources.<name>.";

    /** At full speed, a counter grants more than the usual reach. */
    private static final String[] COUNTER = {SOURCE + "start=1", "idgen.segment.reach=" + (1L << 40)};

    private static final String INCREMENT = "50"; // Hibernate's default

    private final List<Contender> all = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /**
     * Finds the contenders.
     *
     * @param redis whether a Redis is given
     */
    public Contenders(Product product, boolean redis) {
        idgen(product);
        String identity = " (" + product.idColumn(Family.ROW) + ", name VARCHAR(20))";
        add("identity", Family.ROW, "the insert generates the key", Contenders::identity, "TABLE identity", identity);
        if (isPresent("org.hibernate.SessionFactory", "hibernate-sequence, hibernate-table, inserts by Hibernate")) {
            if (product.hasSequences()) {
                hibernate("hibernate-sequence", "Hibernate's SEQUENCE, pooled, increment 50", Generation.SEQUENCE);
            }
            hibernate("hibernate-table", "Hibernate's TABLE, pooled, increment 50", Generation.TABLE);
        }
        if (isPresent("io.hypersistence.tsid.TSID", "hypersistence-tsid")) {
            add("hypersistence-tsid", Family.TIME, "the factory of @Tsid: time, a node that you set", Contenders::tsid);
        }
        if (isPresent("me.ahoo.cosid.segment.SegmentChainId", "cosid-segment")) {
            String what = "CosId's SegmentChainId over a table, with its default step of 10";
            add("cosid-segment", Family.COUNTER, what, CosIdKeys::new, "TABLE cosid", CosIdKeys.TABLE);
        }
        if (redis) {
            RedisKeys.SCHEMES.forEach(
                    (name, what) -> add(name, Family.REDIS, what, opening -> new RedisKeys(name, opening)));
        } else {
            missing.add(String.join(", ", RedisKeys.SCHEMES.keySet()) + ": name a Redis for tests with --redis");
        }
        uuid("uuid-v4", "122 random bits", UUID::randomUUID);
        uuid("uuid-v7", "milliseconds in 48 bits, then 74 random bits (RFC 9562)", Contenders::version7);
    }

    private void idgen(Product product) {
        source("snowflake", Family.TIME, "worker id and time leased from a table", "idgen.worker.assigner=jdbc");
        add(
                "snowflake-fixed",
                Family.TIME,
                "fixed worker id, without a lease",
                opening -> open(
                        opening,
                        "snowflake",
                        "idgen.worker.assigner=single-process", // only this process uses the namespace
                        "idgen.worker.id=" + opening.worker(),
                        "idgen.worker.namespace=compare"));
        source("segment", Family.COUNTER, "blocks of ids, reserved ahead of demand", COUNTER);
        source("sequence-table", Family.COUNTER, "one statement for all waiting calls", COUNTER);
        source("stepped", Family.COUNTER, "instance i of N generates i, i + N, i + 2N", COUNTER);
        if (product.hasSequences()) {
            add(
                    "native-sequence",
                    Family.COUNTER,
                    "the database's sequence, increment " + INCREMENT,
                    opening -> open(
                            opening,
                            "native-sequence",
                            SOURCE + "sequence=" + opening.phase().prefix() + "seq",
                            SOURCE + "increment=" + INCREMENT,
                            SOURCE + "value-is=last"),
                    "SEQUENCE seq",
                    " START WITH " + INCREMENT + " INCREMENT BY " + INCREMENT);
        } else {
            missing.add("native-sequence, hibernate-sequence: " + product + " has no sequences");
        }
        ServiceLoader.load(IdStrategy.class).stream()
                .map(provider -> provider.get().name())
                .filter(name -> !BUILT_IN.contains(name))
                .sorted()
                .forEach(name -> source(name, Family.OWN, "from your class path"));
    }

    private void add(String name, Family family, String what, Function<Opening, Keys> opener, String... object) {
        Map<String, String> objects = object.length == 0 ? Map.of() : Map.of(object[0], object[1]);
        all.add(new Contender(name, family, what, objects, opener));
    }

    private void source(String strategy, Family family, String what, String... settings) {
        add(strategy, family, what, opening -> open(opening, strategy, settings));
    }

    private void hibernate(String name, String what, Generation generation) {
        add(name, Family.COUNTER, what, opening -> HibernateRows.keys(opening, generation));
    }

    private void uuid(String name, String what, Supplier<UUID> maker) {
        add(name, Family.UUID, what, opening -> (into, at) -> {
            UUID key = maker.get();
            into[at] = key.getMostSignificantBits();
            into[at + 1] = key.getLeastSignificantBits();
        });
    }

    /** Opens a source as an application does. Instances share its name, except for {@code stepped}. */
    private static Keys open(Opening opening, String strategy, String... settings) {
        boolean stepped = strategy.equals("stepped");
        String name = opening.phase().source() + (stepped ? opening.instance() : "");
        IdSources.Builder builder = IdSources.builder()
                .resource(DataSource.class, opening.pool().dataSource())
                .source(name)
                .set("idgen.strategy", strategy)
                .set("idgen.jdbc.table-prefix", Bench.PREFIX)
                .set("idgen.jdbc.initialize-schema", "never");
        if (stepped) {
            builder.set("idgen.stepped.instance", String.valueOf(opening.instance() + 1))
                    .set("idgen.stepped.instances", String.valueOf(opening.instances()));
        }
        if (opening.phase() == Phase.OUTAGE) {
            builder.set("idgen.acquire-timeout", CountingPool.IN_OUTAGE.toMillis() + "ms");
        }
        for (String setting : settings) {
            String[] parts = setting.replace("<name>", name).split("=", 2);
            builder.set(parts[0], parts[1]);
        }
        IdSources sources = builder.build();
        IdSource source = sources.get(name);
        return new Keys() {
            @Override
            public void next(long[] into, int at) {
                into[at] = source.nextId();
            }

            @Override
            public void close() {
                sources.close();
            }
        };
    }

    private static Keys identity(Opening opening) {
        String sql = "INSERT INTO " + opening.phase().prefix() + "identity (name) VALUES ('x')";
        return (into, at) -> {
            try (Connection connection = opening.pool().dataSource().getConnection();
                    PreparedStatement insert = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                insert.executeUpdate();
                into[at] = generatedKey(insert);
            } catch (SQLException e) {
                throw failed("the insert", e);
            }
        };
    }

    /** Returns the key of the inserted row. */
    public static long generatedKey(PreparedStatement insert) throws SQLException {
        try (ResultSet keys = insert.getGeneratedKeys()) {
            keys.next();
            return keys.getLong(1);
        }
    }

    static IdGenerationException failed(String what, Exception e) {
        return new IdGenerationException(
                ErrorCode.DATABASE_FAILED, "no id, because " + what + " failed: " + e.getMessage(), e);
    }

    private static Keys tsid(Opening opening) {
        // not the random node of its default: one of 1,024 comparisons would have duplicates
        TSID.Factory factory = TSID.Factory.builder().withNode(opening.worker()).build();
        return (into, at) -> into[at] = factory.generate().toLong();
    }

    private static UUID version7() {
        // a random UUID provides the random bits of both halves; time and version overwrite the rest
        UUID random = UUID.randomUUID();
        long high = System.currentTimeMillis() << 16 | 0x7000 | random.getMostSignificantBits() >>> 52;
        return new UUID(high, random.getLeastSignificantBits());
    }

    private boolean isPresent(String className, String names) {
        if (!isOnClassPath(className)) {
            missing.add(names + ": put the library and its dependencies into a folder lib, and run java -cp"
                    + " 'idgen.jar:lib/*' io.idgen.cli.Idgen compare");
        }
        return isOnClassPath(className);
    }

    /** Returns whether a library is on the class path. */
    public static boolean isOnClassPath(String className) {
        try {
            Class.forName(className, false, Contenders.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns what cannot be compared, and how to add it. */
    public List<String> missing() {
        return List.copyOf(missing);
    }

    /**
     * Returns contenders in the order of the report.
     *
     * @param names names, or their first words such as {@code snowflake}; none for all contenders
     */
    public List<Contender> named(List<String> names) {
        for (String name : names) {
            if (all.stream().noneMatch(contender -> contender.isCalled(name))) {
                throw new BadInputException("unknown strategy " + name + "; the strategies are "
                        + all.stream().map(Contender::name).collect(Collectors.joining(", "))
                        + missing.stream().map(what -> "; " + what).collect(Collectors.joining()));
            }
        }
        return all.stream()
                .filter(contender -> names.isEmpty() || names.stream().anyMatch(contender::isCalled))
                .toList();
    }
}
