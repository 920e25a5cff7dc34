package io.idgen.cli.compare.result;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The duplicates among keys.
 *
 * @param checked the number of keys
 * @param count how many of them equal an earlier one
 * @param example one of those, or its hash for keys of 128 bits
 */
public record Duplicates(long checked, long count, @Nullable String example) {
    /** The result without keys. */
    public static final Duplicates NONE = new Duplicates(0, 0, null);

    /**
     * Finds duplicates. Keys of 128 bits are hashed to 64 bits: among ten million different keys, a collision has a
     * probability of one in 300,000.
     *
     * @param words the number of {@code long}s per key
     */
    public static Duplicates of(List<long[]> chunks, int words) {
        long[] keys = chunks.stream()
                .flatMapToLong(chunk -> words == 1
                        ? Arrays.stream(chunk)
                        : LongStream.range(0, chunk.length / words).map(i -> hash(chunk, (int) i * words)))
                .toArray();
        Arrays.parallelSort(keys);
        long count = 0;
        String example = null;
        for (int i = 1; i < keys.length; i++) {
            if (keys[i] == keys[i - 1]) {
                count++;
                example = Long.toString(keys[i]);
            }
        }
        return new Duplicates(keys.length, count, example);
    }

    private static long hash(long[] words, int at) {
        long mixed = (words[at] ^ Long.rotateLeft(words[at + 1], 32)) * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L ^ words[at + 1];
    }

    /** Returns the sum of two results. */
    public Duplicates plus(Duplicates other) {
        return new Duplicates(checked + other.checked, count + other.count, example == null ? other.example : example);
    }
}
