package io.idgen.cli.compare;

import java.util.UUID;
import java.util.function.Supplier;

/** The usual UUIDs. */
record UuidContender(String name, String what, Supplier<UUID> maker) implements Contender {

    /** Version 4, 122 random bits. */
    static UuidContender random() {
        return new UuidContender("uuid-v4", "the JDK's random UUIDs", UUID::randomUUID);
    }

    /** Version 7: milliseconds since 1970 in 48 bits, then 74 random bits. Source: RFC 9562, section 5.7. */
    static UuidContender byTime() {
        return new UuidContender("uuid-v7", "48 bits of time, the rest random (RFC 9562)", () -> {
            // a random UUID provides the random bits of both halves; time and version overwrite the rest
            UUID random = UUID.randomUUID();
            long high = System.currentTimeMillis() << 16 | 0x7000 | random.getMostSignificantBits() >>> 52;
            return new UUID(high, random.getLeastSignificantBits());
        });
    }

    @Override
    public Family family() {
        return Family.UUID;
    }

    @Override
    public Keys open(Opening opening) {
        return new Keys() {
            @Override
            public void next(long[] into, int at) {
                UUID key = maker.get();
                into[at] = key.getMostSignificantBits();
                into[at + 1] = key.getLeastSignificantBits();
            }

            @Override
            public void close() {}
        };
    }
}
