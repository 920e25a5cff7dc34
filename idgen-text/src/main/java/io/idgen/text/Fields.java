package io.idgen.text;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeLayout.FieldOrder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The bit positions of a layout's fields, for drawings. {@link SnowflakeLayout#parse(long)} returns the same values as
 * objects.
 *
 * @param time ticks since the epoch; always the highest field
 * @param datacenter directly above the worker
 * @param worker the worker id within the datacenter
 * @param sequence the number within the tick
 */
record Fields(BitField time, BitField datacenter, BitField worker, BitField sequence) {

    static Fields of(SnowflakeLayout layout) {
        int packedWorkerBits = layout.datacenterBits() + layout.workerBits();
        boolean sequenceLowest = layout.order() == FieldOrder.SEQUENCE_LOWEST;
        int workerShift = sequenceLowest ? layout.sequenceBits() : 0;
        return new Fields(
                new BitField("time", packedWorkerBits + layout.sequenceBits(), layout.timeBits()),
                new BitField("datacenter", workerShift + layout.workerBits(), layout.datacenterBits()),
                new BitField("worker", workerShift, layout.workerBits()),
                new BitField("sequence", sequenceLowest ? 0 : packedWorkerBits, layout.sequenceBits()));
    }

    /** Returns whether the layout can have this id: it is not negative, and not wider than the fields. */
    boolean has(long id) {
        return id >= 0 && id >>> time.shift() <= time.of(-1);
    }

    /**
     * Returns all 64 bits from the top: the sign, bits that a layout of 53 bits leaves unused, and the fields that are
     * not empty.
     */
    List<BitField> fromTheTop() {
        int used = time.shift() + time.width();
        return Stream.of(
                        new BitField("sign", SnowflakeLayout.ID_BITS, 1),
                        new BitField("unused", used, SnowflakeLayout.ID_BITS - used),
                        time,
                        datacenter,
                        worker,
                        sequence)
                .filter(field -> field.width() > 0)
                .sorted(Comparator.comparingInt(BitField::shift).reversed())
                .toList();
    }
}
