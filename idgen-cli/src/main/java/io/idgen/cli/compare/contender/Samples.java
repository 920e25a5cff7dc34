package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.result.Sample;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.inspect.InspectedId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Decodes keys for the drawing of their bits. */
final class Samples {
    private Samples() {}

    static Sample snowflake(long id, SnowflakeLayout layout) {
        SnowflakeParts parts = layout.parse(id);
        InspectedId inspected = new InspectedId(id, layout, parts, true);
        Sample.Field machine = new Sample.Field("worker", layout.workerBits(), String.valueOf(parts.worker()));
        Sample.Field datacenter =
                new Sample.Field("datacenter", layout.datacenterBits(), String.valueOf(parts.datacenter()));
        Sample.Field sequence = new Sample.Field("sequence", layout.sequenceBits(), String.valueOf(parts.sequence()));
        boolean sequenceLowest = layout.order() == SnowflakeLayout.FieldOrder.SEQUENCE_LOWEST;
        int used = layout.timeBits() + layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
        Sample.Field time =
                new Sample.Field("time", layout.timeBits(), parts.time().toString());
        List<Sample.Field> fields = sequenceLowest
                ? List.of(sign(64 - used), time, datacenter, machine, sequence)
                : List.of(sign(64 - used), time, sequence, datacenter, machine);
        return new Sample(Long.toString(id), inspected.text(), inspected.hex(), 64, nonEmpty(fields));
    }

    static Sample number(long id) {
        return number(id, "a number, one above the previous");
    }

    static Sample number(long id, String meaning) {
        return new Sample(
                Long.toString(id),
                meaning,
                String.format("%016X", id),
                64,
                List.of(sign(1), new Sample.Field("number", 63, Long.toString(id))));
    }

    static Sample ulid(UUID ulid) {
        String time = Instant.ofEpochMilli(ulid.getMostSignificantBits() >>> 16).toString();
        return new Sample(
                Ulids.text(ulid),
                time + ", and 80 random bits",
                hex(ulid),
                128,
                List.of(new Sample.Field("time", 48, time), new Sample.Field("random", 80, "")));
    }

    private static String hex(UUID uuid) {
        return String.format("%016X%016X", uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    static Sample uuid(UUID uuid) {
        boolean byTime = uuid.version() == 7;
        String time = byTime
                ? Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16).toString()
                : "";
        return new Sample(
                uuid.toString(),
                byTime ? time + ", and 74 random bits" : "122 random bits",
                hex(uuid),
                128,
                List.of(
                        new Sample.Field(byTime ? "time" : "random", 48, time),
                        new Sample.Field("version", 4, String.valueOf(uuid.version())),
                        new Sample.Field("random", 12, ""),
                        new Sample.Field("variant", 2, "RFC 9562"),
                        new Sample.Field("random", 62, "")));
    }

    private static Sample.Field sign(int width) {
        return new Sample.Field(width == 1 ? "sign" : "unused", width, "0");
    }

    private static List<Sample.Field> nonEmpty(List<Sample.Field> fields) {
        return fields.stream().filter(field -> field.width() > 0).toList();
    }
}
