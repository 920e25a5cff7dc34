package io.idgen.text;

/** The algorithm for the last digit of a serial number, which detects most copying mistakes before a look-up. */
public enum CheckDigit {

    /** No check digit. */
    NONE,

    /**
     * Luhn's algorithm, as on payment cards. Detects every single wrong digit, and every swap of two neighbours except
     * 09 with 90.
     *
     * @see <a href="https://patents.google.com/patent/US2950048A">H. P. Luhn, Computer for verifying numbers, 1960</a>
     */
    LUHN,

    /**
     * ISO/IEC 7064:2003, system MOD 11,10, as in German tax numbers. Detects every single wrong digit, and all but
     * about one in 45 swaps of two neighbours. That is as many as Luhn's algorithm detects, but no pair always escapes.
     */
    ISO_7064_MOD_11_10;

    /** Returns the digits followed by their check digit. */
    String append(String digits) {
        return switch (this) {
            case NONE -> digits;
            case LUHN -> digits + luhn(digits);
            case ISO_7064_MOD_11_10 -> digits + mod11And10(digits);
        };
    }

    /** Doubles every other digit from the right; the digits of all results must add up to a multiple of ten. */
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

    /**
     * Computes a product modulo 11 of sums modulo 10, where a sum of 0 counts as 10; the check digit makes the last sum
     * 1.
     */
    private static int mod11And10(String digits) {
        int product = 10;
        for (int i = 0; i < digits.length(); i++) {
            int sum = (product + digits.charAt(i) - '0') % 10;
            product = (sum == 0 ? 10 : sum) * 2 % 11;
        }
        return (11 - product) % 10;
    }
}
