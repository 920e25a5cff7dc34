package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.insert.Entities.AssignedLine;
import io.idgen.benchmarks.insert.Entities.AssignedOrder;
import io.idgen.benchmarks.insert.Entities.IdentityLine;
import io.idgen.benchmarks.insert.Entities.IdentityOrder;
import io.idgen.benchmarks.insert.Entities.Sequence1Line;
import io.idgen.benchmarks.insert.Entities.Sequence1Order;
import io.idgen.benchmarks.insert.Entities.Sequence50Line;
import io.idgen.benchmarks.insert.Entities.Sequence50Order;
import io.idgen.benchmarks.insert.Entities.SnowflakeLine;
import io.idgen.benchmarks.insert.Entities.SnowflakeOrder;
import io.idgen.benchmarks.insert.Entities.Table1Line;
import io.idgen.benchmarks.insert.Entities.Table1Order;
import io.idgen.benchmarks.insert.Entities.Table50Line;
import io.idgen.benchmarks.insert.Entities.Table50Order;
import io.idgen.benchmarks.insert.Entities.TsidLine;
import io.idgen.benchmarks.insert.Entities.TsidOrder;
import io.idgen.benchmarks.insert.Entities.Uuid4Line;
import io.idgen.benchmarks.insert.Entities.Uuid4Order;
import io.idgen.benchmarks.insert.Entities.Uuid7Line;
import io.idgen.benchmarks.insert.Entities.Uuid7Order;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A kind of id: a mapping and the settings of idgen. */
enum Contender {
    /** The baseline: ids without cost. */
    ASSIGNED(
            "application-assigned",
            new Mapping<>(AssignedOrder.class, AssignedLine.class, AssignedOrder::new, AssignedLine::new)),
    SNOWFLAKE("idgen snowflake, leased", Contender.snowflake(), Map.of("idgen.worker.assigner", "jdbc")),
    SEGMENT("idgen segment", Contender.snowflake(), Map.of("idgen.strategy", "segment")),
    NATIVE_50(
            "idgen native-sequence (50)",
            Contender.snowflake(),
            Map.of(
                    "idgen.strategy",
                    "native-sequence",
                    "idgen.sources." + Entities.ORDER + ".increment",
                    "50",
                    "idgen.sources." + Entities.ORDER + ".value-is",
                    "first",
                    "idgen.sources." + Entities.LINE + ".increment",
                    "50",
                    "idgen.sources." + Entities.LINE + ".value-is",
                    "first")),
    NATIVE_1("idgen native-sequence (1)", Contender.snowflake(), Map.of("idgen.strategy", "native-sequence")),
    SEQUENCE_TABLE("idgen sequence-table", Contender.snowflake(), Map.of("idgen.strategy", "sequence-table")),
    STEPPED(
            "idgen stepped",
            Contender.snowflake(),
            Map.of("idgen.strategy", "stepped", "idgen.stepped.instance", "1", "idgen.stepped.instances", "2")),
    TSID("hypersistence @Tsid", new Mapping<>(TsidOrder.class, TsidLine.class, TsidOrder::new, TsidLine::new)),
    UUID4("UUIDv4", new Mapping<>(Uuid4Order.class, Uuid4Line.class, Uuid4Order::new, Uuid4Line::new)),
    UUID7("UUIDv7", new Mapping<>(Uuid7Order.class, Uuid7Line.class, Uuid7Order::new, Uuid7Line::new)),
    SEQUENCE_50(
            "SEQUENCE (50)",
            new Mapping<>(Sequence50Order.class, Sequence50Line.class, Sequence50Order::new, Sequence50Line::new)),
    SEQUENCE_1(
            "SEQUENCE (1)",
            new Mapping<>(Sequence1Order.class, Sequence1Line.class, Sequence1Order::new, Sequence1Line::new)),
    TABLE_50("TABLE (50)", new Mapping<>(Table50Order.class, Table50Line.class, Table50Order::new, Table50Line::new)),
    TABLE_1("TABLE (1)", new Mapping<>(Table1Order.class, Table1Line.class, Table1Order::new, Table1Line::new)),
    IDENTITY("IDENTITY", new Mapping<>(IdentityOrder.class, IdentityLine.class, IdentityOrder::new, IdentityLine::new));

    private final String label;
    private final Mapping<?> mapping;
    private final Map<String, String> settings;

    Contender(String label, Mapping<?> mapping) {
        this(label, mapping, Map.of());
    }

    Contender(String label, Mapping<?> mapping, Map<String, String> settings) {
        this.label = label;
        this.mapping = mapping;
        this.settings = settings;
    }

    private static Mapping<SnowflakeOrder> snowflake() {
        return new Mapping<>(SnowflakeOrder.class, SnowflakeLine.class, SnowflakeOrder::new, SnowflakeLine::new);
    }

    /** Returns the name in tables. */
    String label() {
        return label;
    }

    Mapping<?> mapping() {
        return mapping;
    }

    /** Returns the settings of idgen. */
    Map<String, String> settings() {
        return settings;
    }

    boolean isIdgen() {
        return !settings.isEmpty();
    }

    /** Returns the DDL in addition to that of Hibernate and idgen. */
    List<String> preparation() {
        return switch (this) {
            case NATIVE_50 -> sequences(50);
            case NATIVE_1 -> sequences(1);
            default -> List.of();
        };
    }

    private static List<String> sequences(int increment) {
        return Stream.of(Entities.ORDER, Entities.LINE)
                .map(source -> "CREATE SEQUENCE " + source + "_seq START WITH 1 INCREMENT BY " + increment)
                .toList();
    }
}
