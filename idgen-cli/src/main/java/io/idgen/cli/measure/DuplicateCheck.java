package io.idgen.cli.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Collects all keys of one source and finds duplicates. Keys of 128 bits are hashed to 64 bits: among ten million
 * different keys, a collision has a probability of one in 300,000. Not for several threads.
 */
public final class DuplicateCheck {
    private static final int EXAMPLES = 3;

    private final int wordsPerKey;
    private final List<long[]> chunks = new ArrayList<>();
    private long count;

    /**
     * Creates a check without keys.
     *
     * @param wordsPerKey 1 for keys of 64 bits, 2 for keys of 128 bits
     */
    public DuplicateCheck(int wordsPerKey) {
        this.wordsPerKey = wordsPerKey;
    }

    /** Adds keys. The caller must not use the array afterwards. */
    public void add(long[] words) {
        chunks.add(words);
        count += words.length / wordsPerKey;
    }

    /** Checks all keys for duplicates, and removes them. */
    public Duplicates check() {
        long[] keys = new long[Math.toIntExact(count)];
        int at = 0;
        for (long[] words : chunks) {
            for (int i = 0; i < words.length; i += wordsPerKey) {
                keys[at++] = wordsPerKey == 1 ? words[i] : fold(words[i], words[i + 1]);
            }
        }
        Arrays.parallelSort(keys);
        long repeats = 0;
        List<String> examples = new ArrayList<>();
        for (int i = 1; i < keys.length; i++) {
            if (keys[i] == keys[i - 1]) {
                repeats++;
                if (examples.size() < EXAMPLES && (i < 2 || keys[i] != keys[i - 2])) {
                    examples.add(example(keys[i]));
                }
            }
        }
        chunks.clear();
        long checked = count;
        count = 0;
        return new Duplicates(checked, repeats, examples);
    }

    private String example(long key) {
        if (wordsPerKey == 1) {
            return Long.toString(key);
        }
        for (long[] words : chunks) {
            for (int i = 0; i < words.length; i += 2) {
                if (fold(words[i], words[i + 1]) == key) {
                    return new UUID(words[i], words[i + 1]).toString();
                }
            }
        }
        throw new IllegalStateException("a key is missing");
    }

    private static long fold(long high, long low) {
        long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L ^ low;
    }

    /**
     * The result of a check.
     *
     * @param checked the number of keys that were checked
     * @param count the number of keys that are duplicates of an earlier one
     * @param examples some of the duplicates
     */
    public record Duplicates(long checked, long count, List<String> examples) {
        public static final Duplicates NONE = new Duplicates(0, 0, List.of());

        public Duplicates plus(Duplicates others) {
            List<String> all = new ArrayList<>(examples);
            all.addAll(others.examples);
            return new Duplicates(
                    checked + others.checked,
                    count + others.count,
                    all.stream().distinct().limit(EXAMPLES).toList());
        }
    }
}
