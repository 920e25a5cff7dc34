package io.idgen.core.inspect;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeLayout.FieldOrder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a layout keeps its fields, for those who draw them or read millions of ids. {@link SnowflakeLayout#parse(long)} says
 * the same in objects.
 *
 * @param time ticks since the epoch; always on top
 * @param datacenter right above the worker
 * @param worker within the datacenter
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

    /** Whether the layout has such an id: not negative, and no wider than its fields. */
    boolean has(long id) {
        return id >= 0 && id >>> time.shift() <= time.of(-1);
    }

    /** Datacenter and worker as one number: who made the id. */
    BitField packedWorker() {
        return new BitField("worker", worker.shift(), datacenter.width() + worker.width());
    }

    /** All 64 bits from the top: the sign, what a layout of 53 bits leaves unused, and the fields that have a width. */
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
