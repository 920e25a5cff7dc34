package io.idgen.core.text;

import io.idgen.core.internal.text.Characters;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes ids for use outside as {@code k2_4N8X…}: the version of the key, then the encrypted id in
 * {@link IdCodec#BASE32}. The limits of {@link IdPermutation} apply: nobody can guess such an id from another one, but
 * it is not access control.
 *
 * <p>An object writes one key version and reads all that it has. Replace a key in three steps, and let each step reach
 * every instance before you begin the next: add the new key, write with the new key, and remove the old key when nobody
 * holds its ids any more. Never reuse a version number for another key, since old texts would decode to wrong ids.
 * Immutable and safe for many threads.
 */
public final class PublicIds {
    private static final int LARGEST_VERSION = 999;

    private final int written;
    private final String prefix;
    private final Map<Integer, IdPermutation> permutations;

    /**
     * Creates an encoder and decoder.
     *
     * @param written the key version to write with
     * @param permutations the permutations to read with, by key version, 1 to 999; copied
     * @throws IllegalArgumentException if {@code written} is not among them, or a version is out of range
     */
    public PublicIds(int written, Map<Integer, IdPermutation> permutations) {
        this.permutations = new TreeMap<>(Map.copyOf(permutations));
        for (int version : this.permutations.keySet()) {
            if (version < 1 || version > LARGEST_VERSION) {
                throw new IllegalArgumentException(
                        "a key version is 1 to " + LARGEST_VERSION + ", got " + version + "; number the keys from 1");
            }
        }
        if (!this.permutations.containsKey(written)) {
            throw new IllegalArgumentException("key version " + written
                    + ", to write with, is none of the given versions " + this.permutations.keySet() + "; add its key");
        }
        this.written = written;
        this.prefix = "k" + written + "_";
    }

    /**
     * Encodes an id.
     *
     * @param id 0 to the end of the permutation's range
     * @return ASCII text of letters, digits and one underscore, for example {@code k1_} and 13 characters
     * @throws IllegalArgumentException if the id is outside the range
     */
    public String encode(long id) {
        return prefix + IdCodec.BASE32.encode(permutation(written).permute(id));
    }

    /**
     * Decodes a text.
     *
     * @param text a result of {@link #encode} with any of the key versions, in upper or lower case
     * @return the id; an invented text of the right form also decodes to some id
     * @throws IllegalArgumentException if the text does not have this form, or its key version is unknown
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
                "a public id begins with the version of its key, for example " + prefix + "; " + found);
    }

    private IdPermutation permutation(int version) {
        IdPermutation permutation = permutations.get(version);
        if (permutation == null) {
            throw new IllegalArgumentException("key version " + version + " is none of the given versions "
                    + permutations.keySet() + "; add its key, unless this application did not write the text");
        }
        return permutation;
    }

    /** Returns the key versions, without the keys. */
    @Override
    public String toString() {
        return "PublicIds writing " + prefix + ", reading versions " + permutations.keySet();
    }
}
