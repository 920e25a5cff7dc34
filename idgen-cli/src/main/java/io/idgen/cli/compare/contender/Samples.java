package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.result.Sample;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.BitField;
import io.idgen.text.InspectedId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Decodes keys for the drawing of their bits. */
final class Samples {
    private Samples() {}

    static Sample snowflake(long id, SnowflakeLayout layout) {
        InspectedId inspected = new InspectedId(id, layout, layout.parse(id), true);
        return new Sample(
                Long.toString(id),
                inspected.text(),
                inspected.hex(),
                64,
                inspected.fields().stream()
                        .map(field -> new Sample.Field(field.name(), field.width(), value(field, inspected)))
                        .toList());
    }

    private static String value(BitField field, InspectedId inspected) {
        return field.name().equals("time")
                ? inspected.parts().time().toString()
                : Long.toString(field.of(inspected.id()));
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
                List.of(new Sample.Field("sign", 1, "0"), new Sample.Field("number", 63, Long.toString(id))));
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
}
