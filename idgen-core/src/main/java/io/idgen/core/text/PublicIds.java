package io.idgen.core.text;

import io.idgen.core.internal.text.Characters;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ids as they are shown outside, {@code k2_4N8X…}: the version of the key, and the permuted id in {@link IdCodec#BASE32}. The
 * limits of {@link IdPermutation} hold here: a shown id cannot be guessed from another, and opens no door.
 *
 * <p>One version is written, all that are given are read, so a key is replaced in three steps that each reach every instance
 * before the next begins: give the new key as well, write with it, and take the old one away when nobody holds its ids any
 * more. Version numbers are never used again for another key: old texts would be read as wrong ids. Safe for many threads.
 */
public final class PublicIds {
    private static final int LARGEST_VERSION = 999;

    private final int written;
    private final String prefix;
    private final Map<Integer, IdPermutation> permutations;

    /**
     * A writer and reader of shown ids.
     *
     * @param written the version to write with
     * @param permutations all versions that are read, by version, 1 to 999
     * @throws IllegalArgumentException if the version to write with is not among them, or a version is out of range
     */
    public PublicIds(int written, Map<Integer, IdPermutation> permutations) {
        this.permutations = new TreeMap<>(Map.copyOf(permutations));
        for (int version : this.permutations.keySet()) {
            if (version < 1 || version > LARGEST_VERSION) {
                throw new IllegalArgumentException(
                        "a key version is 1 to " + LARGEST_VERSION + ", got " + version + "; number them from 1");
            }
        }
        if (!this.permutations.containsKey(written)) {
            throw new IllegalArgumentException(
                    "key version " + written + " is to be written and is none of those given, "
                            + this.permutations.keySet() + "; give its key too");
        }
        this.written = written;
        this.prefix = "k" + written + "_";
    }

    /**
     * The text to show for an id.
     *
     * @param id 0 to the end of the permutation's range
     * @return for example {@code k1_} and 13 characters; of ASCII, and of letters and digits but for the underscore
     * @throws IllegalArgumentException if the id is outside the range
     */
    public String encode(long id) {
        return prefix + IdCodec.BASE32.encode(permutation(written).permute(id));
    }

    /**
     * The id of a text that was shown.
     *
     * @param text what {@link #encode} gave under any of the versions, in upper or lower case
     * @return the id; some id as well for a text of the right form that someone made up
     * @throws IllegalArgumentException if the text is not of this form, or its version is none of those given
     */
    public long decode(String text) {
        int end = text.indexOf('_');
        if (end < 2 || end > 4 || (text.charAt(0) != 'k' && text.charAt(0) != 'K')) {
            throw malformed("characters 1 to 5 have none");
        }
        int version = 0;
        for (int i = 1; i < end; i++) {
            char c = text.charAt(i);
            if (c < (i == 1 ? '1' : '0') || c > '9') {
                throw malformed("character " + (i + 1) + " is " + Characters.show(c));
            }
            version = version * 10 + (c - '0');
        }
        return permutation(version).restore(IdCodec.BASE32.decode(text, end + 1));
    }

    private IllegalArgumentException malformed(String found) {
        return new IllegalArgumentException(
                "a shown id begins with the version of its key, for example " + prefix + "; " + found);
    }

    private IdPermutation permutation(int version) {
        IdPermutation permutation = permutations.get(version);
        if (permutation == null) {
            throw new IllegalArgumentException("key version " + version + " is none of those given, "
                    + permutations.keySet() + "; give its key too, or the text was not made here");
        }
        return permutation;
    }

    /** Says the versions. */
    @Override
    public String toString() {
        return "PublicIds writing " + prefix + ", reading versions " + permutations.keySet();
    }
}
