package io.idgen.core.text;

/** A last digit that follows from those before it, so that most mistakes in copying are seen before a number is looked up. */
public enum CheckDigit {

    /** No check digit. */
    NONE,

    /**
     * Catches every single wrong digit, and every swap of two neighbours but 09 with 90. What payment cards use.
     *
     * @see <a href="https://patents.google.com/patent/US2950048A">H. P. Luhn, Computer for verifying numbers, 1960</a>
     */
    LUHN,

    /**
     * Catches every single wrong digit, and all but about one in 45 swaps of two neighbours: as many as Luhn's, but no pair
     * always escapes. What German tax numbers use. Source: ISO/IEC 7064:2003, system MOD 11,10.
     */
    ISO_7064_MOD_11_10;

    /** How many digits it adds. */
    int digits() {
        return this == NONE ? 0 : 1;
    }

    /** The digits and their check digit. */
    String append(String digits) {
        return switch (this) {
            case NONE -> digits;
            case LUHN -> digits + luhn(digits);
            case ISO_7064_MOD_11_10 -> digits + mod11And10(digits);
        };
    }

    /** From the right, every other digit counts twice, and the digits of all that sum up to a multiple of ten. */
    private static int luhn(String digits) {
        int sum = 0;
        boolean twice = true;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int value = digits.charAt(i) - '0';
            sum += twice ? value / 5 + value * 2 % 10 : value;
            twice = !twice;
        }
        return (10 - sum % 10) % 10;
    }

    /** A product modulo 11 of sums modulo 10, where a sum of 0 counts as 10; the check digit takes the last sum to 1. */
    private static int mod11And10(String digits) {
        int product = 10;
        for (int i = 0; i < digits.length(); i++) {
            int sum = (product + digits.charAt(i) - '0') % 10;
            product = (sum == 0 ? 10 : sum) * 2 % 11;
        }
        return (11 - product) % 10;
    }
}
