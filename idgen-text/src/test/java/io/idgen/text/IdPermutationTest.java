package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdPermutationTest {
    private static final long LARGEST_53 = (1L << 53) - 1;

    /** 0, 1, 2, … */
    private static byte[] key(int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) i;
        }
        return key;
    }

    private static LongStream idsOf(int bits) {
        LongStream edges = LongStream.of(0, 1, LARGEST_53, (1L << bits) - 1);
        return LongStream.concat(edges, new Random(bits).longs(5_000).map(random -> random >>> (64 - bits)));
    }

    /**
     * Computed independently: the network in Python, AES by OpenSSL. These values must never change, because encrypted
     * ids live on in links.
     */
    @ParameterizedTest
    @CsvSource({
        "63, 16, 0,                   3378592402679271492",
        "63, 16, 1,                   4643374334653534358",
        "63, 16, 2,                   6377000481496962705",
        "63, 16, 225912364091068416,  5461189065461690005",
        "63, 16, 9223372036854775807, 8244446053570527058",
        "63, 24, 225912364091068416,  9184211207094204186",
        "63, 32, 225912364091068416,  4136861688561590037",
        "63, 32, 9223372036854775807, 5836467286883649088",
        "53, 16, 0,                   1502028606469134",
        "53, 16, 1,                   959056049486818",
        "53, 16, 9007199254740991,    2648576743617932"
    })
    void isWhatItHasAlwaysBeen(int bits, int keyLength, long id, long shown) {
        IdPermutation permutation =
                bits == 63 ? IdPermutation.over63Bits(key(keyLength)) : IdPermutation.over53Bits(key(keyLength));
        assertThat(permutation.permute(id)).isEqualTo(shown);
        assertThat(permutation.restore(shown)).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(ints = {53, 63})
    void findsTheWayBackAndStaysInRange(int bits) {
        IdPermutation permutation = new IdPermutation(bits, key(16));
        idsOf(bits).forEach(id -> {
            long shown = permutation.permute(id);
            assertThat(shown).isBetween(0L, (1L << bits) - 1);
            assertThat(permutation.restore(shown)).isEqualTo(id);
            assertThat(permutation.permute(permutation.restore(id))).isEqualTo(id);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 11, 12, 13})
    void everyNumberOfANarrowRangeHasExactlyOneImage(int bits) {
        IdPermutation permutation = new IdPermutation(bits, key(16));
        BitSet images = new BitSet();
        for (long id = 0; id < 1L << bits; id++) {
            images.set((int) permutation.permute(id));
        }
        assertThat(images.cardinality()).isEqualTo(1 << bits);
        assertThat(images.length()).isEqualTo(1 << bits);
    }

    @Test
    void anotherKeyOrWidthIsAnotherPermutation() {
        IdPermutation one = IdPermutation.over63Bits(key(16));
        byte[] otherKey = key(16);
        otherKey[15] ^= 1;
        IdPermutation other = IdPermutation.over63Bits(otherKey);
        IdPermutation narrower = new IdPermutation(62, key(16));
        long[] ids = new Random(1).longs(1_000).map(random -> random >>> 2).toArray();
        for (long id : ids) {
            assertThat(one.permute(id)).isNotEqualTo(other.permute(id)).isNotEqualTo(narrower.permute(id));
            assertThat(other.restore(one.permute(id))).isNotEqualTo(id);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {53, 63})
    void neighboursDifferInHalfOfTheirBitsAndEachBitInHalfOfTheNeighbours(int bits) {
        IdPermutation permutation = new IdPermutation(bits, key(16));
        int pairs = 4_000;
        int[] flips = new int[bits];
        long first = 4_711;
        for (int i = 0; i < pairs; i++) {
            long differing = permutation.permute(first + 2L * i) ^ permutation.permute(first + 2L * i + 1);
            for (int bit = 0; bit < bits; bit++) {
                flips[bit] += (int) ((differing >>> bit) & 1);
            }
        }
        // A fair coin thrown n times is off its half by less than 5 standard deviations, sqrt(n) / 2 each.
        assertThat(1.0 * Arrays.stream(flips).sum())
                .isCloseTo(pairs * bits / 2.0, within(5 * Math.sqrt(pairs * bits) / 2));
        for (int count : flips) {
            assertThat(1.0 * count).isCloseTo(pairs / 2.0, within(5 * Math.sqrt(pairs) / 2));
        }
    }

    @Test
    void idsInARowAreShownInNoOrder() {
        IdPermutation permutation = IdPermutation.over63Bits(key(16));
        int rising = 0;
        int pairs = 4_000;
        for (long id = 0; id < pairs; id++) {
            rising += permutation.permute(id) < permutation.permute(id + 1) ? 1 : 0;
        }
        // Neighbouring comparisons share a number, which only narrows the spread of a coin.
        assertThat((double) rising).isCloseTo(pairs / 2.0, within(5 * Math.sqrt(pairs) / 2));
    }

    @Test
    void refusesWhatIsOutsideItsRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over63Bits(key(16)).permute(-1))
                .withMessage("a permutation over 63 bits accepts 0 to 9223372036854775807, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over53Bits(key(16)).permute(LARGEST_53 + 1))
                .withMessage("a permutation over 53 bits accepts 0 to 9007199254740991, got 9007199254740992;"
                        + " use the one over 63 bits for larger ids");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over53Bits(key(16)).restore(LARGEST_53 + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over63Bits(key(16)).restore(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 15, 17, 31, 33, 64})
    void refusesKeysOfAnotherLengthWithoutTellingThem(int length) {
        byte[] key = "correct horse battery staple, correct horse battery staple, correct"
                .substring(0, length)
                .getBytes(StandardCharsets.US_ASCII);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over63Bits(key))
                .withMessage("a key has 16, 24 or 32 bytes, got " + length
                        + "; create one with a secure random generator and keep it with the application's secrets");
    }

    @Test
    void neverPrintsTheKey() {
        byte[] key = "correct horse ba".getBytes(StandardCharsets.US_ASCII);
        IdPermutation permutation = IdPermutation.over53Bits(key);
        List<String> texts = new ArrayList<>();
        texts.add(permutation.toString());
        texts.add(new PublicIds(1, Map.of(1, permutation)).toString());
        for (long outside : new long[] {-1, LARGEST_53 + 1}) {
            try {
                permutation.permute(outside);
            } catch (IllegalArgumentException e) {
                texts.add(e.toString());
            }
        }
        assertThat(texts)
                .hasSize(4)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContain("correct horse")
                        .doesNotContain(Arrays.toString(key))
                        .doesNotContain(Base64.getEncoder().encodeToString(key))
                        .doesNotContainIgnoringCase(HexFormat.of().formatHex(key)));
        assertThat(permutation).hasToString("IdPermutation over 53 bits");
    }

    @Test
    void keepsACopyOfTheKey() {
        byte[] key = key(16);
        IdPermutation permutation = IdPermutation.over63Bits(key);
        Arrays.fill(key, (byte) 0);
        assertThat(permutation.permute(1)).isEqualTo(4643374334653534358L);
    }

    @Test
    void servesManyThreadsAtOnce() throws Exception {
        IdPermutation permutation = IdPermutation.over63Bits(key(16));
        int threads = 8;
        int count = 5_000;
        long[] expected = LongStream.range(0, count).map(permutation::permute).toArray();
        CyclicBarrier start = new CyclicBarrier(threads);
        Callable<Boolean> task = () -> {
            start.await();
            boolean right = true;
            for (int id = 0; id < count; id++) {
                right &= permutation.permute(id) == expected[id] && permutation.restore(expected[id]) == id;
            }
            return right;
        };
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Boolean> future : executor.invokeAll(Collections.nCopies(threads, task))) {
                assertThat(future.get()).isTrue();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void aKeyOfZerosAloneIsRefused(int length) {
        byte[] zeros = new byte[length];
        byte[] almost = new byte[length];
        almost[length - 1] = 1;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdPermutation.over63Bits(zeros))
                .withMessageContainingAll(length + " zero bytes", "secure random generator");
        assertThatIllegalArgumentException().isThrownBy(() -> IdPermutation.over53Bits(zeros));
        assertThat(IdPermutation.over63Bits(almost).permute(1)).isNotNegative();
    }
}
