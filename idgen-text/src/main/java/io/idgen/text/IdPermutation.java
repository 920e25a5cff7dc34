package io.idgen.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret key of {@link PublicIds}, which encrypts ids as numbers of the same range. Use it for ids that you show
 * outside, if they must not reveal how many orders there are, when an order was created, or a neighbour's id. Two ids
 * never become the same number, so nothing collides and nothing needs to be stored.
 *
 * <p>This is not access control. Any number of the range decrypts to some id, and the same id always becomes the same
 * number. The application must still check whether a caller may see a row. Only the number is hidden, and only as well
 * as a Feistel network over few bits can hide it; the construction has not been reviewed as a cipher. Use a different
 * key for each table whose ids outsiders must not compare. If you lose the key, you cannot decrypt the ids.
 *
 * <p>The implementation is a balanced Feistel network over the next even number of bits, with {@value #ROUNDS} rounds
 * as in FF1. The round function is AES of the half, the round and the width. If a result lies outside the range, the
 * network is applied again until it lies inside (cycle walking): twice on average. The construction follows FF1, but is
 * not FF1.
 *
 * <p>Safe for many threads. A {@link Cipher} is not, so each call creates one, which costs less than its rounds. There
 * are no thread-locals.
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-38G">NIST SP 800-38G: format-preserving encryption by Feistel
 *     networks</a>
 * @see <a href="https://doi.org/10.1007/3-540-45760-7_9">Black and Rogaway, Ciphers with arbitrary finite domains,
 *     2002: cycle walking</a>
 */
public final class IdPermutation {
    private static final int ROUNDS = 10;

    private final int bits;
    private final long largest;
    private final int halfBits;
    private final long halfMask;
    private final SecretKeySpec key;

    /** Creates a permutation of the numbers of this many bits, 2 to 63. */
    IdPermutation(int bits, byte[] key) {
        if (key.length != 16 && key.length != 24 && key.length != 32) {
            throw new IllegalArgumentException("a key has 16, 24 or 32 bytes, got " + key.length
                    + "; create one with a secure random generator and keep it with the application's secrets");
        }
        if (Arrays.equals(key, new byte[key.length])) {
            throw new IllegalArgumentException("a key of " + key.length
                    + " zero bytes is no secret; create one with a secure random generator and keep it with the"
                    + " application's secrets");
        }
        this.bits = bits;
        this.largest = (1L << bits) - 1;
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1L << halfBits) - 1;
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * Creates a permutation of all ids, 0 to 2<sup>63</sup> - 1.
     *
     * @param key 16, 24 or 32 secret random bytes; copied
     * @return the permutation; for the same key it is the same in every version of this library
     * @throws IllegalArgumentException if the key has another length, or all its bytes are 0
     */
    public static IdPermutation over63Bits(byte[] key) {
        return new IdPermutation(63, key);
    }

    /**
     * Creates a permutation of the ids that JavaScript's numbers can hold, 0 to 2<sup>53</sup> - 1: for layouts of 53
     * bits, and for ids from segments or sequences. Under the same key it differs from the permutation over 63 bits.
     *
     * @param key 16, 24 or 32 secret random bytes; copied
     * @return the permutation; for the same key it is the same in every version of this library
     * @throws IllegalArgumentException if the key has another length, or all its bytes are 0
     */
    public static IdPermutation over53Bits(byte[] key) {
        return new IdPermutation(53, key);
    }

    /**
     * Encrypts an id of the range as a number of the range, whose size does not depend on that of the id.
     *
     * @throws IllegalArgumentException if the id is outside the range
     */
    long permute(long id) {
        return walk(id, new Rounds()::forward);
    }

    /**
     * Decrypts a result of {@link #permute} with the same key. Any other number of the range also decrypts to some id.
     *
     * @throws IllegalArgumentException if the number is outside the range
     */
    long restore(long shown) {
        return walk(shown, new Rounds()::backward);
    }

    /** Applies a network until the result lies inside the range. */
    private long walk(long from, LongUnaryOperator network) {
        if (from < 0 || from > largest) {
            throw new IllegalArgumentException("a permutation over " + bits + " bits accepts 0 to " + largest + ", got "
                    + from + (bits < 63 ? "; use the one over 63 bits for larger ids" : ""));
        }
        long value = from;
        do {
            value = network.applyAsLong(value);
        } while (Long.compareUnsigned(value, largest) > 0);
        return value;
    }

    /** Returns the width, without the key: the key is a secret and must not appear in logs. */
    @Override
    public String toString() {
        return "IdPermutation over " + bits + " bits";
    }

    /** The Feistel network with a cipher for a single call, and so for a single thread. */
    private final class Rounds {
        private final Cipher aes;
        private final ByteBuffer block = ByteBuffer.allocate(16);

        Rounds() {
            try {
                // ECB, since the round function is AES of a single block; no message is encrypted in this mode.
                aes = Cipher.getInstance("AES/ECB/NoPadding");
                aes.init(Cipher.ENCRYPT_MODE, key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JVM does not provide AES; check its security providers", e);
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

        /** Returns as many bits of AES(width, round, half) as a half has. */
        private long mix(int round, long half) {
            block.put(1, (byte) round).putLong(8, half);
            try {
                return ByteBuffer.wrap(aes.doFinal(block.array())).getLong() & halfMask;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(
                        "AES rejects a block of 16 bytes; check the JVM's security providers", e);
            }
        }
    }
}
