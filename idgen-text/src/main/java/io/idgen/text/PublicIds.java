package io.idgen.text;

import io.idgen.core.internal.time.Characters;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes ids for use outside as {@code k2_4N8X…}: the version of the key, then the encrypted id in
 * {@link IdCodec#BASE32}. The limits of {@link IdPermutation} apply: nobody can guess such an id from another one, but
 * it is not access control. With {@link #withPrefix} the text also begins with the kind of the id: {@code
 * order_k2_4N8X…}.
 *
 * <p>An object writes one key version and reads all that it has. Replace a key in three steps, and let each step reach
 * every instance before you begin the next: add the new key, write with the new key, and remove the old key when nobody
 * holds its ids any more. Never reuse a version number for another key, since old texts would decode to wrong ids.
 * Immutable and safe for many threads.
 */
public final class PublicIds {
    private static final int LARGEST_VERSION = 999;
    private static final Pattern PREFIX = Pattern.compile("([a-z]([a-z0-9_]{0,61}[a-z0-9])?)?");

    /** The kind of the ids with an underscore, or empty. */
    private final String kind;

    private final int written;
    private final Map<Integer, IdPermutation> permutations;

    /**
     * Creates an encoder and decoder.
     *
     * @param written the key version to write with
     * @param permutations the permutations to read with, by key version, 1 to 999; copied
     * @throws IllegalArgumentException if {@code written} is not among them, or a version is out of range
     */
    public PublicIds(int written, Map<Integer, IdPermutation> permutations) {
        this("", written, new TreeMap<>(Map.copyOf(permutations)));
    }

    private PublicIds(String kind, int written, Map<Integer, IdPermutation> permutations) {
        for (int version : permutations.keySet()) {
            if (version < 1 || version > LARGEST_VERSION) {
                throw new IllegalArgumentException(
                        "a key version is 1 to " + LARGEST_VERSION + ", got " + version + "; number the keys from 1");
            }
        }
        if (!permutations.containsKey(written)) {
            throw new IllegalArgumentException("key version " + written
                    + ", to write with, is none of the given versions " + permutations.keySet() + "; add its key");
        }
        this.kind = kind;
        this.written = written;
        this.permutations = permutations;
    }

    /**
     * Returns an encoder and decoder with the same keys, whose texts begin with a prefix: {@code order_k1_4N8X…}. It
     * refuses texts without this prefix, so that nobody passes the id of a customer as that of an order by mistake.
     *
     * @param prefix the kind of the ids, without the underscore that follows it: up to 63 lower-case letters a to z,
     *     digits and underscores, beginning with a letter and not ending with an underscore; no prefix if empty
     * @return a new object
     * @throws IllegalArgumentException if the prefix has another form
     */
    public PublicIds withPrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("a prefix of public ids has up to 63 of a to z, 0 to 9 and _, begins"
                    + " with a letter and does not end with _, got '" + prefix + "'; choose for example order");
        }
        return new PublicIds(prefix.isEmpty() ? "" : prefix + "_", written, permutations);
    }

    /**
     * Encodes an id.
     *
     * @param id 0 to the end of the permutation's range
     * @return ASCII text of letters, digits and underscores, for example {@code k1_} and 13 characters
     * @throws IllegalArgumentException if the id is outside the range
     */
    public String encode(long id) {
        return beginning() + IdCodec.BASE32.encode(permutation(written).permute(id));
    }

    /**
     * Decodes a text.
     *
     * @param text a result of {@link #encode} with any of the key versions, in upper or lower case
     * @return the id; an invented text of the right form also decodes to some id
     * @throws IllegalArgumentException if the text does not have this form or the prefix, or its key version is unknown
     */
    public long decode(String text) {
        checkKind(text);
        int begin = kind.length();
        int end = text.indexOf('_', begin);
        if (end < begin + 2 || end > begin + 4 || (text.charAt(begin) != 'k' && text.charAt(begin) != 'K')) {
            throw malformed("characters " + (begin + 1) + " to " + (begin + 5) + " have none");
        }
        int version = 0;
        for (int i = begin + 1; i < end; i++) {
            char c = text.charAt(i);
            if (c < (i == begin + 1 ? '1' : '0') || c > '9') {
                throw malformed("character " + (i + 1) + " is " + Characters.show(c));
            }
            version = version * 10 + (c - '0');
        }
        return permutation(version).restore(IdCodec.BASE32.decode(text, end + 1));
    }

    private void checkKind(String text) {
        for (int i = 0; i < kind.length(); i++) {
            if (i == text.length() || Character.toLowerCase(text.charAt(i)) != kind.charAt(i)) {
                throw new IllegalArgumentException("a public id of this kind begins with " + kind + "; "
                        + (i == text.length()
                                ? "the text ends after " + i + " characters"
                                : "character " + (i + 1) + " is " + Characters.show(text.charAt(i)))
                        + "; send the id of such an object as it was received");
            }
        }
    }

    private IllegalArgumentException malformed(String found) {
        return new IllegalArgumentException("a public id " + (kind.isEmpty() ? "begins with" : "has after " + kind)
                + " the version of its key, for example " + beginning() + "; " + found);
    }

    private String beginning() {
        return kind + "k" + written + "_";
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
        return "PublicIds writing " + beginning() + ", reading versions " + permutations.keySet();
    }
}
