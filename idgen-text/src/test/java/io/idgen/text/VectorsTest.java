package io.idgen.text;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeLayout.FieldOrder;
import io.idgen.core.layout.SnowflakeParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Writes {@code docs/clients/vectors.json}, which every decoder in {@code docs/clients} has to agree with, and compares
 * it with the code in every build.
 */
class VectorsTest {
    private static final Path VECTORS = Path.of("..", "docs", "clients", "vectors.json");
    private static final String COMMAND = ".ci/pages vectors";

    private static final String KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final List<Long> IDS =
            List.of(0L, 1L, 31L, 32L, 61L, 62L, 4095L, 1L << 32, (1L << 53) - 1, 382324861541810186L, Long.MAX_VALUE);

    /** Texts that are no ids: too short, too long, above the largest id, a character of another form or script. */
    private static final Map<IdCodec, List<String>> REFUSED = Map.of(
            IdCodec.HEX, List.of("", "054E4A6F9900000", "054E4A6F990000000", "8000000000000000", "054E4A6F9900000G"),
            IdCodec.BASE32,
                    List.of("0AK9F6YCG000", "0AK9F6YCG00000", "8000000000000", "0AK9F6YCG000U", "0AK9F6YCG00ı0"),
            IdCodec.BASE32_CHECKED, List.of("00000000000010", "00000000000001", "0000000000000", "7ZZZZZZZZZZZZ?"),
            IdCodec.BASE62, List.of("AzL8n0Y58m8", "zzzzzzzzzzz", "0000000000", "0000000000-", "00000000000é"));

    @Test
    void theVectorsAreWhatTheLibraryComputes() throws IOException {
        String vectors = vectors();
        if ("write".equals(System.getProperty("pages"))) {
            Files.createDirectories(VECTORS.getParent());
            Files.writeString(VECTORS, vectors);
        }

        assertThat(VECTORS).as("write it with %s", COMMAND).exists();
        assertThat(Files.readString(VECTORS))
                .as("write it again with %s", COMMAND)
                .isEqualTo(vectors);
    }

    private static String vectors() {
        return object(
                        "",
                        "layouts",
                        array(
                                "  ",
                                SnowflakeLayout.presets().entrySet().stream()
                                        .map(preset -> layout(preset.getKey(), preset.getValue()))),
                        "texts",
                        array("  ", IDS.stream().map(VectorsTest::texts)),
                        "noTexts",
                        array(
                                "  ",
                                REFUSED.entrySet().stream()
                                        .sorted(Map.Entry.comparingByKey())
                                        .flatMap(refused -> refused.getValue().stream()
                                                .map(text -> noText(refused.getKey(), text)))),
                        "publicIds",
                        array(
                                "  ",
                                Stream.of(
                                        publicIds(63, "", IDS),
                                        publicIds(63, "order", IDS),
                                        publicIds(
                                                53,
                                                "",
                                                IDS.stream()
                                                        .filter(id -> id < 1L << 53)
                                                        .toList()))))
                + "\n";
    }

    /** The boundaries of every field, and the first id that the layout cannot have. */
    private static String layout(String name, SnowflakeLayout layout) {
        List<SnowflakeParts> parts = new ArrayList<>();
        int datacenter = (1 << layout.datacenterBits()) - 1;
        int worker = (1 << layout.workerBits()) - 1;
        int sequence = (1 << layout.sequenceBits()) - 1;
        for (Instant time : List.of(layout.epoch(), Instant.parse("2026-11-20T12:34:56.780Z"), layout.end())) {
            parts.add(new SnowflakeParts(time, 0, 0, 0));
            parts.add(new SnowflakeParts(time, datacenter, 0, 0));
            parts.add(new SnowflakeParts(time, 0, worker, 0));
            parts.add(new SnowflakeParts(time, 0, 0, sequence));
            parts.add(new SnowflakeParts(time, datacenter, worker, sequence));
        }
        int bits = layout.timeBits() + layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
        return object(
                "    ",
                "name",
                text(name),
                "epochMillis",
                layout.epoch().toEpochMilli(),
                "tickMillis",
                layout.tick().toMillis(),
                "timeBits",
                layout.timeBits(),
                "datacenterBits",
                layout.datacenterBits(),
                "workerBits",
                layout.workerBits(),
                "sequenceBits",
                layout.sequenceBits(),
                "sequenceAboveWorker",
                layout.order() == FieldOrder.SEQUENCE_ABOVE_WORKER,
                "ids",
                array(
                        "      ",
                        parts.stream().map(layout::compose).distinct().sorted().map(id -> id(layout, id))),
                "noIds",
                "[" + (bits < SnowflakeLayout.ID_BITS ? text(1L << bits) + ", " : "") + text(-1) + "]");
    }

    private static String id(SnowflakeLayout layout, long id) {
        SnowflakeParts parts = layout.parse(id);
        return line(
                "id",
                text(id),
                "millis",
                parts.time().toEpochMilli(),
                "datacenter",
                parts.datacenter(),
                "worker",
                parts.worker(),
                "sequence",
                parts.sequence());
    }

    private static String texts(long id) {
        return line(
                "id",
                text(id),
                "hex",
                text(IdCodec.HEX.encode(id)),
                "base32",
                text(IdCodec.BASE32.encode(id)),
                "base32Checked",
                text(IdCodec.BASE32_CHECKED.encode(id)),
                "base62",
                text(IdCodec.BASE62.encode(id)));
    }

    private static String noText(IdCodec codec, String text) {
        assertThatThrownBy(() -> codec.decode(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        return line("form", text(form(codec)), "text", text(text));
    }

    private static String form(IdCodec codec) {
        return codec == IdCodec.BASE32_CHECKED ? "base32Checked" : codec.name().toLowerCase(Locale.ROOT);
    }

    private static String publicIds(int bits, String prefix, List<Long> ids) {
        byte[] key = HexFormat.of().parseHex(KEY);
        IdPermutation permutation = bits == 53 ? IdPermutation.over53Bits(key) : IdPermutation.over63Bits(key);
        PublicIds publicIds = new PublicIds(2, Map.of(2, permutation)).withPrefix(prefix);
        return object(
                "    ",
                "prefix",
                text(prefix),
                "version",
                2,
                "bits",
                bits,
                "key",
                text(KEY),
                "ids",
                array("      ", ids.stream().map(id -> line("id", text(id), "text", text(publicIds.encode(id))))),
                "noTexts",
                "["
                        + Stream.of(
                                        "k3_0000000000000",
                                        "k02_0000000000000",
                                        "customer_k2_0000000000000",
                                        "k2_",
                                        "0000000000000")
                                .peek(text -> assertThatThrownBy(() -> publicIds.decode(text))
                                        .isInstanceOf(IllegalArgumentException.class))
                                .map(VectorsTest::text)
                                .collect(joining(", "))
                        + "]");
    }

    private static String object(String indent, Object... members) {
        return "{\n" + indent + "  " + members(members, ",\n" + indent + "  ") + "\n" + indent + "}";
    }

    private static String line(Object... members) {
        return "{" + members(members, ", ") + "}";
    }

    private static String members(Object[] members, String separator) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < members.length; i += 2) {
            texts.add(text(members[i]) + ": " + members[i + 1]);
        }
        return String.join(separator, texts);
    }

    private static String array(String indent, Stream<String> elements) {
        return elements.collect(joining(",\n  " + indent, "[\n  " + indent, "\n" + indent + "]"));
    }

    /** Ids are text, because many parsers of JSON round numbers above 2^53. */
    private static String text(Object value) {
        return '"' + value.toString() + '"';
    }
}
