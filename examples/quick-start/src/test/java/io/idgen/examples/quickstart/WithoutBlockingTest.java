package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.test.CountingIds;
import org.junit.jupiter.api.Test;

class WithoutBlockingTest {
    @Test
    void anIdInMemoryIsThereAtOnce() {
        assertThat(new WithoutBlocking(new CountingIds(41)).insert())
                .isCompletedWithValue("INSERT INTO orders (id) VALUES (41)");
    }
}
