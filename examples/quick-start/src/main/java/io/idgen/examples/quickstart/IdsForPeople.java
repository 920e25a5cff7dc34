package io.idgen.examples.quickstart;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.text.IdCodec;
import io.idgen.text.IdInspector;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicIds;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/** Ids for people: decoded, as text, encrypted, and in queries. */
public final class IdsForPeople {
    private IdsForPeople() {}

    /**
     * Prints an id in all these forms.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        System.out.println(inspected(382324861541810176L));
        System.out.println(asText(382324861541810176L));
        System.out.println(hidden(382324861541810176L, "a secret of 16 b".getBytes(StandardCharsets.UTF_8)));
        System.out.println(queryOfADay());
    }

    static String inspected(long id) {
        IdInspector inspector = new IdInspector(Clock.systemUTC());
        return inspector.inspect(id, SnowflakeLayout.IDGEN).drawing();
    }

    static String asText(long id) {
        return IdCodec.BASE32.encode(id);
    }

    static String hidden(long id, byte[] secretKey) {
        PublicIds publicIds = new PublicIds(1, Map.of(1, IdPermutation.over63Bits(secretKey)));
        return publicIds.encode(id);
    }

    static String hiddenByTheNewKey(String text, byte[] oldKey, byte[] newKey) {
        PublicIds publicIds =
                new PublicIds(2, Map.of(1, IdPermutation.over63Bits(oldKey), 2, IdPermutation.over63Bits(newKey)));
        return publicIds.encode(publicIds.decode(text));
    }

    static String queryOfADay() {
        long from = SnowflakeLayout.IDGEN.firstIdAt(Instant.parse("2026-11-20T00:00:00Z"));
        long to = SnowflakeLayout.IDGEN.firstIdAt(Instant.parse("2026-11-21T00:00:00Z"));
        return "SELECT * FROM orders WHERE id >= " + from + " AND id < " + to;
    }

    /** Needs the worker id 30, which idgen.worker.reserved keeps free in all processes. */
    static long ofAnOldRow(Instant created, int sequence) {
        return SnowflakeLayout.IDGEN.compose(new SnowflakeParts(created, 0, 30, sequence));
    }
}
