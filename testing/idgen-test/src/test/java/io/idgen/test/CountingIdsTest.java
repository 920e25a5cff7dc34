package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdSource;
import org.junit.jupiter.api.Test;

class CountingIdsTest extends IdSourceContract {

    @Override
    protected IdSource open() {
        return new CountingIds();
    }

    @Test
    void theIdsAreKnownBeforehand() {
        try (IdSource ids = new CountingIds();
                IdSource fromSeven = new CountingIds(7)) {
            assertEquals(1, ids.nextId());
            assertArrayEquals(new long[] {2, 3, 4}, ids.nextIds(3));
            assertEquals(7, fromSeven.nextId());
        }
        assertThrows(IllegalArgumentException.class, () -> new CountingIds(0));
    }
}
