package io.idgen.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link IdSource} promises; one thin subclass per strategy holds it to that. */
@Timeout(120)
public abstract class IdSourceContract {
    private static final int THREADS = 8;

    /** A fresh source, which the test closes. */
    protected abstract IdSource open();

    /** How many ids each of {@value #THREADS} threads draws; fewer for a strategy that goes to a database for each. */
    protected int idsPerThread() {
        return 20_000;
    }

    @Test
    protected void idsArePositive() {
        try (IdSource source = open()) {
            for (int i = 0; i < Math.min(5_000, idsPerThread()); i++) {
                assertThat(source.nextId()).isPositive();
            }
        }
    }

    @Test
    protected void noTwoThreadsGetTheSameId() throws Exception {
        try (IdSource source = open()) {
            List<long[]> ids = Together.run(THREADS, thread -> {
                long[] drawn = new long[idsPerThread()];
                for (int i = 0; i < drawn.length; i++) {
                    drawn[i] = source.nextId();
                }
                return drawn;
            });

            assertThat(ids).hasSize(THREADS).allMatch(drawn -> drawn.length == idsPerThread());
            Together.assertDistinct(ids);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1_000, 10_000})
    protected void aBatchIsAsLongAsAskedForAndRises(int count) {
        try (IdSource source = open()) {
            long before = source.nextId();
            long[] ids = source.nextIds(count);

            assertThat(ids).hasSize(count);
            assertThat(ids[0]).isPositive().isNotEqualTo(before);
            for (int i = 1; i < count; i++) {
                assertThat(ids[i]).isGreaterThan(ids[i - 1]);
            }
        }
    }

    @Test
    protected void batchesAndSingleCallsOfManyThreadsGetDifferentIds() throws Exception {
        int wanted = idsPerThread();
        try (IdSource source = open()) {
            List<long[]> ids = Together.run(THREADS, thread -> {
                long[] drawn = new long[wanted];
                int filled = 0;
                for (int round = thread; filled < wanted; round++) {
                    int size = Math.min(wanted - filled, new int[] {1, 7, 1, 250}[round % 4]);
                    long[] batch = size == 1 ? new long[] {source.nextId()} : source.nextIds(size);
                    System.arraycopy(batch, 0, drawn, filled, size);
                    filled += size;
                }
                return drawn;
            });

            Together.assertDistinct(ids);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, IdSource.MAX_BATCH + 1})
    protected void aBatchOfNothingOrOfMoreThanAMillionIsRefused(int count) {
        try (IdSource source = open()) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> source.nextIds(count));

            assertThat(e).hasMessageContaining("1 to 1000000, got " + count);
        }
    }

    @Test
    protected void aClosedSourceGivesNothing() {
        IdSource source = open();
        source.nextId();
        source.close();

        assertThat(assertThrows(IdGenerationException.class, source::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(assertThrows(IdGenerationException.class, () -> source.nextIds(2))
                        .code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    protected void aSourceThatWasNeverUsedGivesNothingOnceItIsClosed() {
        IdSource source = open();
        source.close();

        assertThat(assertThrows(IdGenerationException.class, source::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    protected void closingTwiceIsHarmless() {
        IdSource source = open();
        source.nextId();
        source.close();
        source.close();

        assertThat(assertThrows(IdGenerationException.class, source::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    protected void closingEndsThreadsThatDraw() throws Exception {
        record Drawn(long[] ids, ErrorCode end) {}
        int drawers = 4;
        CountDownLatch underWay = new CountDownLatch(drawers);
        IdSource source = open();

        List<Drawn> drawn = Together.run(drawers + 1, thread -> {
            if (thread == drawers) {
                boolean allDraw = underWay.await(60, TimeUnit.SECONDS);
                source.close();
                return new Drawn(new long[0], allDraw ? ErrorCode.SOURCE_CLOSED : ErrorCode.IDS_UNAVAILABLE);
            }
            long[] ids = new long[1024];
            int count = 0;
            while (true) {
                try {
                    long id = source.nextId();
                    ids = count < ids.length ? ids : Arrays.copyOf(ids, 2 * count);
                    ids[count++] = id;
                } catch (IdGenerationException e) {
                    return new Drawn(Arrays.copyOf(ids, count), e.code());
                }
                if (count == 10) {
                    underWay.countDown();
                }
            }
        });

        assertThat(drawn).extracting(Drawn::end).containsOnly(ErrorCode.SOURCE_CLOSED);
        Together.assertDistinct(drawn.stream().map(Drawn::ids).toList());
    }
}
