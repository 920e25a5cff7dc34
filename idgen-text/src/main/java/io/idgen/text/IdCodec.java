package io.idgen.text;

import io.idgen.core.internal.time.Characters;

/**
 * Encodes ids as text and decodes them: for string columns, URLs, and JSON. JavaScript rounds integers above
 * 2<sup>53</sup>, so send larger ids as text.
 *
 * <p>All codecs except {@link #DECIMAL} write every id with the same length, and the texts sort as the ids do if they
 * are compared by character code. Ids are 0 to {@link Long#MAX_VALUE}. For a string column, {@link #BASE32} is the
 * usual choice.
 */
public enum IdCodec {

    /**
     * Decimal, as {@link Long#toString(long)} writes it: 1 to 19 digits. Accepts leading zeros. Texts do not sort as
     * the ids do.
     */
    DECIMAL("0123456789", 19, "0 to 9"),

    /** 16 hexadecimal digits. Writes upper case; accepts both cases. */
    HEX("0123456789ABCDEF", 16, "0 to 9 and A to F, upper or lower case"),

    /**
     * 13 characters of Crockford's base 32: the digits, and the letters without I, L, O and U. Writes upper case.
     * Accepts lower case, O for 0, and I and L for 1. No two ids differ in case alone, so the text is a safe key under
     * every collation. TSID libraries write the same text for the same number.
     *
     * @see <a href="https://www.crockford.com/base32.html">Crockford: Base 32</a>
     */
    BASE32(Words.CROCKFORD, 13, Words.CROCKFORD_AND_MORE),

    /**
     * {@link #BASE32} followed by a check character, for ids that people read out or type. It detects every single
     * wrong character and every swap of two neighbours. It is Crockford's check symbol, the id modulo 37, and may also
     * be one of {@code * ~ $ = U}.
     *
     * @see <a href="https://www.crockford.com/base32.html">Crockford: Base 32</a>
     */
    BASE32_CHECKED(Words.CROCKFORD, 14, Words.CROCKFORD_AND_MORE),

    /**
     * 11 characters, the shortest codec: digits, upper and lower case letters in the order of ASCII. Use it only in
     * case-sensitive columns. Under a case-insensitive collation, the default of MySQL and SQL Server, two ids that
     * differ only in case are the same key. Then an insert can fail with a key violation, and a look-up can find the
     * wrong row. Use {@link #BASE32} if in doubt.
     */
    BASE62(
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            11,
            "0 to 9, A to Z and a to z, case-sensitive");

    private static final String CHECK_SYMBOLS = Words.CROCKFORD + "*~$=U";

    private final String alphabet;
    private final int maxLength;
    private final String accepted;

    IdCodec(String alphabet, int maxLength, String accepted) {
        this.alphabet = alphabet;
        this.maxLength = maxLength;
        this.accepted = accepted;
    }

    /** Constants that two codecs share. An enum's own static fields are not yet initialised when its constants are. */
    private static final class Words {
        static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        static final String CROCKFORD_AND_MORE =
                "0 to 9 and A to Z without U, upper or lower case (O is read as 0, I and L as 1)";
    }

    /**
     * Returns the largest number of characters of a text, which is the width of its column.
     *
     * @return the length of every text; for {@link #DECIMAL} that of the longest
     */
    public int maxLength() {
        return maxLength;
    }

    /**
     * Encodes an id.
     *
     * @param id 0 or above
     * @return exactly {@link #maxLength} ASCII characters; for {@link #DECIMAL} at most that many
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
     * Decodes a text.
     *
     * @param text a result of {@link #encode}, in any spelling that this codec accepts
     * @return the id, 0 or above
     * @throws IllegalArgumentException if the length is wrong, the codec does not accept a character, the check
     *     character does not match, or the number is above {@link Long#MAX_VALUE}
     */
    public long decode(String text) {
        return decode(text, 0);
    }

    /**
     * Decodes the part of a text that begins at an index; messages count characters from the beginning of the whole
     * text.
     */
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
                throw new IllegalArgumentException("the number is too large for an id: the largest text of " + this
                        + " is " + encode(Long.MAX_VALUE) + ", which is " + Long.MAX_VALUE);
            }
            id = id * alphabet.length() + value;
        }
        return id;
    }

    private static void verify(long id, char symbol, int index) {
        if (BASE32_CHECKED.asWritten(symbol) != checkSymbol(id)) {
            throw new IllegalArgumentException("check character " + (index + 1) + " is " + Characters.show(symbol)
                    + ", but the characters before it require " + Characters.show(checkSymbol(id))
                    + "; a character is wrong, compare with the original");
        }
    }

    private static char checkSymbol(long id) {
        return CHECK_SYMBOLS.charAt((int) (id % CHECK_SYMBOLS.length()));
    }

    /**
     * Returns the character that {@link #encode} writes. Maps only ASCII, since other scripts have letters whose upper
     * case is I.
     */
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
