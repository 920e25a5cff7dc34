package io.idgen.core.text;

import io.idgen.core.internal.text.Characters;

/**
 * Ways to write an id as text and to read it back: for string columns, URLs, and JSON, whose readers in JavaScript damage
 * numbers above 2<sup>53</sup>.
 *
 * <p>All but {@link #DECIMAL} have one length for every id, and sort as text the way the ids sort as numbers, as long as
 * texts are compared by their characters' codes. Ids are 0 to {@link Long#MAX_VALUE}. For a string column, {@link #BASE32} is
 * the choice unless something speaks against it.
 */
public enum IdCodec {

    /** As {@link Long#toString(long)} writes it, up to 19 digits; leading zeros are read as well. Does not sort like the id. */
    DECIMAL("0123456789", 19, "0 to 9"),

    /** 16 digits, written in upper case and read in both. */
    HEX("0123456789ABCDEF", 16, "0 to 9 and A to F, upper or lower case"),

    /**
     * 13 characters of Crockford's base 32: digits, and the capital letters without I, L, O and U. Lower case is read as well,
     * and what people take for one another: O as 0, I and L as 1. Two ids never differ in case alone, so the text is a safe
     * key under every collation. The same text as TSID libraries give for the number.
     *
     * @see <a href="https://www.crockford.com/base32.html">Crockford: Base 32</a>
     */
    BASE32(Words.CROCKFORD, 13, Words.CROCKFORD_AND_MORE),

    /**
     * {@link #BASE32} and a 14th character that catches every single wrong character and every swap of two neighbours, for ids
     * that are read out or typed: Crockford's check symbol, the id modulo 37, which may also be one of {@code * ~ $ = U}.
     *
     * @see <a href="https://www.crockford.com/base32.html">Crockford: Base 32</a>
     */
    BASE32_CHECKED(Words.CROCKFORD, 14, Words.CROCKFORD_AND_MORE),

    /**
     * 11 characters, digits, capital and small letters in the order of ASCII: the shortest, and only for columns that tell
     * upper from lower case. Under a case-insensitive collation, the default of MySQL and SQL Server, two ids that differ in
     * case alone are one key: a key violation waiting to happen, and a look-up that finds the wrong row. Use {@link #BASE32}
     * where that cannot be ruled out.
     */
    BASE62(
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            11,
            "0 to 9, A to Z and a to z, which differ");

    private static final String CHECK_SYMBOLS = Words.CROCKFORD + "*~$=U";

    private final String alphabet;
    private final int maxLength;
    private final String accepted;

    IdCodec(String alphabet, int maxLength, String accepted) {
        this.alphabet = alphabet;
        this.maxLength = maxLength;
        this.accepted = accepted;
    }

    /** What two constants share, and an enum's own fields cannot hold: they come after the constants. */
    private static final class Words {
        static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        static final String CROCKFORD_AND_MORE =
                "0 to 9 and A to Z without U, upper or lower case (O is read as 0, I and L as 1)";
    }

    /**
     * The most characters a text of this kind has: the width of its column.
     *
     * @return the length of every text, and of the longest for {@link #DECIMAL}
     */
    public int maxLength() {
        return maxLength;
    }

    /**
     * The text of an id.
     *
     * @param id 0 or above
     * @return exactly {@link #maxLength} characters of ASCII; up to that many for {@link #DECIMAL}
     * @throws IllegalArgumentException if the id is negative
     */
    public String encode(long id) {
        if (id < 0) {
            throw new IllegalArgumentException("an id is 0 to " + Long.MAX_VALUE + ", got " + id);
        }
        return switch (this) {
            case DECIMAL -> Long.toString(id);
            case BASE32_CHECKED -> BASE32.encode(id) + checkSymbol(id);
            default -> fixedWidth(id);
        };
    }

    private String fixedWidth(long id) {
        char[] text = new char[maxLength];
        long rest = id;
        for (int i = maxLength - 1; i >= 0; i--) {
            text[i] = alphabet.charAt((int) (rest % alphabet.length()));
            rest /= alphabet.length();
        }
        return new String(text);
    }

    /**
     * The id of a text.
     *
     * @param text what {@link #encode} gave, in any of the spellings that this codec accepts
     * @return 0 or above
     * @throws IllegalArgumentException if the length is wrong, a character is none of the codec's, the check character does not
     *     belong to the rest, or the number is above {@link Long#MAX_VALUE}
     */
    public long decode(String text) {
        return decode(text, 0);
    }

    /** The id of the part of a text that begins at an index; messages count from the beginning of the whole. */
    long decode(String text, int from) {
        int length = text.length() - from;
        if (length > maxLength || length < (this == DECIMAL ? 1 : maxLength)) {
            throw new IllegalArgumentException(this + " has " + (this == DECIMAL ? "1 to " : "") + maxLength
                    + " characters" + (from == 0 ? "" : " after the first " + from) + ", got " + length);
        }
        if (this == BASE32_CHECKED) {
            int last = text.length() - 1;
            long id = number(text, from, last);
            verify(id, text.charAt(last), last);
            return id;
        }
        return number(text, from, text.length());
    }

    private long number(String text, int from, int to) {
        long id = 0;
        for (int i = from; i < to; i++) {
            int value = alphabet.indexOf(asWritten(text.charAt(i)));
            if (value < 0) {
                throw new IllegalArgumentException("character " + (i + 1) + " is " + Characters.show(text.charAt(i))
                        + "; " + this + " accepts " + accepted);
            }
            if (id > (Long.MAX_VALUE - value) / alphabet.length()) {
                throw new IllegalArgumentException("the number is too large for an id: " + this + " ends at "
                        + encode(Long.MAX_VALUE) + ", which is " + Long.MAX_VALUE);
            }
            id = id * alphabet.length() + value;
        }
        return id;
    }

    private static void verify(long id, char symbol, int index) {
        if (BASE32_CHECKED.asWritten(symbol) != checkSymbol(id)) {
            throw new IllegalArgumentException("check character " + (index + 1) + " is " + Characters.show(symbol)
                    + ", the characters before it call for " + Characters.show(checkSymbol(id))
                    + "; one was misread or mistyped, compare with the original");
        }
    }

    private static char checkSymbol(long id) {
        return CHECK_SYMBOLS.charAt((int) (id % CHECK_SYMBOLS.length()));
    }

    /** The character that {@link #encode} would have written; of ASCII only, since other scripts have letters that become I. */
    private char asWritten(char c) {
        if (this == BASE62) {
            return c;
        }
        char upper = c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
        if (this != BASE32 && this != BASE32_CHECKED) {
            return upper;
        }
        return switch (upper) {
            case 'O' -> '0';
            case 'I', 'L' -> '1';
            default -> upper;
        };
    }
}
