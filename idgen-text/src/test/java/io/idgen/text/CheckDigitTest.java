package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckDigitTest {

    /** From the documentation and tests of python-stdnum and its ports. 07945 is the example of the standard. */
    @ParameterizedTest
    @CsvSource({
        "LUHN,               7992739871,  79927398713",
        "LUHN,               0,           00",
        "ISO_7064_MOD_11_10, 0794,        07945",
        "ISO_7064_MOD_11_10, 79462,       794623",
        "ISO_7064_MOD_11_10, 00200667308, 002006673085",
        "NONE,               123,         123"
    })
    void followsFromTheDigitsBeforeIt(CheckDigit checkDigit, String digits, String whole) {
        assertThat(checkDigit.append(digits)).isEqualTo(whole);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void catchesEveryWrongDigit(CheckDigit checkDigit) {
        Random random = new Random(7064);
        for (int n = 0; n < 300; n++) {
            String whole = checkDigit.append(digits(random));
            for (int i = 0; i < whole.length(); i++) {
                for (char wrong = '0'; wrong <= '9'; wrong++) {
                    if (wrong != whole.charAt(i)) {
                        assertThat(isRight(checkDigit, whole.substring(0, i) + wrong + whole.substring(i + 1)))
                                .isFalse();
                    }
                }
            }
        }
    }

    @Test
    void swapsThatEscapeAreThoseOfTheJavadoc() {
        Swaps luhn = swaps(CheckDigit.LUHN);
        assertThat(luhn.escapingPairs).containsExactly("09", "90");
        Swaps iso = swaps(CheckDigit.ISO_7064_MOD_11_10);
        assertThat(iso.alwaysEscaping).isEmpty();
        assertThat(luhn.alwaysEscaping).containsExactly("09", "90");
        assertThat(luhn.share()).isCloseTo(1 / 45.0, within(0.001));
        assertThat(iso.share()).isCloseTo(1 / 45.0, within(0.001));
    }

    private static final class Swaps {
        final Set<String> escapingPairs = new TreeSet<>();
        final Set<String> caughtPairs = new TreeSet<>();
        final Set<String> alwaysEscaping = new TreeSet<>();
        int all;
        int escaping;

        double share() {
            return (double) escaping / all;
        }
    }

    private static Swaps swaps(CheckDigit checkDigit) {
        Swaps swaps = new Swaps();
        Random random = new Random(1960);
        for (int n = 0; n < 20_000; n++) {
            String whole = checkDigit.append(digits(random));
            for (int i = 1; i < whole.length(); i++) {
                String pair = whole.substring(i - 1, i + 1);
                if (pair.charAt(0) != pair.charAt(1)) {
                    swaps.all++;
                    String swapped =
                            whole.substring(0, i - 1) + pair.charAt(1) + pair.charAt(0) + whole.substring(i + 1);
                    if (isRight(checkDigit, swapped)) {
                        swaps.escaping++;
                        swaps.escapingPairs.add(pair);
                    } else {
                        swaps.caughtPairs.add(pair);
                    }
                }
            }
        }
        swaps.alwaysEscaping.addAll(swaps.escapingPairs);
        swaps.alwaysEscaping.removeAll(swaps.caughtPairs);
        return swaps;
    }

    private static String digits(Random random) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < 23; i++) {
            digits.append((char) ('0' + random.nextInt(10)));
        }
        return digits.toString();
    }

    private static boolean isRight(CheckDigit checkDigit, String whole) {
        return checkDigit.append(whole.substring(0, whole.length() - 1)).equals(whole);
    }
}
