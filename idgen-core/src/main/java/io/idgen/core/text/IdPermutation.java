package io.idgen.core.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns an id into a number of the same range and back, by a secret key: for ids that are shown outside and must not tell how
 * many orders there are, when one was made, or what its neighbour's id is. Two ids never become the same number, so nothing
 * collides and nothing needs to be stored.
 *
 * <p>What it is not: access control. Whoever holds a shown id has it, any number of the range leads to some id, and the same id
 * always shows as the same number; whether a caller may see a row is still to be checked. What it hides is the number alone,
 * and that only as well as a Feistel network over few bits can; it has not been reviewed as a cipher. Tables that must not be
 * compared from outside have keys of their own. Whoever loses the key loses the way back.
 *
 * <p>A balanced Feistel network over the next even number of bits, of {@value #ROUNDS} rounds as FF1 has, whose round function
 * is AES of the half, the round and the width. Where a result lies outside the range, the network is applied again until
 * it lies within (cycle walking): twice on average. This is in the manner of FF1, not FF1 itself.
 *
 * <p>Safe for many threads: a {@link Cipher} is not, so each call has its own, which costs less than the rounds that follow.
 * Nothing is kept in thread-locals.
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-38G">NIST SP 800-38G: format-preserving encryption by Feistel networks</a>
 * @see <a href="https://doi.org/10.1007/3-540-45760-7_9">Black and Rogaway, Ciphers with arbitrary finite domains, 2002: cycle
 *     walking</a>
 */
public final class IdPermutation {
    private static final int ROUNDS = 10;

    private final int bits;
    private final long largest;
    private final int halfBits;
    private final long halfMask;
    private final SecretKeySpec key;

    /** A permutation of the numbers of this many bits, 2 to 63. */
    IdPermutation(int bits, byte[] key) {
        if (key.length != 16 && key.length != 24 && key.length != 32) {
            throw new IllegalArgumentException("a key has 16, 24 or 32 bytes, got " + key.length
                    + "; make one with a secure random generator and keep it with the application's secrets");
        }
        if (Arrays.equals(key, new byte[key.length])) {
            throw new IllegalArgumentException("a key of " + key.length
                    + " zero bytes is known to everybody; make one with a secure random generator and keep it with the"
                    + " application's secrets");
        }
        this.bits = bits;
        this.largest = (1L << bits) - 1;
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1L << halfBits) - 1;
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * A permutation of all ids, 0 to 2<sup>63</sup> - 1.
     *
     * @param key 16, 24 or 32 secret random bytes; copied
     * @return a permutation that is the same for the same key, in every version of this library
     * @throws IllegalArgumentException if the key is of another length, or all its bytes are 0
     */
    public static IdPermutation over63Bits(byte[] key) {
        return new IdPermutation(63, key);
    }

    /**
     * A permutation of the ids that JavaScript's numbers hold, 0 to 2<sup>53</sup> - 1, for layouts of 53 bits and ids that
     * are counted up. Another than that of 63 bits, under the same key too.
     *
     * @param key 16, 24 or 32 secret random bytes; copied
     * @return a permutation that is the same for the same key, in every version of this library
     * @throws IllegalArgumentException if the key is of another length, or all its bytes are 0
     */
    public static IdPermutation over53Bits(byte[] key) {
        return new IdPermutation(53, key);
    }

    /**
     * The number to show for an id.
     *
     * @param id 0 to the end of the range
     * @return a number of the range; its size says nothing of the id's
     * @throws IllegalArgumentException if the id is outside the range
     */
    public long permute(long id) {
        checkRange(id);
        Rounds rounds = new Rounds();
        long value = id;
        do {
            value = rounds.forward(value);
        } while (Long.compareUnsigned(value, largest) > 0);
        return value;
    }

    /**
     * The id of a number that was shown.
     *
     * @param shown what {@link #permute} gave under the same key; any other number of the range gives some id as well
     * @return the id, 0 to the end of the range
     * @throws IllegalArgumentException if the number is outside the range
     */
    public long restore(long shown) {
        checkRange(shown);
        Rounds rounds = new Rounds();
        long value = shown;
        do {
            value = rounds.backward(value);
        } while (Long.compareUnsigned(value, largest) > 0);
        return value;
    }

    private void checkRange(long value) {
        if (value < 0 || value > largest) {
            throw new IllegalArgumentException("a permutation over " + bits + " bits takes 0 to " + largest + ", got "
                    + value + (bits < 63 ? "; use the one over 63 bits for larger ids" : ""));
        }
    }

    /** Says the width. The key is a secret and stays out of logs. */
    @Override
    public String toString() {
        return "IdPermutation over " + bits + " bits";
    }

    /** The network with a cipher for one call, so for one thread. */
    private final class Rounds {
        private final Cipher aes;
        private final ByteBuffer block = ByteBuffer.allocate(16);

        Rounds() {
            try {
                // AES on its own, block by block, which is what a round function wants; no message is encrypted in this
                // mode.
                aes = Cipher.getInstance("AES/ECB/NoPadding");
                aes.init(Cipher.ENCRYPT_MODE, key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(
                        "this JVM has no AES to permute ids with; check its security providers", e);
            }
            block.put(0, (byte) bits);
        }

        long forward(long value) {
            long left = value >>> halfBits;
            long right = value & halfMask;
            for (int round = 0; round < ROUNDS; round++) {
                long next = left ^ mix(round, right);
                left = right;
                right = next;
            }
            return (left << halfBits) | right;
        }

        long backward(long value) {
            long left = value >>> halfBits;
            long right = value & halfMask;
            for (int round = ROUNDS - 1; round >= 0; round--) {
                long previous = right ^ mix(round, left);
                right = left;
                left = previous;
            }
            return (left << halfBits) | right;
        }

        /** As many bits of AES(width, round, half) as a half has. */
        private long mix(int round, long half) {
            block.put(1, (byte) round).putLong(8, half);
            try {
                return ByteBuffer.wrap(aes.doFinal(block.array())).getLong() & halfMask;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(
                        "AES refused a block of 16 bytes; check the JVM's security providers", e);
            }
        }
    }
}
