package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FieldsTest {

    static Iterable<SnowflakeLayout> layouts() {
        return Samples.layouts();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void readTheSameAsTheLayout(SnowflakeLayout layout) {
        Fields fields = Fields.of(layout);
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            long tick = random.nextLong() >>> (64 - Math.min(40, layout.timeBits()));
            long low = random.nextLong() & ((1L << fields.time().shift()) - 1);
            long id = (tick << fields.time().shift()) | low;
            SnowflakeParts parts = layout.parse(id);
            assertThat(layout.epoch()
                            .plus(layout.tick().multipliedBy(fields.time().of(id))))
                    .isEqualTo(parts.time());
            assertThat(fields.datacenter().of(id)).isEqualTo(parts.datacenter());
            assertThat(fields.worker().of(id)).isEqualTo(parts.worker());
            assertThat(fields.sequence().of(id)).isEqualTo(parts.sequence());
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void coverEachOf64BitsOnce(SnowflakeLayout layout) {
        int next = 64;
        for (BitField field : Fields.of(layout).fromTheTop()) {
            assertThat(field.width()).isPositive();
            assertThat(field.shift() + field.width()).isEqualTo(next);
            next = field.shift();
        }
        assertThat(next).isZero();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void haveTheIdsThatTheLayoutCanParse(SnowflakeLayout layout) {
        Fields fields = Fields.of(layout);
        int bits = fields.time().shift() + fields.time().width();
        assertThat(fields.has(0)).isTrue();
        assertThat(fields.has((1L << bits) - 1)).isTrue();
        assertThat(fields.has(1L << bits)).isFalse();
        assertThat(fields.has(-1)).isFalse();
        assertThat(fields.has(Long.MIN_VALUE)).isFalse();
    }
}
