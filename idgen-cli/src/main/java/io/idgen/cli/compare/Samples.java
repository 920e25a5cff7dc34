package io.idgen.cli.compare;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.inspect.InspectedId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Decodes keys for the drawing of their bits. */
final class Samples {
    private Samples() {}

    static Comparison.Sample snowflake(long id, SnowflakeLayout layout) {
        SnowflakeParts parts = layout.parse(id);
        InspectedId inspected = new InspectedId(id, layout, parts, true);
        Comparison.Field machine = new Comparison.Field("worker", layout.workerBits(), String.valueOf(parts.worker()));
        Comparison.Field datacenter =
                new Comparison.Field("datacenter", layout.datacenterBits(), String.valueOf(parts.datacenter()));
        Comparison.Field sequence =
                new Comparison.Field("sequence", layout.sequenceBits(), String.valueOf(parts.sequence()));
        boolean sequenceLowest = layout.order() == SnowflakeLayout.FieldOrder.SEQUENCE_LOWEST;
        int used = layout.timeBits() + layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
        Comparison.Field time =
                new Comparison.Field("time", layout.timeBits(), parts.time().toString());
        List<Comparison.Field> fields = sequenceLowest
                ? List.of(sign(64 - used), time, datacenter, machine, sequence)
                : List.of(sign(64 - used), time, sequence, datacenter, machine);
        return new Comparison.Sample(Long.toString(id), inspected.text(), inspected.hex(), 64, nonEmpty(fields));
    }

    static Comparison.Sample number(long id) {
        return new Comparison.Sample(
                Long.toString(id),
                "a number, one above the previous",
                String.format("%016X", id),
                64,
                List.of(sign(1), new Comparison.Field("number", 63, Long.toString(id))));
    }

    static Comparison.Sample ulid(UUID ulid) {
        String time = Instant.ofEpochMilli(ulid.getMostSignificantBits() >>> 16).toString();
        return new Comparison.Sample(
                Ulids.text(ulid),
                time + ", and 80 random bits",
                hex(ulid),
                128,
                List.of(new Comparison.Field("time", 48, time), new Comparison.Field("random", 80, "")));
    }

    private static String hex(UUID uuid) {
        return String.format("%016X%016X", uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    static Comparison.Sample uuid(UUID uuid) {
        boolean byTime = uuid.version() == 7;
        String time = byTime
                ? Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16).toString()
                : "";
        return new Comparison.Sample(
                uuid.toString(),
                byTime ? time + ", and 74 random bits" : "122 random bits",
                hex(uuid),
                128,
                List.of(
                        new Comparison.Field(byTime ? "time" : "random", 48, time),
                        new Comparison.Field("version", 4, String.valueOf(uuid.version())),
                        new Comparison.Field("random", 12, ""),
                        new Comparison.Field("variant", 2, "RFC 9562"),
                        new Comparison.Field("random", 62, "")));
    }

    private static Comparison.Field sign(int width) {
        return new Comparison.Field(width == 1 ? "sign" : "unused", width, "0");
    }

    private static List<Comparison.Field> nonEmpty(List<Comparison.Field> fields) {
        return fields.stream().filter(field -> field.width() > 0).toList();
    }
}
