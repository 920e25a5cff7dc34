package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Sample;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The usual keys of 128 bits.
 *
 * @param sample decodes a key
 */
record UuidContender(String name, String what, Supplier<UUID> maker, Function<UUID, Sample> sample)
        implements Contender {

    /** Version 4, 122 random bits. */
    static UuidContender random() {
        return new UuidContender("uuid-v4", "the JDK's random UUIDs", UUID::randomUUID, Samples::uuid);
    }

    /** Version 7: milliseconds since 1970 in 48 bits, then 74 random bits. Source: RFC 9562, section 5.7. */
    static UuidContender byTime() {
        Supplier<UUID> maker = () -> {
            // a random UUID provides the random bits of both halves; time and version overwrite the rest
            UUID random = UUID.randomUUID();
            long high = System.currentTimeMillis() << 16 | 0x7000 | random.getMostSignificantBits() >>> 52;
            return new UUID(high, random.getLeastSignificantBits());
        };
        return new UuidContender("uuid-v7", "48 bits of time, the rest random (RFC 9562)", maker, Samples::uuid);
    }

    /** ULIDs that grow within a millisecond. */
    static UuidContender ulid() {
        return new UuidContender(
                "ulid",
                "48 bits of time, the rest random, one more within a millisecond (ULID)",
                new Ulids(InstantSource.system()),
                Samples::ulid);
    }

    @Override
    public KeyFamily family() {
        return KeyFamily.UUID;
    }

    @Override
    public Sample sample(long[] key, SnowflakeLayout layout) {
        return sample.apply(new UUID(key[0], key[1]));
    }

    @Override
    public Keys open(Opening opening) {
        return (into, at) -> {
            UUID key = maker.get();
            into[at] = key.getMostSignificantBits();
            into[at + 1] = key.getLeastSignificantBits();
        };
    }
}
